import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Values } from '#function/start.ts';
import type { WorkedQueue } from '#function/uses.ts';
import { queueBatchMessages } from '#platform/aws/limits.ts';
import { existing } from '#platform/contract/errors.ts';
import type { uses } from './uses.ts';

/** Addresses of a queue and of its dead-letter queue, by the queue's name. */
export type QueueAddresses = Values<typeof uses>['QUEUES'];

/** Seconds that a message stays hidden while it is moved. */
const moveSeconds = 30;

/**
 * Moves the messages of a dead-letter queue back to their queue; returns how many there were.
 * Each message is sent before it is deleted, so one may be processed twice but none is lost; consumers have to handle
 * that in any case. SQS could move them by itself (StartMessageMoveTask), but would not report how many.
 *
 * @throws ApiError `not_found` for a queue that the environment does not have; SDK errors, after which it can be repeated.
 */
export const createRedrive =
  (client: SQSClient, queues: QueueAddresses, now: () => Date) =>
  async (queueName: WorkedQueue): Promise<{ readonly moved: number }> => {
    const addresses = existing(queues[queueName]);
    const startedAt = now().getTime();
    // A message that is dead-lettered again during the redrive has a later timestamp, and would loop endlessly.
    const isOld = ({ Attributes }: Message): boolean => Number(Attributes?.SentTimestamp) < startedAt;
    for (let movedCount = 0; ; ) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: addresses.dead,
          MaxNumberOfMessages: queueBatchMessages,
          // A short poll queries a sample of the servers, and may return nothing although there are messages.
          WaitTimeSeconds: 1,
          VisibilityTimeout: moveSeconds,
          MessageSystemAttributeNames: ['SentTimestamp'],
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return { moved: movedCount };
      const oldMessages = Messages.filter(isOld);
      for (const { Body, MessageAttributes, ReceiptHandle } of oldMessages) {
        await client.send(
          new SendMessageCommand({ QueueUrl: addresses.queue, MessageBody: Body, MessageAttributes }),
        );
        await client.send(new DeleteMessageCommand({ QueueUrl: addresses.dead, ReceiptHandle }));
        movedCount += 1;
      }
    }
  };
