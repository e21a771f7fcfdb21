import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { batchGetKeys } from '../aws/limits.ts';
import type { CompatibleSchema } from '../contract/compatible.ts';
import { chunks } from './chunks.ts';
import { mapPages } from './collect.ts';
import { type IndexedKey, keysOfAll } from './common-keys.ts';
import { mapConcurrently } from './concurrently.ts';
import { toItem } from './dynamo.ts';
import { type Condition, conditionOf, Terms } from './expressions.ts';
import { ofReadable } from './left-out.ts';
import { keysOf, type Query, queryOf, queryPages } from './query-pages.ts';
import { parseStored, parseStoredOrError, readOrThrow } from './stored.ts';
import type { TableDesign } from './table-design.ts';
import { type Item, type Key, keyOf } from './table-items.ts';
import { untilProcessed } from './until-processed.ts';

/** Calls under way at once: all of a long list's would be throttled. */
const concurrency = 8;

/**
 * Reads the items that exist under these keys, in no order and in as few calls as possible, some of which run at the same time. Keys that
 * DynamoDB leaves unprocessed, because a response is full or a table is throttled, are read again after a pause.
 *
 * @throws UnfinishedCallError when it keeps leaving all keys unprocessed; SDK errors.
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
  options: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const distinct = new Map(keys.map((key) => [JSON.stringify(key), key]));
  const calls = chunks([...distinct.values()], { count: batchGetKeys });
  const read = (some: typeof keys) => readChunk(client, table, some, options);
  return (await mapConcurrently(calls, concurrency, read)).flat();
}

async function readChunk(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
  { consistent: ConsistentRead }: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  await untilProcessed(table, keys.map(toItem), async (Keys) => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead } } }),
    );
    found.push(...(Responses?.[table] ?? []).map((item) => unmarshall(item)));
    return UnprocessedKeys?.[table]?.Keys;
  });
  return found;
}

/** A partition of an index. */
export interface IndexPartition<Index extends string = string> {
  readonly index: Index;
  readonly value: string;
  /** What the index's sort key must be, if not any; see `expressions.ts`. */
  readonly sort?: unknown;
}

/** `page` from 1 and `limit` records on each, as every paged list accepts them (OpenAPI, "Lists"). */
export interface PageOf {
  readonly page: number;
  readonly limit: number;
}

/** The keys of one page, and how many there are on all pages. */
export interface KeyPage {
  readonly keys: IndexedKey[];
  readonly total: number;
}

/** Reads of a table; see `Table`. */
export interface TableReads<Index extends string = string> {
  get<Schema extends CompatibleSchema>(
    schema: Schema,
    key: Key,
    options?: ReadOptions,
  ): Promise<z.output<Schema> | undefined>;
  /** The items that exist under these keys, in no order. */
  getAll<Schema extends CompatibleSchema>(
    schema: Schema,
    keys: readonly Key[],
    options?: ReadOptions,
  ): Promise<z.output<Schema>[]>;
  /** The items that exist under these keys, each to be had by its key: one that breaks its schema is thrown when it is. */
  getByKey<Schema extends CompatibleSchema>(
    schema: Schema,
    keys: readonly Key[],
    options?: ReadOptions,
  ): Promise<(key: Key) => z.output<Schema> | undefined>;
  /** The items that exist under keys of an index, or of this table, in the order of the keys; not `consistent` unless asked for. */
  getInOrder<Schema extends CompatibleSchema>(
    schema: Schema,
    keys: readonly Key[],
    options?: ReadOptions,
  ): Promise<z.output<Schema>[]>;
  /** A partition's items, page by page; the next page is already being read while the caller works on one. */
  query<Schema extends CompatibleSchema>(
    schema: Schema,
    partition: string,
    query?: Query<Index>,
  ): AsyncGenerator<z.output<Schema>[], void>;
  /** The items of the whole table that pass the condition, page by page: for operators alone. */
  scan<Schema extends CompatibleSchema>(
    schema: Schema,
    condition: Condition,
  ): AsyncGenerator<z.output<Schema>[], void>;
  /** One page of a partition's items, after a key; `next` is the key to go on after, if there may be more. */
  page<Schema extends CompatibleSchema>(
    schema: Schema,
    partition: string,
    query: Query<Index> & { readonly after?: Item | undefined },
  ): Promise<{ readonly items: z.output<Schema>[]; readonly next: Item | undefined }>;
  /** The keys that all of these index partitions hold; see `keysOfAll`. */
  keys(...partitions: readonly IndexPartition<Index>[]): AsyncGenerator<IndexedKey[], void>;
  /** The keys of one page of them: all keys are read, some 6,500 per megabyte, for any page. */
  keyPage(partitions: readonly IndexPartition<Index>[], page: PageOf): Promise<KeyPage>;
  /** The items of one page of them, in order, as a list has them (`leavesOut`), and how many there are on all pages. */
  itemPage<Schema extends CompatibleSchema>(
    schema: Schema,
    partitions: readonly IndexPartition<Index>[],
    page: PageOf,
  ): Promise<{ readonly items: z.output<Schema>[]; readonly total: number }>;
}

interface ReadOptions {
  readonly consistent?: boolean;
  /** Whether items that break the schema are left out of the list that is read, which says how many there are (`left-out.ts`). */
  readonly leavesOut?: boolean;
}

const keyText = ({ pk, sk = '' }: Readonly<Record<string, unknown>>): string => JSON.stringify([pk, sk]);

const parsed =
  <Schema extends CompatibleSchema>(schema: Schema, { leavesOut = false }: ReadOptions = {}) =>
  (items: readonly Record<string, AttributeValue>[] = []): z.output<Schema>[] => {
    const read = (item: Record<string, AttributeValue>) => parseStored(schema, unmarshall(item));
    return leavesOut ? ofReadable(items, read) : items.map(read);
  };

export function readsOf(design: TableDesign, client: DynamoDBClient, TableName: string): TableReads {
  const keys: TableReads['keys'] = (...partitions) =>
    keysOfAll(
      partitions.map(({ index, value, sort }) => ({
        sort: keysOf(design, index).sortKey?.name ?? '',
        pages: queryPages(client, queryOf(design, TableName, value, { index, sort })),
      })),
    );

  const getAll: TableReads['getAll'] = async (
    schema,
    wanted,
    { consistent = true, leavesOut = false } = {},
  ) => {
    const found = await batchGet(client, TableName, wanted.map(keyOf), { consistent });
    const read = (item: unknown) => parseStored(schema, item);
    return leavesOut ? ofReadable(found, read) : found.map(read);
  };

  const getByKey: TableReads['getByKey'] = async (schema, wanted, { consistent = true } = {}) => {
    const found = await batchGet(client, TableName, wanted.map(keyOf), { consistent });
    const byKey = new Map(found.map((item) => [keyText(item), parseStoredOrError(schema, item)]));
    return (key) => readOrThrow(byKey.get(keyText({ ...key })));
  };

  const getInOrder: TableReads['getInOrder'] = async (
    schema,
    wanted,
    { consistent = false, leavesOut = false } = {},
  ) => {
    const found = await getByKey(schema, wanted, { consistent });
    const read = leavesOut ? ofReadable(wanted, found) : wanted.map(found);
    return read.flatMap((item) => item ?? []);
  };

  const keyPage: TableReads['keyPage'] = async (partitions, { page, limit }) => {
    const first = (page - 1) * limit;
    const shown: IndexedKey[] = [];
    let total = 0;
    for await (const some of keys(...partitions)) {
      const start = Math.max(0, first - total);
      shown.push(...some.slice(start, start + limit - shown.length));
      total += some.length;
    }
    return { keys: shown, total };
  };

  return {
    async get(schema, key, { consistent = true } = {}) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName, Key: toItem(keyOf(key)), ConsistentRead: consistent }),
      );
      return Item && parseStored(schema, unmarshall(Item));
    },

    getAll,
    getByKey,
    getInOrder,

    query: (schema, partition, query = {}) =>
      mapPages(queryPages(client, queryOf(design, TableName, partition, query)), parsed(schema, query)),

    scan(schema, condition) {
      const terms = new Terms();
      const FilterExpression = conditionOf(condition, terms);
      const scan = { TableName, ConsistentRead: true, FilterExpression, ...terms.placeholders() };
      return mapPages(paginateScan({ client }, scan), ({ Items }) => parsed(schema)(Items));
    },

    async page(schema, partition, { after, ...query }) {
      const { Items, LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...queryOf(design, TableName, partition, query),
          ExclusiveStartKey: after && toItem(after),
        }),
      );
      return { items: parsed(schema)(Items), next: LastEvaluatedKey && unmarshall(LastEvaluatedKey) };
    },

    keys,
    keyPage,

    async itemPage(schema, partitions, page) {
      const { keys: shown, total } = await keyPage(partitions, page);
      return { items: await getInOrder(schema, shown, { leavesOut: true }), total };
    },
  };
}
