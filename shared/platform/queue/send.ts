import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { backOff, clientDefaults, UnfinishedCallError } from '../aws/calls.ts';
import { queueBatchMessages, queueMessageBytes } from '../aws/limits.ts';
import { chunks, concurrently } from '../data/concurrently.ts';
import { messageJson } from '../data/json.ts';

const attempts = 4;

/** A message of a call; `sendBatch` assigns its id. */
type BatchMessage = Omit<SendMessageBatchRequestEntry, 'Id'>;

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
    const refusedIds = new Set(Failed.map(({ Id }) => Id));
    waiting = waiting.filter(({ Id }) => refusedIds.has(Id));
    await backOff(attempt);
  }
}

/** The SQS client of a function. */
export const createSqsClient = (): SQSClient => new SQSClient(clientDefaults('sqs'));

/**
 * Sends messages, as JSON, to a worker's queue; resolves when the queue has them all. It delivers them when the delay is
 * over.
 */
export type SendMessages = (messages: readonly object[], delaySeconds?: number) => Promise<void>;

/** Calls under way at once. */
const concurrency = 8;

export const createSendMessages =
  (queueUrl: string, client = createSqsClient()): SendMessages =>
  (messages, delaySeconds = 0) =>
    concurrently(
      inBatches(
        messages.map((message) => ({ MessageBody: messageJson(message), DelaySeconds: delaySeconds })),
      ),
      (batch) => sendBatch(client, queueUrl, batch),
      concurrency,
    );
