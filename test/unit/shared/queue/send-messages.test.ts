import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { queueMessageBytes } from '../../../../shared/aws/limits.ts';
import { createSendMessages } from '../../../../shared/queue/send-messages.ts';

const sqs = mockClient(SQSClient);
const send = createSendMessages(new SQSClient({ region: 'us-east-1' }), 'https://sqs/queue');

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

test('messages that together are more than a call may hold go in several calls', async () => {
  sqs.on(SendMessageBatchCommand).resolves({ Failed: [], Successful: [] });
  await send(Array.from({ length: 10 }, (_, index) => ({ index, text: 'ü'.repeat(95_000) })));
  const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries ?? []);
  expect(calls.flat()).toHaveLength(10);
  for (const entries of calls) {
    const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
    expect(bytes).toBeLessThanOrEqual(queueMessageBytes);
  }
});

test('a queue that takes some of the messages has not taken them', async () => {
  sqs.on(SendMessageBatchCommand).resolves({
    Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }],
    Successful: [],
  });
  await expect(send([{ one: 1 }])).rejects.toThrow('1 of 1');
});

test('no messages, no call', async () => {
  await send([]);
  expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(0);
});
