import * as z from 'zod/mini';
import { unpublishedShards } from '../../shared/domain/events/stored.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { below } from '../../shared/platform/data/expressions.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

const outboxKey = storedItem('outbox/event-key', () => ({
  pk: z.string(),
  sk: z.string(),
  createdAt: z.string(),
}));

/** The key of an event, and when it was written. */
export type OutboxKey = z.output<typeof outboxKey>;

export type Outbox = Table<'unpublished'>;

/** Shards of the index that are read concurrently. */
const shardsAtOnce = 16;

/** Keys of a shard that are read at once. */
const keysOfShard = 100;

/** Keys of a partition of the outbox's index, written before then, oldest first, page by page; `limit` is of a page. */
export const shardKeys = (
  outbox: Outbox,
  partition: string,
  before: string,
  limit?: number,
): AsyncGenerator<OutboxKey[]> =>
  outbox.query(outboxKey, partition, {
    index: 'unpublished',
    sort: below(before),
    ...(limit === undefined ? {} : { limit }),
  });

/**
 * Keys of the outbox's index, written before then: some of every shard at a time, oldest first.
 *
 * @param partitionOf the index's partition of a shard.
 */
export async function* oldestKeys(
  outbox: Outbox,
  partitionOf: (shard: number) => string,
  before: Date,
): AsyncGenerator<readonly OutboxKey[]> {
  let shards = Array.from({ length: unpublishedShards }, (_, shard) =>
    shardKeys(outbox, partitionOf(shard), before.toISOString(), keysOfShard),
  );
  while (shards.length > 0) {
    const keys: OutboxKey[] = [];
    const unread: typeof shards = [];
    await concurrently(shards, shardsAtOnce, async (pages) => {
      const page = await pages.next();
      if (page.done === true) return;
      unread.push(pages);
      keys.push(...page.value);
    });
    shards = unread;
    if (keys.length > 0) yield keys.toSorted(byTime);
  }
}

/** Compares keys by the times at which their events were written. */
export const byTime = ({ createdAt: one }: OutboxKey, { createdAt: other }: OutboxKey): number =>
  one < other ? -1 : one > other ? 1 : 0;
