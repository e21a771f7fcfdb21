import {
  type OutboxItem,
  shardOf,
  type UnpublishedEntry,
  unpublishedKeys,
  unpublishedPartition,
} from '../../shared/domain/events/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { createNumbering } from './numbers.ts';
import { byTime, eventKey, oldestEntries, shardEntries } from './oldest-entries.ts';

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

    find,
  };
}
