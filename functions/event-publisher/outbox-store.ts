import * as z from 'zod/mini';
import {
  deferredPartition,
  deferredPrefix,
  type OutboxItem,
  outboxItem,
  outboxKeys,
  shardOf,
  type UnpublishedEntry,
  unpublishedKeys,
  unpublishedPartition,
  unpublishedShards,
} from '../../shared/domain/events/stored.ts';
import { timestamp } from '../../shared/platform/contract/primitives.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { below, startsWith } from '../../shared/platform/data/expressions.ts';
import { anyItem, storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { createNumbering } from './numbers.ts';

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
const shardEntries = (
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
async function* oldestEntries(
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
const eventKey = ({ upstreamEntityId, entityId, eventId }: UnpublishedEntry) =>
  outboxKeys.event(upstreamEntityId, entityId, eventId);

/** The publisher's access to the outbox. */
export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(table: Table) {
  /** The events of these entries, as they are stored, in the entries' order. */
  const find = (entries: readonly UnpublishedEntry[]): Promise<unknown[]> =>
    table.getInOrder(anyItem, entries.map(eventKey), { consistent: true });

  return {
    assignNumbers: createNumbering(table),

    /** Deletes what says of events, of which each is given once, that they are not published. */
    markPublished: (items: readonly OutboxItem[]) => table.deleteAll(items.flatMap(unpublishedKeys)),

    /**
     * Entries of unpublished events that occurred before then: some of every shard at a time, oldest first. Deferred events are
     * not among them.
     */
    unpublished: (before: Date) => oldestEntries(table, unpublishedPartition, before),

    /** Unpublished events of these entities, by their `pk`, that occurred before then, as they are stored, oldest first. */
    async unpublishedOf(entities: ReadonlySet<string>, before: string): Promise<unknown[]> {
      const shards = new Set(Array.from(entities, shardOf));
      const entries = await Promise.all(
        Array.from(shards, (shard) => collect(shardEntries(table, unpublishedPartition(shard), before))),
      );
      return find(
        entries
          .flat(2)
          .filter((entry) => entities.has(eventKey(entry).pk))
          .toSorted(byTime),
      );
    },

    /** As `unpublished`, of deferred events: the table's stream passes them by, and the release publishes them in their slots. */
    deferred: (before: Date) => oldestEntries(table, deferredPartition, before),

    /**
     * The deferred events about an entity that occurred before then and are not published, in their order. An entry beside the
     * entity's events says so of each, so that a later event about the entity finds those that precede it and `sequence`
     * follows the order of the changes.
     */
    async deferredOf(pk: string, before: string): Promise<OutboxItem[]> {
      const deferred = { sort: startsWith(deferredPrefix), consistent: true };
      // One that cannot be read must not hold up the entity's events; those who publish it report it.
      const entries = (await collect(table.query(anyItem, pk, deferred)))
        .flatMap((item) => z.safeParse(unpublishedEntry, item).data ?? [])
        .filter(({ occurredAt }) => occurredAt < before)
        .toSorted(byTime);
      return (await find(entries)).flatMap((item) => z.safeParse(outboxItem, item).data ?? []);
    },

    find,
  };
}
