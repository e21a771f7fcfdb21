import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type OutboxItem, outboxItem } from '../../shared/events/stored.ts';
import { type PublishDeps, publish } from './publish.ts';
import { type Republished, republish } from './republish.ts';

export interface HandlerDeps extends PublishDeps {
  /** Called for an outbox item that is no event, with the paths at which it breaks the schema. */
  readonly onUnreadable: (faults: readonly string[]) => void;
  /** Called with what the stream missed, if it missed anything. */
  readonly onRepublished: (done: Republished) => void;
  /** Called at the end of each run, also of one without an event. */
  readonly onDone: (run: PublisherRun) => void;
}

/** What a run did. */
export interface PublisherRun {
  readonly trigger: 'stream' | 'schedule';
  readonly published: number;
  /** Events that are worth a retry. */
  readonly failed: number;
  /** Events that the bus can't accept as they are. */
  readonly refused: number;
}

/** Unpublished events older than this were missed by the stream. */
export const missedAfterMs = 5 * 60_000;

/** Time reserved for calls under way when no more are started: those of a hundred events, each with a retry. */
const reserved = 60_000;

/** The schedule's invocation: publish what the stream has missed. */
const republishTask = z.object({ task: z.literal('republish') });

/** The part of Lambda's context that is used. */
interface Invocation {
  readonly getRemainingTimeInMillis: () => number;
}

/**
 * Publishes the records of the outbox's stream and, called by its schedule, the events that the stream missed. Of a batch
 * of the stream the first event that failed is reported: the stream continues there. An event that the bus can't accept as it is
 * is not reported: the stream, and with it all other events, would wait for it in vain.
 */
export const createHandler =
  (deps: HandlerDeps) =>
  async (
    event: DynamoDBStreamEvent | z.output<typeof republishTask>,
    { getRemainingTimeInMillis }: Invocation,
  ): Promise<DynamoDBBatchResponse | Republished> => {
    /** A retry would not help an item that cannot be parsed: it is reported, and stays in the outbox. */
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
      const { republished: published, failed, refused } = done;
      deps.onDone({ trigger: 'schedule', published, failed, refused });
      return done;
    }
    const records = event.Records.flatMap(({ dynamodb }) => {
      const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
      const item = image && read(unmarshall(image));
      return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
    });
    const { failed, refused } = await publish(
      records.map(({ item }) => item),
      deps,
    );
    const published = records.length - failed.size - refused.size;
    deps.onDone({ trigger: 'stream', published, failed: failed.size, refused: refused.size });
    const first = records.find(({ item }) => failed.has(item.eventId));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
  };
