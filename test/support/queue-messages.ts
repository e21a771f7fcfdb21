import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueContext } from '#platform/queue/consumer.ts';
import type { recordingLogger } from './recording-logger.ts';

/** The queue of a worker under test. It has no dead-letter queue: tests send nothing unreadable. */
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
 * Delivers one message to a worker as its queue does, for the first time or the last. Answers whether the worker is done
 * with it or has it delivered again.
 * @throws what the worker logs as the message's failure.
 */
export async function deliverMessage(
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  { lines }: ReturnType<typeof recordingLogger>,
  message: object,
  { last = false }: { readonly last?: boolean } = {},
): Promise<'done' | 'retry'> {
  const messageId = randomUUID();
  const { batchItemFailures } = await handler({
    Records: [queueRecord(messageId, JSON.stringify(message), last ? testQueue.maxReceiveCount : 1)],
  });
  const failure = lines.find((line) => line['event'] === 'message_failed' && line['messageId'] === messageId);
  if (failure !== undefined) throw failure['error'];
  return batchItemFailures.length === 0 ? 'done' : 'retry';
}
