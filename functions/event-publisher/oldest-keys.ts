import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { unpublishedShards } from '../../shared/domain/events/stored.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';

const outboxKey = storedItem('outbox/event-key', () => ({
  pk: z.string(),
  sk: z.string(),
  createdAt: z.string(),
}));

/** The key of an event, and when it was written. */
export type OutboxKey = z.output<typeof outboxKey>;

/** Shards of the index that are read concurrently. */
const shardsAtOnce = 16;

/** Keys of a shard that are read at once. */
const keysOfShard = 100;

/** Keys of a partition of the outbox's index, written before then, oldest first, page by page; `limit` is of a page. */
export async function* shardKeys(
  client: DynamoDBClient,
  table: string,
  partition: string,
  before: string,
  limit?: number,
): AsyncGenerator<OutboxKey[]> {
  const pages = queryPages(client, {
    TableName: table,
    IndexName: 'unpublished',
    KeyConditionExpression: 'unpublishedKey = :shard AND createdAt < :before',
    ExpressionAttributeValues: toItem({ ':shard': partition, ':before': before }),
    ...(limit === undefined ? {} : { Limit: limit }),
  });
  for await (const items of pages) yield items.map((item) => parseStored(outboxKey, unmarshall(item)));
}

/**
 * Keys of the outbox's index, written before then: some of every shard at a time, oldest first.
 *
 * @param partitionOf the index's partition of a shard.
 */
export async function* oldestKeys(
  client: DynamoDBClient,
  table: string,
  partitionOf: (shard: number) => string,
  before: Date,
): AsyncGenerator<readonly OutboxKey[]> {
  let shards = Array.from({ length: unpublishedShards }, (_, shard) =>
    shardKeys(client, table, partitionOf(shard), before.toISOString(), keysOfShard),
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
