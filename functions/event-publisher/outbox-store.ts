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
import { type AssignNumbers, createNumbering } from './numbers.ts';
import { byTime, eventKey, oldestEntries, shardEntries } from './oldest-entries.ts';

/** The publisher's access to the outbox. */
export interface OutboxStore {
  readonly assignNumbers: AssignNumbers;
  /** Deletes what says of events, of which each is given once, that they are not published. */
  markPublished(items: readonly OutboxItem[]): Promise<void>;
  /**
   * Entries of unpublished events that occurred before then: some of every shard at a time, oldest first. Deferred events are
   * not among them.
   */
  unpublished(before: Date): AsyncIterable<readonly UnpublishedEntry[]>;
  /** Unpublished events of these entities, by their `pk`, that occurred before then, as they are stored, oldest first. */
  unpublishedOf(entities: ReadonlySet<string>, before: string): Promise<unknown[]>;
  /** The events of these entries, as they are stored, in the entries' order. */
  find(entries: readonly UnpublishedEntry[]): Promise<unknown[]>;
}

export function createOutboxStore(table: Table): OutboxStore {
  const find: OutboxStore['find'] = (entries) =>
    table.getInOrder(anyItem, entries.map(eventKey), { consistent: true });

  return {
    assignNumbers: createNumbering(table),
    markPublished: (items) => table.deleteAll(items.flatMap(unpublishedKeys)),
    unpublished: (before) => oldestEntries(table, unpublishedPartition, before),

    async unpublishedOf(entities, before) {
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
