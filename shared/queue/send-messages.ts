import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { queueBatchMessages, queueMessageBytes } from '../aws/limits.ts';
import { chunks } from '../data/chunks.ts';
import { concurrently } from '../data/concurrently.ts';

/**
 * Hands messages, as JSON, to a worker's queue; done when the queue has them all. It hands them out when the delay is
 * over.
 */
export type SendMessages = (messages: readonly object[], delaySeconds?: number) => Promise<void>;

/** Calls under way at once. */
const concurrency = 8;

export const createSendMessages =
  (client: SQSClient, queueUrl: string): SendMessages =>
  async (messages, delaySeconds = 0) => {
    const bodies = messages.map((message) => JSON.stringify(message));
    const calls = chunks(bodies, {
      count: queueBatchMessages,
      size: { bytes: queueMessageBytes, of: (body) => Buffer.byteLength(body) },
    });
    await concurrently(calls, concurrency, async (chunk) => {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: chunk.map((MessageBody, index) => ({
            Id: String(index),
            MessageBody,
            DelaySeconds: delaySeconds,
          })),
        }),
      );
      if (Failed.length > 0)
        throw new Error(`SQS did not take ${Failed.length} of ${chunk.length} messages.`);
    });
  };
