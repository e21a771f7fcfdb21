import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { concurrently } from '../data/concurrently.ts';

/**
 * Hands messages, as JSON, to a worker's queue; done when the queue has them all. It hands them out when the delay is
 * over.
 */
export type SendMessages = (messages: readonly object[], delaySeconds?: number) => Promise<void>;

/** What SQS takes in one call. */
const messagesAtOnce = 10;

/** Calls under way at once. */
const concurrency = 8;

export const createSendMessages =
  (client: SQSClient, queueUrl: string): SendMessages =>
  async (messages, delaySeconds = 0) => {
    const chunks = Array.from({ length: Math.ceil(messages.length / messagesAtOnce) }, (_, index) =>
      messages.slice(index * messagesAtOnce, (index + 1) * messagesAtOnce),
    );
    await concurrently(chunks, concurrency, async (chunk) => {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: chunk.map((message, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            DelaySeconds: delaySeconds,
          })),
        }),
      );
      if (Failed.length > 0)
        throw new Error(`SQS did not take ${Failed.length} of ${chunk.length} messages.`);
    });
  };
