import { concurrently } from '../data/concurrently.ts';
import { messageJson } from './message-json.ts';
import { inBatches, sendBatch } from './send-batch.ts';
import { createSqsClient } from './sqs.ts';

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
      concurrency,
      (batch) => sendBatch(client, queueUrl, batch),
    );
