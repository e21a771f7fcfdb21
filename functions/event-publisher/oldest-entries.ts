import * as z from 'zod/mini';
import { outboxKeys, type UnpublishedEntry, unpublishedShards } from '../../shared/domain/events/stored.ts';
import { timestamp } from '../../shared/platform/contract/primitives.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { below } from '../../shared/platform/data/expressions.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** What says of an event that it is not published. */
export const unpublishedEntry = storedItem('outbox/unpublished', () => ({
  upstreamEntityId: z.string(),
  entityId: z.string(),
  eventId: z.string(),
  occurredAt: timestamp,
}));

/** Shards that are read concurrently. */
const shardsAtOnce = 16;

/** Entries of a shard that are read at once. */
const entriesOfShard = 100;

/** Entries of a partition for events that occurred before then, oldest first, page by page; `limit` is of a page. */
export const shardEntries = (
  outbox: Table,
  partition: string,
  before: string,
  limit?: number,
): AsyncGenerator<UnpublishedEntry[]> =>
  outbox.query(unpublishedEntry, partition, {
    sort: below(before),
    consistent: true,
    ...(limit === undefined ? {} : { limit }),
  });

/**
 * Entries of unpublished events that occurred before then: some of every shard at a time, oldest first.
 *
 * @param partitionOf the partition of a shard.
 */
export async function* oldestEntries(
  outbox: Table,
  partitionOf: (shard: number) => string,
  before: Date,
): AsyncGenerator<readonly UnpublishedEntry[]> {
  let shards = Array.from({ length: unpublishedShards }, (_, shard) =>
    shardEntries(outbox, partitionOf(shard), before.toISOString(), entriesOfShard),
  );
  while (shards.length > 0) {
    const entries: UnpublishedEntry[] = [];
    const unread: typeof shards = [];
    await concurrently(shards, shardsAtOnce, async (pages) => {
      const page = await pages.next();
      if (page.done === true) return;
      unread.push(pages);
      entries.push(...page.value);
    });
    shards = unread;
    if (entries.length > 0) yield entries.toSorted(byTime);
  }
}

type Occurred = Pick<UnpublishedEntry, 'occurredAt'>;

/** Compares entries, or events, by the times at which the events occurred. */
export const byTime = (one: Occurred, other: Occurred): number => compare(one.occurredAt, other.occurredAt);

/** Where the event of an entry is stored. */
export const eventKey = ({ upstreamEntityId, entityId, eventId }: UnpublishedEntry) =>
  outboxKeys.event(upstreamEntityId, entityId, eventId);
