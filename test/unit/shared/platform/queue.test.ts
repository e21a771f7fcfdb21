import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { isTransient } from '#platform/aws/calls.ts';
import { queueMessageBytes } from '#platform/aws/limits.ts';
import {
  batchConsumer,
  type Delivery,
  type MessageOutcome,
  queueConsumer,
} from '#platform/queue/consumer.ts';
import { createSendMessages } from '#platform/queue/send.ts';
import { exception } from '../../../support/aws-errors.ts';
import { queueRecord } from '../../../support/queue-messages.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';

describe('consumer', () => {
  const schema = z.strictObject({ job: z.string() });
  type Job = z.output<typeof schema>;

  const job = (name: string, receives?: number) => queueRecord(name, JSON.stringify({ job: name }), receives);

  function consumer(work: (delivery: Delivery<Job>) => Promise<MessageOutcome>) {
    const log = recordingLogger();
    const deadLettered: string[] = [];
    const deadLetter = async (body: string): Promise<void> => void deadLettered.push(body);
    return {
      log,
      deadLettered,
      handle: queueConsumer({ schema, work, deadLetter, maxReceiveCount: 3, log }),
    };
  }

  it('requests redelivery of only the unprocessed messages', async () => {
    const outcomes: Record<string, MessageOutcome> = { one: 'done', two: 'retry', three: 'done' };
    const { handle, log } = consumer(async ({ message }) => outcomes[message.job] ?? 'done');
    expect(await handle({ Records: ['one', 'two', 'three'].map((name) => job(name)) })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'two' }],
    });
    expect(log.lines).toEqual([]);
  });

  it('requests redelivery of a whole batch without failing itself', async () => {
    const { handle } = consumer(async () => 'retry');
    expect((await handle({ Records: [job('one'), job('two')] })).batchItemFailures).toHaveLength(2);
  });

  it('logs an unexpected error, and continues with the other messages', async () => {
    const { handle, log } = consumer(async ({ message }) => {
      if (message.job === 'bad') throw new Error('a defect');
      return 'done';
    });
    expect(await handle({ Records: [job('bad'), job('good')] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'bad' }],
    });
    expect(log.lines).toMatchObject([{ level: 'error', event: 'message_failed', messageId: 'bad' }]);
  });

  it.each([
    ['a defect', new Error('a defect'), false],
    ['throttling', exception('ThrottlingException'), true],
    ['a conflict of writes', exception('TransactionConflictException'), true],
  ])('says whether it passes by itself: %s', async (_, error, transient) => {
    const { handle, log } = consumer(async () => {
      throw error;
    });
    await handle({ Records: [job('bad')] });
    expect(log.lines).toMatchObject([{ event: 'message_failed', transient }]);
  });

  it.each([
    ['is not JSON', '{"job":'],
    ['breaks the schema', '{"job":1}'],
    ['says more than it should', '{"job":"one","secret":"Jane Doe"}'],
  ])('parks a message that %s at once, and logs none of its values', async (_, body) => {
    const worked: string[] = [];
    const { handle, log, deadLettered } = consumer(async ({ message }) => {
      worked.push(message.job);
      return 'done';
    });
    expect(await handle({ Records: [queueRecord('unreadable', body), job('one')] })).toEqual({
      batchItemFailures: [],
    });
    expect(deadLettered).toEqual([body]);
    expect(worked).toEqual(['one']);
    expect(log.lines).toMatchObject([
      { level: 'error', event: 'message_dead_lettered', messageId: 'unreadable' },
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('Jane Doe');
  });

  it('names the field of a message that is of one of several forms', async () => {
    const log = recordingLogger();
    const forms = z.union([
      z.object({ job: z.string(), at: z.object({ from: z.string() }) }),
      z.object({ event: z.string(), id: z.string(), owner: z.string() }),
    ]);
    const deadLetter = async (): Promise<void> => undefined;
    const handle = queueConsumer({
      schema: forms,
      work: async () => 'done',
      deadLetter,
      maxReceiveCount: 3,
      log,
    });
    await handle({ Records: [queueRecord('unreadable', '{"job":"one","at":{"from":1}}')] });
    expect(log.lines).toMatchObject([{ faults: ['at.from (invalid_type)'] }]);
  });

  it('does not delete an unreadable message that could not be dead-lettered', async () => {
    const log = recordingLogger();
    const deadLetter = () => Promise.reject(new Error('SQS is down'));
    const handle = queueConsumer({ schema, work: async () => 'done', deadLetter, maxReceiveCount: 3, log });
    expect(await handle({ Records: [queueRecord('unreadable', '')] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'unreadable' }],
    });
  });

  it('tells the handler which delivery is the last', async () => {
    const seen: boolean[] = [];
    const { handle } = consumer(async ({ last }) => {
      seen.push(last);
      return 'done';
    });
    for (const receives of [1, 2, 3, 4]) await handle({ Records: [job('one', receives)] });
    expect(seen).toEqual([false, false, true, true]);
  });

  it('keeps concurrent batches apart', async () => {
    const { handle } = consumer(async ({ message }) => (message.job === 'bad' ? 'retry' : 'done'));
    const answers = await Promise.all([
      handle({ Records: [job('bad')] }),
      handle({ Records: [job('good')] }),
    ]);
    expect(answers.map(({ batchItemFailures }) => batchItemFailures.length)).toEqual([1, 0]);
  });

  it('requests redelivery of the whole batch if what its messages share fails', async () => {
    const log = recordingLogger();
    const handle = batchConsumer({
      schema,
      batch: () => ({
        work: async () => 'done' as const,
        finish: () => Promise.reject(new Error('no queue')),
      }),
      deadLetter: async () => undefined,
      maxReceiveCount: 3,
      log,
    });
    expect(await handle({ Records: [job('one'), job('two')] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'one' }, { itemIdentifier: 'two' }],
    });
    expect(log.lines).toMatchObject([{ level: 'error', event: 'message_failed', messages: 2 }]);
  });
});

describe('send messages', () => {
  const sqs = mockClient(SQSClient);
  const send = createSendMessages('https://sqs/queue', new SQSClient({ region: 'us-east-1' }));

  beforeEach(() => sqs.reset());

  test('messages go to the queue ten at a time, each as JSON and with the delay', async () => {
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [], Successful: [] });
    await send(
      Array.from({ length: 23 }, (_, index) => ({ index })),
      60,
    );
    const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map(({ Entries = [] }) => Entries.length).sort()).toEqual([10, 10, 3].sort());
    expect(new Set(calls.map(({ QueueUrl }) => QueueUrl))).toEqual(new Set(['https://sqs/queue']));
    const entries = calls.flatMap(({ Entries = [] }) => Entries);
    expect(new Set(entries.map(({ MessageBody }) => MessageBody)).size).toBe(23);
    expect(entries.every(({ DelaySeconds }) => DelaySeconds === 60)).toBe(true);
  });

  test('messages too large for one call are sent in several', async () => {
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [], Successful: [] });
    await send(Array.from({ length: 10 }, (_, index) => ({ index, text: 'ü'.repeat(95_000) })));
    const calls = sqs
      .commandCalls(SendMessageBatchCommand)
      .map(({ args: [{ input }] }) => input.Entries ?? []);
    expect(calls.flat()).toHaveLength(10);
    for (const entries of calls) {
      const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
      expect(bytes).toBeLessThanOrEqual(queueMessageBytes);
    }
  });

  test('only the messages that the queue refused are sent again', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolvesOnce({ Failed: [{ Id: '1', SenderFault: false, Code: 'InternalError' }], Successful: [] })
      .resolves({ Successful: [] });
    await send([{ one: 0 }, { one: 1 }, { one: 2 }]);
    const bodies = sqs
      .commandCalls(SendMessageBatchCommand)
      .map(({ args: [{ input }] }) => (input.Entries ?? []).map(({ MessageBody }) => MessageBody));
    expect(bodies).toEqual([['{"one":0}', '{"one":1}', '{"one":2}'], ['{"one":1}']]);
  });

  test('messages that the queue keeps refusing are reported as not sent', async () => {
    sqs.on(SendMessageBatchCommand).resolves({
      Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }],
      Successful: [],
    });
    const failure = await send([{ one: 1 }]).catch((error: unknown) => error);
    expect(String(failure)).toContain('queue refused 1 of 1 messages: InternalError');
    expect(isTransient(failure)).toBe(true);
    expect(sqs.calls()).toHaveLength(4);
  });

  test('a message that SQS finds invalid is not sent again', async () => {
    sqs.on(SendMessageBatchCommand).resolves({
      Failed: [{ Id: '0', SenderFault: true, Code: 'InvalidMessageContents' }],
      Successful: [],
    });
    const failure = await send([{ one: 1 }]).catch((error: unknown) => error);
    expect(isTransient(failure)).toBe(false);
    expect(sqs.calls()).toHaveLength(1);
  });

  test('without messages there is no call', async () => {
    await send([]);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(0);
  });
});
