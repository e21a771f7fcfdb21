import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Sends a message's body to the dead-letter queue, whose alarm notifies on-call. */
export type DeadLetter = (body: string) => Promise<void>;

export const createDeadLetter =
  (client: SQSClient, deadLetterQueueUrl: string): DeadLetter =>
  async (MessageBody) => {
    await client.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  };
