import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Puts a message's body into the dead-letter queue, where an alarm tells on-call of it. */
export type DeadLetter = (body: string) => Promise<void>;

export const createDeadLetter =
  (client: SQSClient, deadLetterQueueUrl: string): DeadLetter =>
  async (MessageBody) => {
    await client.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  };
