import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { queueMessageBytes } from '../../../../../shared/platform/aws/limits.ts';
import { isTransient } from '../../../../../shared/platform/aws/transient-errors.ts';
import { createSendMessages } from '../../../../../shared/platform/queue/send-messages.ts';

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
  const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries ?? []);
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
