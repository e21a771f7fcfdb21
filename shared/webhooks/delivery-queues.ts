import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueDelaySeconds } from '../aws/limits.ts';
import { inBatches, sendBatch } from '../queue/send-batch.ts';
import type { DeliveryMessage } from './deliveries.ts';
import { type Lane, lanes } from './health.ts';

export interface DelayedMessage {
  readonly message: DeliveryMessage;
  readonly delaySeconds: number;
}

/** The deliveries queues. */
export interface DeliveryQueues {
  /** Puts each message into the queue of its lane. @throws what `sendBatch` does. */
  send(messages: readonly DelayedMessage[]): Promise<void>;
}

/** The longest that SQS holds a message back; one that is due later is sent again. */
export const longestDelaySeconds = queueDelaySeconds;

/**
 * The queues in SQS. A message's group is its webhook: SQS then hands out those of a webhook with many of them after those
 * of the others (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 */
export function createDeliveryQueues(
  client: SQSClient,
  urls: Readonly<Record<Lane, string>>,
): DeliveryQueues {
  const batchesOf = (lane: Lane, messages: readonly DelayedMessage[]) =>
    inBatches(
      messages
        .filter(({ message }) => message.lane === lane)
        .map(({ message, delaySeconds }) => ({
          MessageBody: JSON.stringify(message),
          MessageGroupId: message.webhookId,
          DelaySeconds: delaySeconds,
        })),
    );

  return {
    async send(messages) {
      const calls = lanes.flatMap((lane) =>
        batchesOf(lane, messages).map((batch) => sendBatch(client, urls[lane], batch)),
      );
      await Promise.all(calls);
    },
  };
}
