import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { UnpublishedEntry } from '#domain/events/stored.ts';
import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import {
  createEventBus,
  logRun,
  type PublishDeps,
  publish,
  publishChanges,
  readEvent,
} from '#domain/publishing/publish.ts';
import { eventFunction } from '#function/function.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { chunks, concurrently } from '#platform/data/concurrently.ts';
import { uses } from './uses.ts';

/** Unpublished events older than this were missed by the stream. */
export const missedAfterMs = 5 * 60_000;

/** Time reserved for calls under way when no more are started: those of a hundred events, each with a retry. */
const reservedMs = 60_000;

/** The schedule's invocation: publish what the stream has missed. */
const scheduledTask = z.object({ task: z.literal('republish') });

/** The part of Lambda's context that is used. */
interface Invocation {
  readonly getRemainingTimeInMillis: () => number;
}

/** Publishes the records of the outbox's stream and, called by its schedule, the events that the stream missed. */
export const createHandler =
  (deps: PublishDeps) =>
  (
    event: DynamoDBStreamEvent | z.output<typeof scheduledTask>,
    { getRemainingTimeInMillis }: Invocation,
  ): Promise<DynamoDBBatchResponse | RepublishResult> =>
    'task' in event
      ? republish(deps, () => getRemainingTimeInMillis() > reservedMs)
      : publishChanges(event, deps);

interface RepublishResult {
  readonly republished: number;
  /** Events that are worth a retry. */
  readonly failed: number;
  /** Events that the bus can't accept as they are. */
  readonly refused: number;
  /** Whether there was time for all unpublished events. */
  readonly isComplete: boolean;
}

/**
 * Publishes the unpublished events: some of every shard at a time, so that a run that ends early favors no shard and the next one
 * continues where it ended.
 */
async function republish(deps: PublishDeps, hasTime: () => boolean): Promise<RepublishResult> {
  const { outbox, now, log } = deps;
  const counts = { republished: 0, failed: 0, refused: 0, isComplete: true };

  const publishSome = async (entries: readonly UnpublishedEntry[]): Promise<void> => {
    const events = (await outbox.find(entries)).flatMap((item) => readEvent(item, log) ?? []);
    const { failures, refusals } = await publish(events, deps);
    counts.republished += events.filter(
      ({ eventId }) => !failures.has(eventId) && !refusals.has(eventId),
    ).length;
    counts.failed += failures.size;
    counts.refused += refusals.size;
  };

  for await (const entries of outbox.unpublished(new Date(now().getTime() - missedAfterMs))) {
    const organizations = Map.groupBy(entries, ({ upstreamEntityId }) => upstreamEntityId);
    await concurrently(organizations.values(), async (organizationEntries) => {
      for (const batch of chunks(organizationEntries, { count: batchGetKeys })) {
        counts.isComplete &&= hasTime();
        if (counts.isComplete) await publishSome(batch);
      }
    });
    if (!counts.isComplete) break;
  }
  const { republished: published, failed, refused } = counts;
  if (published + failed > 0) {
    log.warn('Events that the stream missed were published.', { event: 'events_republished', ...counts });
  }
  logRun(log, 'schedule', { published, failed, refused });
  return counts;
}

/** Publishes the outbox's events: those of its stream that are of no import, and whatever was missed. */
export const eventPublisherFunction = eventFunction({
  uses,
  resources: ({ values }) => ({ bus: createEventBus(values.EVENT_BUS_NAME) }),
  compose: ({ bus, tables, context: { logger: log, now } }) =>
    createHandler({ outbox: createOutboxStore(tables.outbox), bus, now, log }),
});
