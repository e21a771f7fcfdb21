import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../contract/compatible.ts';
import type { IndexPartition } from './common-keys.ts';
import { itemPage, type PageOf } from './item-page.ts';
import { queryPages } from './query-pages.ts';
import { parseStored } from './stored.ts';

/**
 * A query's records, one database page at a time; see `queryPages`.
 * @throws StoredItemError when an item breaks the schema.
 */
export async function* recordPages<Schema extends CompatibleSchema>(
  client: DynamoDBClient,
  schema: Schema,
  query: QueryCommandInput,
): AsyncGenerator<z.output<Schema>[]> {
  for await (const items of queryPages(client, query)) {
    yield items.map((item) => parseStored(schema, unmarshall(item)));
  }
}

/**
 * One page of a partition's records, and how many there are on all pages; see `itemPage`.
 * @throws StoredItemError when an item breaks the schema.
 */
export async function recordPage<Schema extends CompatibleSchema>(
  client: DynamoDBClient,
  table: string,
  schema: Schema,
  partition: IndexPartition,
  page: PageOf,
): Promise<{ readonly items: z.output<Schema>[]; readonly total: number }> {
  const { items, total } = await itemPage(client, table, [partition], page);
  return { items: items.map((item) => parseStored(schema, item)), total };
}
