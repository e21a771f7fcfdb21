import { setTimeout as pause } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { MB } from '#platform/aws/limits.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { callAws } from '../../../infra/local/aws/service.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/queues-and-buckets.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import type { Resource } from '../../../infra/local/template/template.ts';
import { type QueueMapping, readQueueMapping } from '../../../infra/local/triggers/mapping.ts';
import {
  doneMessages,
  type QueueMessages,
  queueMessages,
  queueSource,
} from '../../../infra/local/triggers/queue-source.ts';
import { longestMs, until } from '../../support/until.ts';

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
const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

const callSqs = (operation: string, input: object) =>
  callAws(access(), { service: 'sqs', target: `AmazonSQS.${operation}` }, input, z.unknown());

let queues = 0;

/** Creates a queue with a dead-letter queue; a message is received three times. */
async function newQueue(visibilitySeconds: number) {
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
const bodies = (event: unknown): string[] => (event as SQSEvent).Records.map(({ body }) => body);

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

/** Starts a source that passes a queue's messages to a function. It stops after the test. */
function startSource(
  queue: { readonly arn: string; readonly messages: QueueMessages },
  invoke: (event: unknown, causes: readonly string[]) => Promise<unknown>,
  settings: Partial<QueueMapping> = {},
) {
  const faults: string[] = [];
  const source = queueSource({
    mapping: {
      EventSourceArn: queue.arn,
      FunctionName: 'worker',
      BatchSize: 10,
      ScalingConfig: { MaximumConcurrency: 5 },
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
const sendTraced = (QueueUrl: string, body: string, traceHeader: string) =>
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

describe('queue messages', () => {
  it('an invocation receives the trace headers of its messages', async () => {
    const queue = await newQueue(30);
    await sendTraced(queue.url, 'a', 'Root=1;Lineage=f:1');
    await sendTraced(queue.url, 'b', 'Root=2;Lineage=f:2');
    await queue.send('c');
    const heard: unknown[] = [];
    const { source } = startSource(queue, async (event, causes) => {
      const { Records } = event as SQSEvent;
      heard.push(
        causes,
        Records.map(({ body }) => body),
      );
    });
    await until(() => source.idle());
    expect(heard).toEqual([
      ['Root=1;Lineage=f:1', 'Root=2;Lineage=f:2'],
      ['a', 'b', 'c'],
    ]);
  });

  describe('SQS refuses', () => {
    const invalid = String.fromCharCode(1);
    it.each([
      [
        'a message of more than 1 MiB',
        'a'.repeat(MB + 1),
        {},
        /InvalidParameterValue.*shorter than 1048576 bytes/,
      ],
      ['a delay of more than 15 minutes', 'a', { DelaySeconds: 901 }, /InvalidParameterValue.*DelaySeconds/],
      ['a character that XML does not allow', invalid, {}, /InvalidMessageContents/],
    ])('%s', async (_, body, more, refusal) => {
      const queue = await newQueue(30);
      await expect(queue.send(body, more)).rejects.toThrow(refusal);
    });

    it('only the invalid messages of a batch, but all for an invalid delay', async () => {
      const queue = await newQueue(30);
      const good = { Id: 'good', MessageBody: 'b', DelaySeconds: 0 };
      expect(await queue.sendBatch([good, { Id: 'odd', MessageBody: invalid }])).toMatchObject({
        Successful: [{ Id: 'good' }],
        Failed: [{ Id: 'odd', Code: 'InvalidMessageContents', SenderFault: true }],
      });
      const late = { Id: 'late', MessageBody: 'a', DelaySeconds: 901 };
      await expect(queue.sendBatch([good, late])).rejects.toThrow(/InvalidParameterValue.*DelaySeconds/);
    });
  });

  describe('the response of a function', () => {
    const messages = ['1', '2'].map((MessageId) => ({
      MessageId,
      ReceiptHandle: '',
      Body: '',
      MD5OfBody: '',
      Attributes: {},
    }));
    it.each([
      ['nothing', null, 2],
      ['one failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
      ['a message of another batch', { batchItemFailures: [{ itemIdentifier: '3' }] }, 0],
      ['another type', { batchItemFailures: 'all' }, 0],
    ])('with %s is read as Lambda reads it', (_, answer, done) => {
      expect(doneMessages(messages, answer)).toHaveLength(done);
    });
  });

  describe('a mapping in the template', () => {
    const mapping = (properties: Record<string, unknown>): Resource => ({
      stackName: 'service',
      logicalId: 'Messages',
      type: 'AWS::Lambda::EventSourceMapping',
      ref: '',
      attributes: {},
      properties: () => properties,
    });
    const least = {
      EventSourceArn: arnOf('jobs'),
      FunctionName: 'worker',
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    };

    it('is read', () => {
      expect(readQueueMapping(mapping(least))).toEqual(least);
    });

    it.each([
      ['an unsupported property', { FilterCriteria: {} }],
      ['more messages than SQS hands out at once', { BatchSize: 11 }],
      ['fewer than two concurrent invocations', { ScalingConfig: { MaximumConcurrency: 1 } }],
    ])('with %s stops the start', (_, property) => {
      expect(() => readQueueMapping(mapping({ ...least, ...property }))).toThrow(/Messages/);
    });
  });
});

describe('queue source', () => {
  describe('the messages of a queue', () => {
    it('reach the function as from Lambda, and are deleted when they succeed', async () => {
      const queue = await newQueue(30);
      const events: SQSEvent[] = [];
      const { source } = startSource(queue, async (event) => void events.push(event as SQSEvent));
      await queue.send('{"job":1}');
      await until(() => source.idle());
      expect(events).toMatchObject([
        {
          Records: [
            {
              messageId: expect.any(String),
              body: '{"job":1}',
              attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.any(String) },
              eventSource: 'aws:sqs',
              eventSourceARN: queue.arn,
            },
          ],
        },
      ]);
    });

    it('come in batches of the mapping’s size', async () => {
      const queue = await newQueue(30);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await queue.send(name);
      const sizes: number[] = [];
      const { source } = startSource(queue, async (event) => void sizes.push(bodies(event).length), {
        BatchSize: 2,
      });
      await until(() => source.idle());
      expect(sizes).toEqual([2, 2, 1]);
    });

    it('reported as failed are received again after the visibility timeout, and become dead letters', async () => {
      const queue = await newQueue(1);
      const seen: string[] = [];
      const { source } = startSource(queue, async (event) => {
        const { Records } = event as SQSEvent;
        seen.push(...Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`));
        const failed = Records.filter(({ body }) => body === 'bad');
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      });
      await queue.send('good');
      await queue.send('bad');
      await until(() => source.idle());
      // On a slow machine the other one, too, may become visible again before it is deleted.
      expect(seen.filter((one) => !/^good [23]$/.test(one)).sort()).toEqual([
        'bad 1',
        'bad 2',
        'bad 3',
        'good 1',
      ]);
      const dead = await queue.dead.receive(10, 0, AbortSignal.timeout(longestMs));
      expect(dead.map(({ Body }) => Body)).toEqual(['bad']);
    });

    it('with a delay arrive when it is over, and until then the queue is idle', async () => {
      const queue = await newQueue(30);
      const seen: SQSEvent['Records'] = [];
      const { source } = startSource(queue, async (event) => void seen.push(...(event as SQSEvent).Records));
      await queue.send('much later', { DelaySeconds: 900 });
      expect(await source.idle()).toBe(true);
      await queue.send('later', { DelaySeconds: 1 });
      await until(() => seen.length > 0);
      expect(seen.map(({ body }) => body)).toEqual(['later']);
      const { ApproximateFirstReceiveTimestamp, SentTimestamp } = seen[0]?.attributes ?? {};
      expect(Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)).toBeGreaterThanOrEqual(1_000);
    });

    it('of the whole batch are received again when the function fails', async () => {
      const queue = await newQueue(1);
      let calls = 0;
      const { source } = startSource(queue, async () => {
        calls += 1;
        if (calls === 1) throw new Error('Task timed out');
      });
      await queue.send('a');
      await queue.send('b');
      await until(() => source.idle());
      expect(calls).toBeGreaterThanOrEqual(2);
    });

    it('are processed by at most the mapping’s number of concurrent invocations', async () => {
      const queue = await newQueue(30);
      for (let index = 0; index < 8; index += 1) await queue.send(String(index));
      let now = 0;
      let most = 0;
      const { source } = startSource(
        queue,
        async () => {
          now += 1;
          most = Math.max(most, now);
          await until(() => most >= 3);
          await pause(50);
          now -= 1;
        },
        { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 3 } },
      );
      await until(() => source.idle());
      expect(most).toBe(3);
    });

    it('in progress are finished when the run stops, and no more are read', async () => {
      const queue = await newQueue(30);
      let ended = false;
      let begun = false;
      const { source } = startSource(queue, async () => {
        begun = true;
        await pause(300);
        ended = true;
      });
      await queue.send('a');
      await until(() => begun);
      await source.stop();
      expect(ended).toBe(true);
      expect(await source.idle()).toBe(true);
    });
  });

  it('messages larger than one invocation payload are split across invocations', async () => {
    const queue = await newQueue(30);
    const messages = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => ({
      MessageId: letter,
      ReceiptHandle: '',
      Body: letter.repeat(1_000_000),
      MD5OfBody: '',
      Attributes: {},
    }));
    const deleted: string[] = [];
    const full: QueueMessages = {
      ...queue.messages,
      receive: async (...given) =>
        messages.length > 0 ? messages.splice(0) : queue.messages.receive(...given),
      delete: async (done) => void deleted.push(...done.map(({ MessageId = '' }) => MessageId)),
    };
    const batches: string[][] = [];
    startSource({ ...queue, messages: full }, async (event) => {
      batches.push((event as SQSEvent).Records.map(({ messageId }) => messageId));
    });
    await until(() => deleted.length === 7);
    expect(batches).toEqual([['a', 'b', 'c', 'd', 'e', 'f'], ['g']]);
  });
});
