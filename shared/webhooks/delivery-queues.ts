import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DeliveryMessage } from './deliveries.ts';
import { type Lane, lanes } from './standing.ts';

export interface DelayedMessage {
  readonly message: DeliveryMessage;
  readonly delaySeconds: number;
}

/** The deliveries queues. */
export interface DeliveryQueues {
  /** Puts each message into the queue of its lane. @throws Error when a queue does not take all. */
  send(messages: readonly DelayedMessage[]): Promise<void>;
}

/** The longest that SQS holds a message back; one that is due later is sent again. */
export const longestDelaySeconds = 900;

/** What SQS takes in one call. */
const messagesAtOnce = 10;

/**
 * The queues in SQS. A message's group is its webhook: SQS then hands out those of a webhook with many of them after those
 * of the others (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 */
export function createDeliveryQueues(
  client: SQSClient,
  urls: Readonly<Record<Lane, string>>,
): DeliveryQueues {
  const sendSome = async (lane: Lane, messages: readonly DelayedMessage[]): Promise<void> => {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: urls[lane],
        Entries: messages.map(({ message, delaySeconds }, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          MessageGroupId: message.webhookId,
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    if (Failed.length > 0) {
      throw new Error(
        `The ${lane} deliveries queue refused ${Failed.length} of ${messages.length} messages.`,
      );
    }
  };

  return {
    async send(messages) {
      const chunks = lanes.flatMap((lane) => {
        const ofLane = messages.filter(({ message }) => message.lane === lane);
        return Array.from({ length: Math.ceil(ofLane.length / messagesAtOnce) }, (_, index) => ({
          lane,
          some: ofLane.slice(index * messagesAtOnce, (index + 1) * messagesAtOnce),
        }));
      });
      await Promise.all(chunks.map(({ lane, some }) => sendSome(lane, some)));
    },
  };
}
