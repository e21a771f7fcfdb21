import { setTimeout as pause } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { callAws } from '../../../infra/local/aws/call.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/fauxqs.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import type { Resource } from '../../../infra/local/template/template.ts';
import { type QueueMapping, readQueueMapping } from '../../../infra/local/triggers/mapping.ts';
import { type QueueMessages, queueMessages } from '../../../infra/local/triggers/queue-messages.ts';
import { doneMessages, queueSource } from '../../../infra/local/triggers/queue-source.ts';
import { MB } from '../../../shared/aws/limits.ts';
import { until } from '../../support/until.ts';

/** SQS behind the endpoint, with one caller who may do everything. */
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
}, 30_000);
afterAll(async () => {
  await listener.close();
  await fauxqs.stop();
});

const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

const callSqs = (operation: string, input: object) =>
  callAws(access(), { service: 'sqs', target: `AmazonSQS.${operation}` }, input, z.unknown());

let made = 0;

/** A queue with its dead-letter queue; a message is delivered three times. */
async function newQueue(visibilitySeconds: number) {
  made += 1;
  const name = `jobs-${made}`;
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

const bodies = (event: unknown): string[] => (event as SQSEvent).Records.map(({ body }) => body);

/** Starts to hand a queue's messages to a function, and stops when the test has run. */
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

function hand(
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
      batchingWindowMs: 0,
      reportsFailures: true,
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

describe('a queue’s messages', () => {
  it('are handed over as Lambda does, and are gone when they are done', async () => {
    const queue = await newQueue(30);
    const events: SQSEvent[] = [];
    const { source } = hand(queue, async (event) => void events.push(event as SQSEvent));
    await queue.send('{"job":1}');
    await until(() => source.idle());
    expect(events).toMatchObject([
      {
        Records: [
          {
            messageId: expect.any(String),
            body: '{"job":1}',
            attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.any(String) },
            messageAttributes: {},
            eventSource: 'aws:sqs',
            eventSourceARN: queue.arn,
          },
        ],
      },
    ]);
  });

  it('come in batches of the size that the mapping says', async () => {
    const queue = await newQueue(30);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await queue.send(name);
    const sizes: number[] = [];
    const { source } = hand(queue, async (event) => void sizes.push(bodies(event).length), { batchSize: 2 });
    await until(() => source.idle());
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('are gathered within the window', async () => {
    const queue = await newQueue(30);
    const batches: string[][] = [];
    let found = 0;
    const messages: QueueMessages = {
      ...queue.messages,
      async receive(...given) {
        const received = await queue.messages.receive(...given);
        found += received.length;
        return received;
      },
    };
    const { source } = hand({ ...queue, messages }, async (event) => void batches.push(bodies(event)), {
      batchSize: 2,
      batchingWindowMs: 300_000,
    });
    await queue.send('a');
    await until(() => found === 1);
    await queue.send('b');
    await until(() => source.idle());
    expect(batches).toEqual([['a', 'b']]);
  });

  it('that are reported as failed come again after their visibility time, and end as dead letters', async () => {
    const queue = await newQueue(1);
    const seen: string[] = [];
    hand(queue, async (event) => {
      const { Records } = event as SQSEvent;
      seen.push(...Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`));
      const failed = Records.filter(({ body }) => body === 'bad');
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await queue.send('good');
    await queue.send('bad');
    const buried = async () =>
      Number((await queue.dead.attributes())['ApproximateNumberOfMessages'] ?? 0) === 1;
    await until(buried);
    expect(seen.sort()).toEqual(['bad 1', 'bad 2', 'bad 3', 'good 1']);
  });

  it('that are held back come in their time, and until then the queue is at rest', async () => {
    const queue = await newQueue(30);
    const seen: SQSEvent['Records'] = [];
    const { source } = hand(queue, async (event) => void seen.push(...(event as SQSEvent).Records));
    await queue.send('much later', { DelaySeconds: 900 });
    expect(await source.idle()).toBe(true);
    await queue.send('later', { DelaySeconds: 1 });
    await until(() => seen.length > 0);
    expect(seen.map(({ body }) => body)).toEqual(['later']);
    const { ApproximateFirstReceiveTimestamp, SentTimestamp } = seen[0]?.attributes ?? {};
    expect(Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)).toBeGreaterThanOrEqual(1_000);
  });

  it('of a group are delivered side by side, as from any queue that keeps no order', async () => {
    const queue = await newQueue(30);
    for (const name of ['a', 'b', 'c']) await queue.send(name, { MessageGroupId: 'one' });
    let now = 0;
    let most = 0;
    const { source } = hand(
      queue,
      async () => {
        now += 1;
        most = Math.max(most, now);
        await until(() => most === 3);
        now -= 1;
      },
      { batchSize: 1 },
    );
    await until(() => source.idle());
    expect(most).toBe(3);
  });

  it('come again when the function fails, all of the batch', async () => {
    const queue = await newQueue(1);
    let calls = 0;
    const { source } = hand(queue, async () => {
      calls += 1;
      if (calls === 1) throw new Error('Task timed out');
    });
    await queue.send('a');
    await queue.send('b');
    await until(() => source.idle());
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  it('are worked on by no more invocations at once than the mapping says', async () => {
    const queue = await newQueue(30);
    for (let index = 0; index < 8; index += 1) await queue.send(String(index));
    let now = 0;
    let most = 0;
    const { source } = hand(
      queue,
      async () => {
        now += 1;
        most = Math.max(most, now);
        await until(() => most >= 3);
        await pause(50);
        now -= 1;
      },
      { batchSize: 1, maximumConcurrency: 3 },
    );
    await until(() => source.idle());
    expect(most).toBe(3);
  });

  it('under way are waited for when the run ends, and no more are taken', async () => {
    const queue = await newQueue(30);
    let ended = false;
    let begun = false;
    const { source } = hand(queue, async () => {
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

it('more than an invocation takes is handed over in parts', async () => {
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
  hand({ ...queue, messages: full }, async (event) => {
    batches.push((event as SQSEvent).Records.map(({ messageId }) => messageId));
  });
  await until(() => deleted.length === 7);
  expect(batches).toEqual([['a', 'b', 'c', 'd', 'e', 'f'], ['g']]);
});

it('an invocation hears of the trace headers with which its messages were sent, and the function too', async () => {
  const queue = await newQueue(30);
  const traced = (body: string, traceHeader: string) =>
    fetch(listener.address, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessageBatch',
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/us-east-1/sqs/aws4_request`,
        'x-amzn-trace-id': traceHeader,
      },
      body: JSON.stringify({ QueueUrl: queue.url, Entries: [{ Id: '0', MessageBody: body }] }),
    });
  await traced('a', 'Root=1;Lineage=f:1');
  await traced('b', 'Root=2;Lineage=f:2');
  await queue.send('c');
  const heard: unknown[] = [];
  const { source } = hand(queue, async (event, causes) => {
    const { Records } = event as SQSEvent;
    heard.push(
      causes,
      Records.map(({ body, attributes }) => [body, attributes.AWSTraceHeader]),
    );
  });
  await until(() => source.idle());
  expect(heard).toEqual([
    ['Root=1;Lineage=f:1', 'Root=2;Lineage=f:2'],
    [
      ['a', 'Root=1;Lineage=f:1'],
      ['b', 'Root=2;Lineage=f:2'],
      ['c', undefined],
    ],
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
    ['a negative delay', 'a', { DelaySeconds: -1 }, /InvalidParameterValue.*DelaySeconds/],
    ['a character that XML does not have', invalid, {}, /InvalidMessageContents/],
  ])('%s', async (_, body, more, refusal) => {
    const queue = await newQueue(30);
    await expect(queue.send(body, more)).rejects.toThrow(refusal);
  });

  it('a batch of more than 1 MiB', async () => {
    const queue = await newQueue(30);
    const Entries = ['0', '1'].map((Id) => ({ Id, MessageBody: 'a'.repeat(MB / 2 + 1) }));
    await expect(queue.sendBatch(Entries)).rejects.toThrow(/BatchRequestTooLong/);
  });

  it('of a batch the messages that it does not take, and takes the others', async () => {
    const queue = await newQueue(30);
    const answer = await queue.sendBatch([
      { Id: 'late', MessageBody: 'a', DelaySeconds: 901 },
      { Id: 'good', MessageBody: 'b', DelaySeconds: 0 },
      { Id: 'odd', MessageBody: invalid },
    ]);
    expect(answer).toMatchObject({
      Successful: [{ Id: 'good' }],
      Failed: [
        { Id: 'odd', Code: 'InvalidMessageContents', SenderFault: true },
        { Id: 'late', Code: 'InvalidParameterValue', SenderFault: true },
      ],
    });
    expect(await queue.sendBatch([{ Id: 'late', MessageBody: 'a', DelaySeconds: 901 }])).toMatchObject({
      Successful: [],
      Failed: [{ Id: 'late' }],
    });
  });
});

it('a message may hold any character of Unicode beyond the basic plane', async () => {
  const queue = await newQueue(30);
  const seen: string[] = [];
  const { source } = hand(queue, async (event) => void seen.push(...bodies(event)));
  await queue.send('{"name":"Ana \u{1F600}"}');
  await until(() => source.idle());
  expect(seen).toEqual(['{"name":"Ana \u{1F600}"}']);
});

it('a queue at rest is asked once in twenty seconds', async () => {
  const queue = await newQueue(30);
  const waits: number[] = [];
  const messages: QueueMessages = {
    ...queue.messages,
    // Nothing comes, so the first call is the last.
    receive: (_, waitSeconds, signal) => {
      waits.push(waitSeconds);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve([])));
    },
  };
  const { source } = hand({ ...queue, messages }, async () => undefined);
  await until(() => source.idle());
  expect(waits).toEqual([20]);
});

describe('an answer of a function', () => {
  const messages = ['1', '2'].map((MessageId) => ({
    MessageId,
    ReceiptHandle: '',
    Body: '',
    MD5OfBody: '',
    Attributes: {},
  }));
  it.each([
    ['nothing', null, 2],
    ['an empty object', {}, 2],
    ['no failures', { batchItemFailures: [] }, 2],
    ['one failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
    ['a message of another batch', { batchItemFailures: [{ itemIdentifier: '3' }] }, 0],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 0],
    ['something else', { batchItemFailures: 'all' }, 0],
    ['a text', 'done', 0],
  ])('that says %s: as Lambda reads it', (_, answer, done) => {
    expect(doneMessages(messages, answer)).toHaveLength(done);
  });
});

describe('a mapping of the template', () => {
  const mapping = (properties: Record<string, unknown>): Resource => ({
    stackName: 'service',
    logicalId: 'Messages',
    type: 'AWS::Lambda::EventSourceMapping',
    ref: '',
    attributes: {},
    properties: () => properties,
  });
  const least = { EventSourceArn: arnOf('jobs'), FunctionName: 'worker' };

  it('has Lambda’s own defaults', () => {
    expect(readQueueMapping(mapping(least))).toMatchObject({
      batchSize: 10,
      batchingWindowMs: 0,
      reportsFailures: false,
    });
  });

  it.each([
    ['a property that is not understood', { FilterCriteria: {} }],
    ['fewer than two invocations at once', { ScalingConfig: { MaximumConcurrency: 1 } }],
  ])('with %s stops the start', (_, property) => {
    expect(() => readQueueMapping(mapping({ ...least, ...property }))).toThrow(/Messages/);
  });
});
