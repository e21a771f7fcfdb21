import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type OutboxItem, outboxItem } from '../../shared/events/stored.ts';
import { type PublishDeps, publish } from './publish.ts';
import { type Republished, republish } from './republish.ts';

export interface HandlerDeps extends PublishDeps {
  /** Hears of an item of the outbox that is no event, with the places where it breaks the schema. */
  readonly onUnreadable: (faults: readonly string[]) => void;
  /** Hears of what the stream missed, if it missed anything. */
  readonly onRepublished: (done: Republished) => void;
}

/** What is older than this was missed by the stream. */
export const missedAfterMs = 5 * 60_000;

/** Time that is left for what is under way when no more is begun: the calls of a hundred events, each tried again. */
const reserved = 60_000;

/** The schedule's call: publish what the stream's way has left behind. */
const republishTask = z.object({ task: z.literal('republish') });

/** What Lambda says of the invocation. */
interface Invocation {
  readonly getRemainingTimeInMillis: () => number;
}

/**
 * Publishes what the outbox's stream brings, and, called by its schedule, what the stream has missed. Of a batch of the
 * stream the first event that failed is named: the stream goes on from there. An event that the bus can't take as it is
 * does not count: the stream, and with it everybody's events, would wait for it in vain.
 */
export const createHandler =
  (deps: HandlerDeps) =>
  async (
    event: DynamoDBStreamEvent | z.output<typeof republishTask>,
    { getRemainingTimeInMillis }: Invocation,
  ): Promise<DynamoDBBatchResponse | Republished> => {
    /** An item that cannot be read will not get better by trying again: it is reported, and stays in the outbox. */
    const read = (item: unknown): OutboxItem | undefined => {
      const result = z.safeParse(outboxItem, item);
      if (result.success) return result.data;
      deps.onUnreadable(result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`));
      return undefined;
    };

    if ('task' in event) {
      const done = await republish({
        ...deps,
        before: new Date(deps.now().getTime() - missedAfterMs),
        read,
        hasTime: () => getRemainingTimeInMillis() > reserved,
      });
      if (done.republished + done.failed > 0) deps.onRepublished(done);
      return done;
    }
    const records = event.Records.flatMap(({ dynamodb }) => {
      const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
      const item = image && read(unmarshall(image));
      return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
    });
    const { failed } = await publish(
      records.map(({ item }) => item),
      deps,
    );
    const first = records.find(({ item }) => failed.has(item.eventId));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
  };
