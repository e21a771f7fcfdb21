import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { backOff } from '../aws/backoff.ts';
import { queueBatchMessages, queueMessageBytes } from '../aws/limits.ts';
import { UnfinishedCallError } from '../aws/transient-errors.ts';
import { chunks } from '../data/chunks.ts';

const attempts = 4;

/** A message of a call; `sendBatch` assigns its id. */
export type BatchMessage = Omit<SendMessageBatchRequestEntry, 'Id'>;

/** Splits messages into batches that SQS accepts, by their number and their bytes. */
export const inBatches = (messages: readonly BatchMessage[]): BatchMessage[][] =>
  chunks(messages, {
    count: queueBatchMessages,
    size: { bytes: queueMessageBytes, of: ({ MessageBody = '' }) => Buffer.byteLength(MessageBody) },
  });

/**
 * Sends the messages of one call to a queue. SQS may accept some and refuse others: those are retried with jitter,
 * unless the message itself is at fault.
 *
 * @throws UnfinishedCallError when SQS still has not accepted all of them; Error when SQS rejects a message; SDK errors.
 *   Some messages may be in the queue in either case.
 */
export async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  messages: readonly BatchMessage[],
): Promise<void> {
  let waiting = messages.map((message, index) => ({ ...message, Id: String(index) }));
  for (let attempt = 1; ; attempt += 1) {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: waiting }),
    );
    if (Failed.length === 0) return;
    const isQueuesFault = Failed.every(({ SenderFault }) => SenderFault !== true);
    if (!isQueuesFault || attempt === attempts) {
      const codes = Array.from(new Set(Failed.map(({ Code }) => Code))).join(', ');
      const summary = `The queue ${queueUrl.split('/').at(-1)} refused ${Failed.length} of ${messages.length} messages: ${codes}.`;
      throw isQueuesFault ? new UnfinishedCallError(summary) : new Error(summary);
    }
    const refused = new Set(Failed.map(({ Id }) => Id));
    waiting = waiting.filter(({ Id }) => refused.has(Id));
    await backOff(attempt);
  }
}
