// Queues and their sources in an SQS emulator of the importing test file.
import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { callAws } from '../../infra/local/aws/service.ts';
import { sqsService } from '../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../infra/local/engines/queues-and-buckets.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import type { QueueMapping } from '../../infra/local/triggers/mapping.ts';
import { type QueueMessages, queueMessages, queueSource } from '../../infra/local/triggers/queue-source.ts';

/** SQS behind the AWS endpoint, which has one caller with all permissions. */
let fauxqs: Fauxqs;
let listener: Listener;
const accessKeyId = 'TESTKEY';
const access = () => ({ endpoint: listener.address, accessKeyId });

beforeAll(async () => {
  fauxqs = await startFauxqs();
  listener = await openListener(0);
  listener.serve(
    createAwsEndpoint({
      callers: new Map([[accessKeyId, { name: 'test', statements: 'everything' }]]),
      services: { sqs: sqsService(fauxqs.port) },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
});
afterAll(async () => {
  await listener.close();
  await fauxqs.stop();
});

/** The ARN of a queue. */
export const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

const callSqs = (operation: string, input: object) =>
  callAws(access(), { service: 'sqs', target: `AmazonSQS.${operation}` }, input, z.unknown());

let queues = 0;

/** Creates a queue with a dead-letter queue; a message is received three times. */
export async function newQueue(visibilitySeconds: number) {
  queues += 1;
  const name = `jobs-${queues}`;
  const dead = `${name}-dead`;
  await callSqs('CreateQueue', { QueueName: dead });
  await callSqs('CreateQueue', {
    QueueName: name,
    Attributes: {
      VisibilityTimeout: String(visibilitySeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(dead), maxReceiveCount: 3 }),
    },
  });
  const QueueUrl = `${listener.address}/000000000000/${name}`;
  return {
    arn: arnOf(name),
    messages: queueMessages(name, access()),
    dead: queueMessages(dead, access()),
    url: QueueUrl,
    send: (MessageBody: string, more: object = {}) =>
      callSqs('SendMessage', { QueueUrl, MessageBody, ...more }),
    sendBatch: (Entries: readonly object[]) => callSqs('SendMessageBatch', { QueueUrl, Entries }),
  };
}

/** The bodies of an event's messages. */
export const bodies = (event: unknown): string[] => (event as SQSEvent).Records.map(({ body }) => body);

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

/** Starts a source that passes a queue's messages to a function. It stops after the test. */
export function startSource(
  queue: { readonly arn: string; readonly messages: QueueMessages },
  invoke: (event: unknown, causes: readonly string[]) => Promise<unknown>,
  settings: Partial<QueueMapping> = {},
) {
  const faults: string[] = [];
  const source = queueSource({
    mapping: {
      sourceArn: queue.arn,
      functionName: 'worker',
      batchSize: 10,
      maximumConcurrency: 5,
      ...settings,
    },
    queue: queue.messages,
    invoke,
    onFault: (fault) => faults.push(fault),
  });
  void source.start();
  running.push(source);
  return { source, faults };
}

/** Sends a message as a traced caller does. */
export const sendTraced = (QueueUrl: string, body: string, traceHeader: string) =>
  fetch(listener.address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessageBatch',
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/us-east-1/sqs/aws4_request`,
      'x-amzn-trace-id': traceHeader,
    },
    body: JSON.stringify({ QueueUrl, Entries: [{ Id: '0', MessageBody: body }] }),
  });
