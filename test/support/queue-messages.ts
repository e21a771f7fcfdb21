import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueContext } from '../../shared/queue/context.ts';
import type { recordingLogger } from './recording-logger.ts';

/** What a worker under test knows of its queue, which has no dead letters: nothing is sent that can't be read. */
export const testQueue: QueueContext = {
  deadLetter: (body) => Promise.reject(new Error(`An unreadable message: ${body}`)),
  maxReceiveCount: 5,
};

/** A message as Lambda delivers it, `receives` times so far. */
export const queueRecord = (messageId: string, body: string, receives = 1): SQSRecord => ({
  messageId,
  body,
  receiptHandle: '',
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:jobs',
  awsRegion: 'us-east-1',
});

/**
 * Hands a worker one message, as its queue does: for the first time, or for the last. Answers whether the message is
 * gone.
 * @throws what the worker logs as the failure of the message.
 */
export async function handOver(
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  { lines }: ReturnType<typeof recordingLogger>,
  message: object,
  { last = false }: { readonly last?: boolean } = {},
): Promise<'done' | 'again'> {
  const messageId = randomUUID();
  const { batchItemFailures } = await handler({
    Records: [queueRecord(messageId, JSON.stringify(message), last ? testQueue.maxReceiveCount : 1)],
  });
  const failure = lines.find((line) => line['event'] === 'message_failed' && line['messageId'] === messageId);
  if (failure !== undefined) throw failure['error'];
  return batchItemFailures.length === 0 ? 'done' : 'again';
}
