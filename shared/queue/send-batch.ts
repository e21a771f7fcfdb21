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

/** A message of a call; `sendBatch` gives it its id. */
export type BatchMessage = Omit<SendMessageBatchRequestEntry, 'Id'>;

/** Splits messages into what SQS takes in one call, by their number and their bytes. */
export const inBatches = (messages: readonly BatchMessage[]): BatchMessage[][] =>
  chunks(messages, {
    count: queueBatchMessages,
    size: { bytes: queueMessageBytes, of: ({ MessageBody = '' }) => Buffer.byteLength(MessageBody) },
  });

/**
 * Puts the messages of one call into a queue. SQS may take some and refuse others: those are sent again with jitter,
 * unless what is wrong is the message.
 *
 * @throws UnfinishedCallError when the queue still does not have all of them; Error when SQS blames a message; SDK errors.
 *   Some messages may be in the queue then.
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
      const told = `The queue ${queueUrl.split('/').at(-1)} refused ${Failed.length} of ${messages.length} messages: ${codes}.`;
      throw isQueuesFault ? new UnfinishedCallError(told) : new Error(told);
    }
    const refused = new Set(Failed.map(({ Id }) => Id));
    waiting = waiting.filter(({ Id }) => refused.has(Id));
    await backOff(attempt);
  }
}
