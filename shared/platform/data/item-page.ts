import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGet } from './batch-get.ts';
import { commonKeys, type IndexedKey, type IndexPartition } from './common-keys.ts';

/** `page` from 1 and `limit` records on each, as every paged list accepts them (OpenAPI, "Lists"). */
export interface PageOf {
  readonly page: number;
  readonly limit: number;
}

/** The items of one page as they are stored, in order, and how many there are on all pages. */
export interface ItemPage {
  readonly items: Record<string, unknown>[];
  readonly total: number;
}

/** The keys of one page, and how many there are on all pages. */
export interface KeyPage {
  readonly keys: IndexedKey[];
  readonly total: number;
}

/**
 * The keys of one page of those that all of these partitions of keys-only indexes hold, in the order of the indexes. It
 * reads all keys of the partitions, some 6,500 per megabyte, for any page.
 */
export async function keyPage(
  client: DynamoDBClient,
  table: string,
  partitions: readonly IndexPartition[],
  { page, limit }: PageOf,
): Promise<KeyPage> {
  const first = (page - 1) * limit;
  const shown: IndexedKey[] = [];
  let total = 0;
  for await (const keys of commonKeys(client, table, partitions)) {
    const start = Math.max(0, first - total);
    shown.push(...keys.slice(start, start + limit - shown.length));
    total += keys.length;
  }
  return { keys: shown, total };
}

/** One page of the items themselves: the keys as above, then the page's items. */
export async function itemPage(
  client: DynamoDBClient,
  table: string,
  partitions: readonly IndexPartition[],
  page: PageOf,
): Promise<ItemPage> {
  const { keys, total } = await keyPage(client, table, partitions, page);
  return { items: await itemsInOrder(client, table, keys), total };
}

/** The items of these keys that exist, in the order of the keys. */
export async function itemsInOrder(
  client: DynamoDBClient,
  table: string,
  keys: readonly Pick<IndexedKey, 'pk' | 'sk'>[],
): Promise<Record<string, unknown>[]> {
  const wanted = keys.map(({ pk, sk }) => (sk === '' ? { pk } : { pk, sk }));
  const found = await batchGet(client, table, wanted, { consistent: false });
  const byKey = new Map(found.map((item) => [written(item['pk'], item['sk']), item]));
  return keys.map(({ pk, sk }) => byKey.get(written(pk, sk))).filter((item) => item !== undefined);
}

const written = (pk: unknown, sk: unknown): string => JSON.stringify([pk, sk ?? '']);
