import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Sends a message's body to the dead-letter queue, whose alarm notifies on-call. */
type DeadLetter = (body: string) => Promise<void>;

const createDeadLetter =
  (client: SQSClient, deadLetterQueueUrl: string): DeadLetter =>
  async (MessageBody) => {
    await client.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  };

/** The context of a worker's queue. */
export interface QueueContext {
  readonly deadLetter: DeadLetter;
  /** How often the queue delivers a message. */
  readonly maxReceiveCount: number;
}

/** The queue of a deployed worker. */
export const queueContext = (
  client: SQSClient,
  environment: { readonly DEAD_LETTER_QUEUE_URL: string; readonly MAX_RECEIVE_COUNT: number },
): QueueContext => ({
  deadLetter: createDeadLetter(client, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
});
