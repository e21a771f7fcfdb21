import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { isTransactionConflict, isTransient } from '../aws/calls.ts';
import { faultPaths, jsonText } from '../data/json.ts';
import { type Log, toError } from '../log/log.ts';

/** The context of a worker's queue. */
export interface QueueContext {
  /** Sends a message's body to the dead-letter queue, whose alarm notifies on-call. */
  readonly deadLetter: (body: string) => Promise<void>;
  /** Deliveries of a message by the queue. */
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

/** A message as its worker receives it. */
export interface Delivery<Message> {
  readonly message: Message;
  /** Whether this is the last delivery: a message that fails now goes to the dead-letter queue. */
  readonly last: boolean;
}

/** `done`: the message is deleted. `retry`: the queue redelivers it after its visibility timeout. */
export type MessageOutcome = 'done' | 'retry';

interface CommonOptions<Schema extends z.core.$ZodType> extends QueueContext {
  /** The schema of a message's body, parsed as JSON. */
  readonly schema: Schema;
  readonly log: Log;
}

/** Processes a message. An unexpected failure is logged, and the message is redelivered. */
type Work<Schema extends z.core.$ZodType> = (delivery: Delivery<z.output<Schema>>) => Promise<MessageOutcome>;

export interface ConsumerOptions<Schema extends z.core.$ZodType> extends CommonOptions<Schema> {
  readonly work: Work<Schema>;
}

/** The processing of one batch. */
export interface Batch<Schema extends z.core.$ZodType> {
  readonly work: Work<Schema>;
  /** Work that the batch's messages have in common, after each of them; when it fails, all of them are redelivered. */
  readonly finish: () => Promise<void>;
}

interface BatchConsumerOptions<Schema extends z.core.$ZodType> extends CommonOptions<Schema> {
  readonly batch: () => Batch<Schema>;
}

/** Makes the batch processor report the message as failed, so that the queue redelivers it; never logged. */
class RetryMessage extends Error {}

type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * The handler of a function that consumes a queue. The messages of a batch are processed concurrently, and only those
 * that failed are redelivered. A message that can't be parsed is dead-lettered at once, since no retry would help.
 */
export const queueConsumer = <Schema extends z.core.$ZodType>({
  work,
  ...options
}: ConsumerOptions<Schema>): Consumer =>
  batchConsumer({ ...options, batch: () => ({ work, finish: () => Promise.resolve() }) });

/** Consumer like `queueConsumer`, with work that the messages of a batch share. */
export function batchConsumer<Schema extends z.core.$ZodType>(
  options: BatchConsumerOptions<Schema>,
): Consumer {
  const { schema, batch, deadLetter, maxReceiveCount, log } = options;
  const body = z.pipe(jsonText, schema);

  const consume = async (record: SQSRecord, work: Work<Schema>): Promise<void> => {
    const { messageId } = record;
    const result = z.safeParse(body, record.body);
    if (!result.success) {
      // Only paths are logged: on-call can look at the values in the queue.
      const faults = faultPaths(result.error.issues);
      log.error('A message cannot be read.', { event: 'message_dead_lettered', messageId, faults });
      await deadLetter(record.body);
      return;
    }
    const last = Number(record.attributes.ApproximateReceiveCount) >= maxReceiveCount;
    if ((await work({ message: result.data, last })) === 'retry') throw new RetryMessage();
  };

  const logFailure = (error: unknown, more: object): void =>
    log.error('A message failed.', {
      event: 'message_failed',
      ...more,
      transient: isTransient(error) || isTransactionConflict(error),
      error: toError(error),
    });

  return async (event) => {
    const { work, finish } = batch();
    const response = await processPartialResponse(
      event,
      async (record: SQSRecord) => {
        try {
          await consume(record, work);
        } catch (error) {
          if (!(error instanceof RetryMessage)) logFailure(error, { messageId: record.messageId });
          throw error;
        }
      },
      // One for each batch, since it holds the batch's state. A batch that fails whole is no failure of the function.
      new BatchProcessor(EventType.SQS),
      { throwOnFullBatchFailure: false },
    );
    try {
      await finish();
      return response;
    } catch (error) {
      logFailure(error, { messages: event.Records.length });
      return { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }
  };
}
