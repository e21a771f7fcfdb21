import * as z from 'zod/mini';
import {
  deferredPartition,
  deferredPrefix,
  type OutboxItem,
  outboxItem,
  type UnpublishedEntry,
} from '../../shared/domain/events/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { startsWith } from '../../shared/platform/data/expressions.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { byTime, eventKey, oldestEntries, unpublishedEntry } from './oldest-entries.ts';

/**
 * Events that wait for their slot: the table's stream passes them by, and the release publishes them. Beside the events of its
 * entity an entry says of each that it is not published, so that a later event about the entity finds those that precede it and
 * `sequence` follows the order of the changes.
 */
export type DeferredStore = ReturnType<typeof createDeferredStore>;

export const createDeferredStore = (table: Table) => ({
  /** Entries of deferred events: some of every shard at a time, oldest first. */
  waiting: (before: Date): AsyncIterable<readonly UnpublishedEntry[]> =>
    oldestEntries(table, deferredPartition, before),

  /** The deferred events about an entity that occurred before then and are not published, in their order. */
  async earlier(pk: string, before: string): Promise<OutboxItem[]> {
    const deferred = { sort: startsWith(deferredPrefix), consistent: true };
    // One that cannot be read must not hold up the entity's events; those who publish it report it.
    const entries = (await collect(table.query(anyItem, pk, deferred)))
      .flatMap((item) => z.safeParse(unpublishedEntry, item).data ?? [])
      .filter(({ occurredAt }) => occurredAt < before)
      .toSorted(byTime);
    const found = await table.getInOrder(anyItem, entries.map(eventKey), { consistent: true });
    return found.flatMap((item) => z.safeParse(outboxItem, item).data ?? []);
  },
});
