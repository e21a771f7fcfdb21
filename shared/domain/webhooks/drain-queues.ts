import * as z from 'zod/mini';
import { objectId } from '#platform/contract/primitives.ts';
import { createSqsClient, inBatches, sendBatch } from '#platform/queue/send.ts';
import { type QueueName, queueNames } from './stored.ts';

/** A message of the queues: drain a webhook. The due entries are the truth, so it says nothing of deliveries. */
export const drainMessage = z.strictObject({
  owner: objectId,
  webhookId: objectId,
  /** The queue that it is in. */
  queue: z.enum(queueNames),
});

export type DrainMessage = z.output<typeof drainMessage>;

export interface DelayedDrain {
  readonly message: DrainMessage;
  readonly delaySeconds: number;
}

/** The queues of drains. */
export type DrainQueues = ReturnType<typeof createDrainQueues>;

/**
 * The queues in SQS. A message's group is the organization: SQS then hands out those of one with many of them after those of
 * the others (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 */
export function createDrainQueues(
  urls: Readonly<Record<`deliveries-${QueueName}`, string>>,
  client = createSqsClient(),
) {
  const batchesOf = (queue: QueueName, drains: readonly DelayedDrain[]) =>
    inBatches(
      drains
        .filter(({ message }) => message.queue === queue)
        .map(({ message, delaySeconds }) => ({
          MessageBody: JSON.stringify(message),
          MessageGroupId: message.owner,
          DelaySeconds: delaySeconds,
        })),
    );

  return {
    /** Puts each message into its queue. @throws what `sendBatch` does. */
    async send(drains: readonly DelayedDrain[]): Promise<void> {
      const calls = queueNames.flatMap((queue) =>
        batchesOf(queue, drains).map((batch) => sendBatch(client, urls[`deliveries-${queue}`], batch)),
      );
      await Promise.all(calls);
    },
  };
}
