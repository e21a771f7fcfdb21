import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** The context of a worker's queue. */
export interface QueueContext {
  /** Sends a message's body to the dead-letter queue, whose alarm notifies on-call. */
  readonly deadLetter: (body: string) => Promise<void>;
  /** How often the queue delivers a message. */
  readonly maxReceiveCount: number;
}

/** The queue of a deployed worker. */
export const queueContext = (
  client: SQSClient,
  environment: { readonly DEAD_LETTER_QUEUE_URL: string; readonly MAX_RECEIVE_COUNT: number },
): QueueContext => ({
  async deadLetter(MessageBody) {
    await client.send(new SendMessageCommand({ QueueUrl: environment.DEAD_LETTER_QUEUE_URL, MessageBody }));
  },
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
});
