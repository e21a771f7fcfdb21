import {
  entriesOf,
  type FeedEntry,
  feedCounter,
  feedKeys,
  feedRun,
  mostInRun,
} from '../../shared/domain/events/feed.ts';
import { type OutboxItem, outboxItem, outboxKeys } from '../../shared/domain/events/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { between } from '../../shared/platform/data/expressions.ts';
import { anyItem, parseStoredOrError, type StoredItemError } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** Events by id; one that is missing was deleted. */
export type FeedEvents = ReadonlyMap<string, OutboxItem | StoredItemError>;

/** A position whose event cannot be read. Readers wait before it: passing over it would lose the event to them. */
export interface FeedStop {
  readonly owner: string;
  readonly position: number;
  readonly reason: string;
}

/** Organizations' feeds of events. Reads see every earlier write. */
export type FeedStore = ReturnType<typeof createFeedStore>;

export const createFeedStore = (outbox: Table) => ({
  /** What is known of an organization's positions; undefined while it has none. */
  counter: (owner: string) => outbox.get(feedCounter, feedKeys.counter(owner)),

  /** The entries at positions, both ends included, in order; one that is not written yet is missing. */
  async entries(owner: string, from: number, to: number): Promise<FeedEntry[]> {
    // The run of the last position may end after it.
    const [first, last] = [feedKeys.run(owner, from), feedKeys.run(owner, to + mostInRun - 1)];
    const runs = { sort: between(first.sk, last.sk), consistent: true };
    const entries = (await collect(outbox.query(feedRun, first.pk, runs))).flatMap(entriesOf);
    return entries.filter(({ position }) => from <= position && position <= to);
  },

  /** The events of entries. */
  async events(owner: string, entries: readonly FeedEntry[]): Promise<FeedEvents> {
    const keys = entries.map(({ entityId, eventId }) => outboxKeys.event(owner, entityId, eventId));
    const found = await outbox.getAll(anyItem, keys);
    return new Map(found.map((item) => [String(item['eventId']), parseStoredOrError(outboxItem, item)]));
  },
});
