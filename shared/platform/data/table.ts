// A table as functions use it: reads that check each item's schema, and conditional writes.
import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  QueryCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchWriteItems, KB } from '../aws/limits.ts';
import type { StoredSchema } from '../data/stored.ts';
import { limitReached } from '../errors/domain-error.ts';
import { chunks, mapPages } from './concurrently.ts';
import { batchGet, retryUnprocessed, toItem } from './dynamo.ts';
import {
  type Changes,
  type Condition,
  conditionOf,
  isNew,
  statementOf,
  Terms,
  writeExpressions,
} from './expressions.ts';
import { type IndexedKey, keysOf, keysOfAll, type Query, queryOf, queryPages } from './query-pages.ts';
import { parseStored, storedBytes } from './stored.ts';
import type { TableDesign } from './table-design.ts';
import { type TransactionItem, transact, VersionConflict } from './transact.ts';

export type Item = Readonly<Record<string, unknown>>;

/** The key of an item, or what has its members; `sk` is empty, or left out, where the table's key has one part. */
export type Key = { readonly pk: string; readonly sk?: string };

/** A key as DynamoDB takes it. */
const keyOf = ({ pk, sk = '' }: Key): Record<string, string> => (sk === '' ? { pk } : { pk, sk });

/** The place of an item, as every call that names one takes it. */
const placeOf = (TableName: string, key: Key) => ({ TableName, Key: toItem(keyOf(key)) });

/** Bytes of an item at most: the rest of what DynamoDB takes is for what updates add. */
export const largestItem = 350 * KB;

/**
 * An item as it is put.
 * @throws DomainError `state_conflict` for one that is too large, before anything is written.
 */
function storable(item: Item) {
  const storedItem = toItem(item);
  if (storedBytes(storedItem) > largestItem)
    throw limitReached(`The record would have more than ${largestItem} bytes.`, largestItem);
  return storedItem;
}

type Refusal = TransactionItem['refused'];

/**
 * The writes of a table as items of a transaction (`transact`). The condition that is refused raises `refused`, which gets the
 * item as it is stored; VersionConflict where left out. `put` throws as `storable`.
 */
export interface TableItems {
  put(item: Item, condition?: Condition, refused?: Refusal): TransactionItem;
  update(key: Key, changes: Changes, condition?: Condition, refused?: Refusal): TransactionItem;
  delete(key: Key, condition?: Condition, refused?: Refusal): TransactionItem;
  check(key: Key, condition: Condition, refused?: Refusal): TransactionItem;
}

const conflict: Refusal = () => new VersionConflict();

/** The writes of a table alone, for code that has no client. */
export function itemsOf(TableName: string): TableItems {
  // The item is asked for only where an error is made of it.
  const returnValues = (refused: Refusal) =>
    refused.length === 0 ? {} : ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const);
  return {
    put: (item, condition, refused = conflict) => ({
      write: {
        Put: { TableName, Item: storable(item), ...writeExpressions(condition), ...returnValues(refused) },
      },
      refused,
    }),
    update: (key, changes, condition, refused = conflict) => {
      const { UpdateExpression = '', ...expressions } = writeExpressions(condition, changes);
      const Update = {
        ...placeOf(TableName, key),
        UpdateExpression,
        ...expressions,
        ...returnValues(refused),
      };
      return { write: { Update }, refused };
    },
    delete: (key, condition, refused = conflict) => ({
      write: {
        Delete: { ...placeOf(TableName, key), ...writeExpressions(condition), ...returnValues(refused) },
      },
      refused,
    }),
    check: (key, condition, refused = conflict) => {
      const { ConditionExpression = '', ...expressions } = writeExpressions(condition);
      const ConditionCheck = {
        ...placeOf(TableName, key),
        ConditionExpression,
        ...expressions,
        ...returnValues(refused),
      };
      return { write: { ConditionCheck }, refused };
    },
  };
}

/** A partition of an index. */
export interface IndexPartition<Index extends string = string> {
  readonly index: Index;
  readonly value: string;
  /** Condition on the index's sort key, if any; see `expressions.ts`. */
  readonly sort?: unknown;
}

/** `page` from 1 and `limit` records on each, as every paged list accepts them (OpenAPI, "Lists"). */
export interface PageOf {
  readonly page: number;
  readonly limit: number;
}

/** The items of one page among all. */
export const pageAmong = <One>(items: readonly One[], { page, limit }: PageOf): One[] =>
  items.slice((page - 1) * limit, page * limit);

/** The items of one page among those that are read in parts, and how many there are: all are read, for any page. */
export async function pageAcross<One>(parts: AsyncIterable<readonly One[]>, { page, limit }: PageOf) {
  const first = (page - 1) * limit;
  const pageItems: One[] = [];
  let total = 0;
  for await (const part of parts) {
    const start = Math.max(0, first - total);
    pageItems.push(...part.slice(start, start + limit - pageItems.length));
    total += part.length;
  }
  return { pageItems, total };
}

/** The keys of one page, and how many there are on all pages. */
interface KeyPage {
  readonly keys: IndexedKey[];
  readonly total: number;
}

/** Reads of a table; see `Table`. */
interface TableReads<Index extends string = string> {
  get<Value>(schema: StoredSchema<Value>, key: Key, options?: ReadOptions): Promise<Value | undefined>;
  /** The items that exist under these keys, in no order. */
  getAll<Value>(schema: StoredSchema<Value>, keys: readonly Key[], options?: ReadOptions): Promise<Value[]>;
  /** The items that exist under these keys, each to be had by its key. */
  getByKey<Value>(
    schema: StoredSchema<Value>,
    keys: readonly Key[],
    options?: ReadOptions,
  ): Promise<(key: Key) => Value | undefined>;
  /** The items that exist under keys of an index, or of this table, in the order of the keys; not `consistent` unless asked for. */
  getInOrder<Value>(
    schema: StoredSchema<Value>,
    keys: readonly Key[],
    options?: ReadOptions,
  ): Promise<Value[]>;
  /** A partition's items, page by page; the next page is already being read while the caller works on one. */
  query<Value>(
    schema: StoredSchema<Value>,
    partition: string,
    query?: Query<Index>,
  ): AsyncGenerator<Value[], void>;
  /** The items of the whole table that pass the condition, page by page: for operators alone. */
  scan<Value>(schema: StoredSchema<Value>, condition: Condition): AsyncGenerator<Value[], void>;
  /** Page of a partition's items, after a key; `next` is the key to go on after, if there may be more. */
  page<Value>(
    schema: StoredSchema<Value>,
    partition: string,
    query: Query<Index> & { readonly after?: Item | undefined },
  ): Promise<{ readonly items: Value[]; readonly next: Item | undefined }>;
  /** The keys that all of these index partitions hold; see `keysOfAll`. */
  keys(...partitions: readonly IndexPartition<Index>[]): AsyncGenerator<IndexedKey[], void>;
  /** The keys of one page of them: all keys are read, some 6,500 per megabyte, for any page. */
  keyPage(partitions: readonly IndexPartition<Index>[], page: PageOf): Promise<KeyPage>;
  /** The items of one page of them, in order, and how many there are on all pages. */
  itemPage<Value>(
    schema: StoredSchema<Value>,
    partitions: readonly IndexPartition<Index>[],
    page: PageOf,
  ): Promise<{ readonly items: Value[]; readonly total: number }>;
}

interface ReadOptions {
  readonly consistent?: boolean;
}

const keyText = ({ pk, sk = '' }: Readonly<Record<string, unknown>>): string => JSON.stringify([pk, sk]);

const parseItems =
  <Value>(schema: StoredSchema<Value>) =>
  (items: readonly Record<string, AttributeValue>[] = []): Value[] =>
    items.map((item) => parseStored(schema, unmarshall(item)));

function readsOf(design: TableDesign, client: DynamoDBClient, TableName: string): TableReads {
  const keys: TableReads['keys'] = (...partitions) =>
    keysOfAll(
      partitions.map(({ index, value, sort }) => ({
        sort: keysOf(design, index).sortKey?.name ?? '',
        pages: queryPages(client, queryOf(design, TableName, value, { index, sort })),
      })),
    );

  const getAll: TableReads['getAll'] = async (schema, wantedKeys, { consistent = true } = {}) => {
    const items = await batchGet(client, TableName, wantedKeys.map(keyOf), { consistent });
    return items.map((item) => parseStored(schema, item));
  };

  const getByKey: TableReads['getByKey'] = async (schema, wantedKeys, { consistent = true } = {}) => {
    const items = await batchGet(client, TableName, wantedKeys.map(keyOf), { consistent });
    const byKey = new Map(items.map((item) => [keyText(item), parseStored(schema, item)]));
    return (key) => byKey.get(keyText({ ...key }));
  };

  const getInOrder: TableReads['getInOrder'] = async (schema, wantedKeys, { consistent = false } = {}) => {
    const itemOf = await getByKey(schema, wantedKeys, { consistent });
    return wantedKeys.flatMap((key) => itemOf(key) ?? []);
  };

  const keyPage: TableReads['keyPage'] = async (partitions, page) => {
    const { pageItems, total } = await pageAcross(keys(...partitions), page);
    return { keys: pageItems, total };
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
      mapPages(queryPages(client, queryOf(design, TableName, partition, query)), parseItems(schema)),

    scan(schema, condition) {
      const terms = new Terms();
      const FilterExpression = conditionOf(condition, terms);
      const scan = { TableName, ConsistentRead: true, FilterExpression, ...terms.placeholders() };
      return mapPages(paginateScan({ client }, scan), ({ Items }) => parseItems(schema)(Items));
    },

    async page(schema, partition, { after, ...query }) {
      const { Items, LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...queryOf(design, TableName, partition, query),
          ExclusiveStartKey: after && toItem(after),
        }),
      );
      return { items: parseItems(schema)(Items), next: LastEvaluatedKey && unmarshall(LastEvaluatedKey) };
    },

    keys,
    keyPage,

    async itemPage(schema, partitions, page) {
      const { keys: pageItems, total } = await keyPage(partitions, page);
      return { items: await getInOrder(schema, pageItems), total };
    },
  };
}

/**
 * Writes each of a table's items or deletes it, without conditions and in no order; a failure may leave some undone.
 * @throws UnfinishedCallError when DynamoDB keeps leaving all of them unprocessed; SDK errors.
 */
async function batchWrite(client: DynamoDBClient, table: string, writes: WriteRequest[]): Promise<void> {
  const calls = chunks(writes, { count: batchWriteItems }).map((part) =>
    retryUnprocessed(table, part, async (waiting) => {
      const request = new BatchWriteItemCommand({ RequestItems: { [table]: waiting } });
      return (await client.send(request)).UnprocessedItems?.[table];
    }),
  );
  await Promise.all(calls);
}

/** An update of one item. */
interface Update {
  readonly key: Key;
  readonly changes: Changes;
  readonly condition: Condition;
}

type WriteOutcome<Stored> =
  | { readonly isWritten: true; readonly item: Stored }
  | { readonly isWritten: false; readonly item: Stored | undefined };

/** Single writes of a table; see `Table`. Those that put throw as `storable`. */
export interface TableWrites {
  put(item: Item, condition?: Condition): Promise<boolean>;
  update(key: Key, changes: Changes, condition?: Condition): Promise<boolean>;
  delete(key: Key, condition?: Condition): Promise<boolean>;
  /** Updates an item, and answers what it is then, or what it is when the condition does not hold. */
  change<Value>(
    schema: StoredSchema<Value>,
    key: Key,
    changes: Changes,
    condition?: Condition,
  ): Promise<WriteOutcome<Value>>;
  /**
   * Updates several items in one call, each under its own condition and for itself, as statements of PartiQL.
   * @returns for each whether it was certainly written.
   */
  updateTogether(updates: readonly Update[]): Promise<readonly boolean[]>;
  /** Puts a new item; answers what is stored under its key where one is there already. */
  add<Value>(schema: StoredSchema<Value>, item: Item): Promise<Value | undefined>;
  /** Puts items without conditions, in no order; a failure may leave some undone. */
  putAll(items: readonly Item[]): Promise<void>;
  /** Deletes those that exist, as `putAll` puts. */
  deleteAll(keys: readonly Key[]): Promise<void>;
}

async function conditionHolds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Item that is stored where a condition does not hold. */
function storedInstead<Value>(error: unknown, schema: StoredSchema<Value>): Value | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item && parseStored(schema, unmarshall(error.Item));
}

export const writesOf = (client: DynamoDBClient, TableName: string): TableWrites => ({
  put: (item, condition) =>
    conditionHolds(
      client.send(new PutItemCommand({ TableName, Item: storable(item), ...writeExpressions(condition) })),
    ),

  update: (key, changes, condition) =>
    conditionHolds(
      client.send(
        new UpdateItemCommand({ ...placeOf(TableName, key), ...writeExpressions(condition, changes) }),
      ),
    ),

  delete: (key, condition) =>
    conditionHolds(
      client.send(new DeleteItemCommand({ ...placeOf(TableName, key), ...writeExpressions(condition) })),
    ),

  async change(schema, key, changes, condition) {
    try {
      const { Attributes = {} } = await client.send(
        new UpdateItemCommand({
          ...placeOf(TableName, key),
          ...writeExpressions(condition, changes),
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { isWritten: true, item: parseStored(schema, unmarshall(Attributes)) };
    } catch (error) {
      return { isWritten: false, item: storedInstead(error, schema) };
    }
  },

  async updateTogether(updates) {
    const Statements = updates.map(({ key, changes, condition }) =>
      statementOf(TableName, keyOf(key), changes, condition),
    );
    const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    return updates.map((_, index) => {
      const response = Responses[index];
      return response !== undefined && response.Error === undefined;
    });
  },

  async add(schema, item) {
    try {
      await client.send(
        new PutItemCommand({
          TableName,
          Item: storable(item),
          ...writeExpressions(isNew),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      return storedInstead(error, schema);
    }
  },

  putAll: (items) =>
    batchWrite(
      client,
      TableName,
      items.map((item) => ({ PutRequest: { Item: storable(item) } })),
    ),
  deleteAll: (keys) =>
    batchWrite(
      client,
      TableName,
      keys.map((key) => ({ DeleteRequest: { Key: toItem(keyOf(key)) } })),
    ),
});

/**
 * A table of DynamoDB, in terms of its items: what `tableOf` makes of a design, a client, and a name.
 *
 *     const table = tableOf(agentsTable, client, name);
 *     await table.get(storedAgent, agentKeys.agent(owner, id));
 *     for await (const agents of table.query(storedAgent, partition, { index: 'by-npn' })) …
 *     await table.put(item, isNew);
 *     await table.update(key, { status: 'done', lease: undefined, runs: added(1) }, { lease: token });
 *     await table.transact([table.items.put(agent, { version: before?.version }), ...others]);
 *
 * **Reads** are parsed with the schema of their items (`storedItem`), which drops what it does not name; an item that breaks it
 * raises StoredItemError. `anyItem` is for partitions with several kinds of items, each parsed afterwards. Reads by key see every
 * write that was acknowledged, unless they say `{ consistent: false }`, at half the cost; queries only with `consistent`.
 *
 * **Conditions** are objects: `{ status: 'open', lease: absentOr(below(now)), recordHash: before?.recordHash }` holds where
 * each attribute is equal to its value, is not there where that is undefined, or passes its test. So `{ version:
 * before?.version }` inserts what was not there when it was read, and replaces only the version that was; `{ agentId:
 * absentOr(id) }` claims a key that nobody else holds. `isNew` and `exists` are of the item. A write answers whether its
 * condition held.
 *
 * **Changes** are objects, too: `{ status: 'done', lease: undefined }` sets and removes; `added`, `removed`, `appended`, and
 * `unlessSet` change what is there.
 *
 * **Transactions** take `items`, which are writes as above that are not done yet, of any tables.
 */
export interface Table<Index extends string = string> extends TableReads<Index>, TableWrites {
  readonly name: string;
  readonly design: TableDesign;
  readonly items: TableItems;
  /** @throws as `transact`. */
  transact(items: readonly TransactionItem[]): Promise<void>;
}

type IndexOf<Design extends TableDesign> = Design extends { readonly indexes?: infer Indexes }
  ? keyof NonNullable<Indexes> & string
  : never;

/** The handle of a table of this design. */
export type TableHandle<Design extends TableDesign> = Table<IndexOf<Design>>;

/** A table's handle; see `Table`. */
export const tableOf = <const Design extends TableDesign>(
  design: Design,
  client: DynamoDBClient,
  name: string,
): TableHandle<Design> => ({
  name,
  design,
  items: itemsOf(name),
  ...readsOf(design, client, name),
  ...writesOf(client, name),
  transact: (items) => transact(client, items),
});
