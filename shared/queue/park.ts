import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Puts a message's body into the dead-letter queue, where an alarm tells on-call of it. */
export type ParkMessage = (body: string) => Promise<void>;

export const createParkMessage =
  (client: SQSClient, deadLetterQueueUrl: string): ParkMessage =>
  async (MessageBody) => {
    await client.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  };
