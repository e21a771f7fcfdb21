import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGetKeys } from '../aws/limits.ts';
import { compatible } from '../contract/compatible.ts';
import { lazyObject } from '../contract/lazy-object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import type { DeletedRecord } from '../contract/updated-since.ts';
import { toItem } from '../data/dynamo.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored } from '../data/stored.ts';
import { changeShards, partitionOf } from './change-mark.ts';

type Entry = Readonly<Record<string, AttributeValue>>;

/**
 * The entries of an owner's items that changed at a time or later: one partition in the order of time, then the next. A page
 * has no more entries than a batch reads. The first page of each partition is requested now, before the caller asks.
 *
 * @param since as `toISOString` writes it.
 */
export function changedSince(
  client: DynamoDBClient,
  table: string,
  owner: string,
  since: string,
): AsyncIterable<readonly Entry[]> {
  const partitions = Array.from({ length: changeShards }, (_, shard) => {
    const pages = queryPages(client, {
      TableName: table,
      IndexName: 'by-change',
      Limit: batchGetKeys,
      KeyConditionExpression: 'changeKey = :partition AND changedAt >= :since',
      ExpressionAttributeValues: toItem({ ':partition': partitionOf(owner, shard), ':since': since }),
    });
    const first = pages.next();
    // A caller that stops early never awaits it; one that goes on gets its failure below.
    first.catch(() => undefined);
    return { first, pages };
  });
  return inTurn(partitions);
}

async function* inTurn(
  partitions: readonly {
    readonly first: Promise<IteratorResult<readonly Entry[]>>;
    readonly pages: AsyncGenerator<readonly Entry[]>;
  }[],
): AsyncGenerator<readonly Entry[]> {
  for (const { first, pages } of partitions) {
    const page = await first;
    if (page.done === true) continue;
    yield page.value;
    yield* pages;
  }
}

const changedItem = compatible(
  'changed-item',
  lazyObject(() => ({
    _id: objectId,
    changedAt: z.optional(timestamp),
    updatedAt: timestamp,
  })),
);

/** What a follower gets for an item that is no longer in the list. */
export function tombstone(item: unknown): DeletedRecord {
  const { _id, changedAt, updatedAt } = parseStored(changedItem, item);
  return { _id, isDeleted: true, updatedAt: changedAt ?? updatedAt };
}

/** Whether an item is not among those that changed since; it is none of them if it was written before changes were kept. */
export const isUnchangedSince =
  (since: string) =>
  (item: { readonly changedAt?: unknown }): boolean =>
    typeof item.changedAt !== 'string' || item.changedAt < since;

/** The keys of these entries, each once: an item that moves within an index can be in it twice for a moment. */
export function keysOf(entries: readonly Entry[]): { pk: string; sk: string }[] {
  const keys = entries.map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
  return [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
}
