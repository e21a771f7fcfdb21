import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { createDrainQueues, drainMessage } from '../../../../../shared/domain/webhooks/drain-queues.ts';
import type { QueueName } from '../../../../../shared/domain/webhooks/health.ts';

const sqs = mockClient(SQSClient);
const queues = createDrainQueues(
  { 'deliveries-healthy': 'healthy-url', 'deliveries-failing': 'failing-url' },
  new SQSClient({ region: 'us-east-1' }),
);

beforeEach(() => sqs.reset());

const message = (number: number, queue: QueueName) => ({
  owner: '65f0c1d2e3a4b5c6d7e8f901',
  webhookId: String(number).padStart(24, '0'),
  queue,
});

test('each message is sent to its queue, ten at a time, grouped by its organization, and received unchanged', async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const messages = Array.from({ length: 25 }, (_, index) =>
    message(index, index < 12 ? 'healthy' : 'failing'),
  );
  await queues.send(messages.map((one, index) => ({ message: one, delaySeconds: index })));
  const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
  expect(calls.map(({ QueueUrl, Entries = [] }) => [QueueUrl, Entries.length])).toEqual([
    ['healthy-url', 10],
    ['healthy-url', 2],
    ['failing-url', 10],
    ['failing-url', 3],
  ]);
  const entries = calls.flatMap(({ Entries = [] }) => Entries);
  expect(entries.map(({ MessageBody = '' }) => drainMessage.parse(JSON.parse(MessageBody)))).toEqual(
    messages,
  );
  expect(entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual(messages.map((_, index) => index));
  expect(new Set(entries.map(({ MessageGroupId }) => MessageGroupId))).toEqual(
    new Set(['65f0c1d2e3a4b5c6d7e8f901']),
  );
});

test('a message that the queue refuses is reported', async () => {
  sqs.on(SendMessageBatchCommand).resolves({
    Successful: [],
    Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }],
  });
  await expect(queues.send([{ message: message(1, 'failing'), delaySeconds: 0 }])).rejects.toThrow(
    'The queue failing-url refused 1 of 1 messages: InternalError.',
  );
});

test('without messages there is no call', async () => {
  await queues.send([]);
  expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
});
