import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { isTransient } from '../aws/transient-errors.ts';
import { jsonText } from '../data/json-text.ts';
import type { Log } from '../log/log.ts';
import type { QueueContext } from './context.ts';

/** A message as its worker gets it. */
export interface Delivery<Message> {
  readonly message: Message;
  /** After this delivery the queue gives up: a message that is not done goes to the dead-letter queue. */
  readonly last: boolean;
}

/** `done`: the message is gone. `again`: the queue delivers it once more, when its visibility time is over. */
export type MessageOutcome = 'done' | 'again';

export interface ConsumerOptions<Schema extends z.core.$ZodType> extends QueueContext {
  /** What a message's body must be, as JSON. */
  readonly schema: Schema;
  /** Does what the message asks for. A failure that it does not expect is logged, and the message delivered again. */
  readonly work: (delivery: Delivery<z.output<Schema>>) => Promise<MessageOutcome>;
  readonly log: Log;
}

/** Tells the batch processor of a message that is to be delivered again; nobody sees it. */
class DeliverAgain extends Error {}

/**
 * The handler of a function that works on a queue. The messages of a batch are worked on side by side, and only those
 * that failed are delivered again. One that can't be read never can be: it is dead-lettered at once.
 */
export function queueConsumer<Schema extends z.core.$ZodType>(
  options: ConsumerOptions<Schema>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const { schema, work, deadLetter, maxReceiveCount, log } = options;
  const body = z.pipe(jsonText, schema);

  const consume = async (record: SQSRecord): Promise<void> => {
    const { messageId } = record;
    const parsed = z.safeParse(body, record.body);
    if (!parsed.success) {
      // The values stay in the queue, where on-call may look at them.
      const faults = parsed.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
      log.error('A message cannot be read.', { event: 'message_dead_lettered', messageId, faults });
      await deadLetter(record.body);
      return;
    }
    const last = Number(record.attributes.ApproximateReceiveCount) >= maxReceiveCount;
    if ((await work({ message: parsed.data, last })) === 'again') throw new DeliverAgain();
  };

  return (event) =>
    processPartialResponse(
      event,
      async (record: SQSRecord) => {
        try {
          await consume(record);
        } catch (error) {
          if (!(error instanceof DeliverAgain)) {
            log.error('A message failed.', {
              event: 'message_failed',
              messageId: record.messageId,
              transient: isTransient(error),
              error: error instanceof Error ? error : new Error(String(error)),
            });
          }
          throw error;
        }
      },
      // One for each batch: it holds the batch's state. A batch that failed whole is no failure of the function.
      new BatchProcessor(EventType.SQS),
      { throwOnFullBatchFailure: false },
    );
}
