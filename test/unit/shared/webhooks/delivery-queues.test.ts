import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { deliveryMessage } from '../../../../shared/webhooks/deliveries.ts';
import { createDeliveryQueues } from '../../../../shared/webhooks/delivery-queues.ts';
import type { Lane } from '../../../../shared/webhooks/health.ts';

const sqs = mockClient(SQSClient);
const queues = createDeliveryQueues(new SQSClient({ region: 'us-east-1' }), {
  fast: 'fast-url',
  slow: 'slow-url',
});

beforeEach(() => sqs.reset());

const message = (number: number, lane: Lane) => ({
  upstreamEntityId: '65f0c1d2e3a4b5c6d7e8f901',
  webhookId: '65f0c1d2e3a4b5c6d7e8f914',
  deliveryId: String(number).padStart(24, '0'),
  attempt: 1,
  lane,
});

test('each message is sent to the queue of its lane, ten at a time, grouped by its webhook, and received unchanged', async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const messages = Array.from({ length: 25 }, (_, index) => message(index, index < 12 ? 'fast' : 'slow'));
  await queues.send(messages.map((one, index) => ({ message: one, delaySeconds: index })));
  const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
  expect(calls.map(({ QueueUrl, Entries = [] }) => [QueueUrl, Entries.length])).toEqual([
    ['fast-url', 10],
    ['fast-url', 2],
    ['slow-url', 10],
    ['slow-url', 3],
  ]);
  const entries = calls.flatMap(({ Entries = [] }) => Entries);
  expect(entries.map(({ MessageBody = '' }) => deliveryMessage.parse(JSON.parse(MessageBody)))).toEqual(
    messages,
  );
  expect(entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual(messages.map((_, index) => index));
  expect(new Set(entries.map(({ MessageGroupId }) => MessageGroupId))).toEqual(
    new Set(['65f0c1d2e3a4b5c6d7e8f914']),
  );
});

test('a message that the queue refuses is reported', async () => {
  sqs.on(SendMessageBatchCommand).resolves({
    Successful: [],
    Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }],
  });
  await expect(queues.send([{ message: message(1, 'slow'), delaySeconds: 0 }])).rejects.toThrow(
    'The queue slow-url refused 1 of 1 messages: InternalError.',
  );
});

test('without messages there is no call', async () => {
  await queues.send([]);
  expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
});
