import {
  BatchExecuteStatementCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../contract/compatible.ts';
import { batchGet } from './batch-get.ts';
import { batchDelete, batchPut } from './batch-write.ts';
import { type IndexedKey, keysOfAll } from './common-keys.ts';
import { toItem } from './dynamo.ts';
import {
  type Changes,
  type Condition,
  conditionOf,
  isNew,
  statementOf,
  Terms,
  writeExpressions,
} from './expressions.ts';
import { keysOf, type Query, queryOf, queryPages } from './query-pages.ts';
import { parseStored } from './stored.ts';
import type { TableDesign } from './table-design.ts';
import { type Item, itemsOf, type Key, keyOf, type TableItems } from './table-items.ts';
import { type TransactionItem, transact } from './transact.ts';

/** A partition of an index. */
export interface IndexPartition<Index extends string = string> {
  readonly index: Index;
  readonly value: string;
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
export interface Table<Index extends string = string> {
  readonly name: string;
  readonly design: TableDesign;
  readonly items: TableItems;
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
  /** The items that exist under keys of an index, or of this table, in the order of the keys; not `consistent`. */
  getInOrder<Schema extends CompatibleSchema>(
    schema: Schema,
    keys: readonly Key[],
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
  /** The items of one page of them, in order, and how many there are on all pages. */
  itemPage<Schema extends CompatibleSchema>(
    schema: Schema,
    partitions: readonly IndexPartition<Index>[],
    page: PageOf,
  ): Promise<{ readonly items: z.output<Schema>[]; readonly total: number }>;
  put(item: Item, condition?: Condition): Promise<boolean>;
  update(key: Key, changes: Changes, condition?: Condition): Promise<boolean>;
  delete(key: Key, condition?: Condition): Promise<boolean>;
  /** Updates an item, and answers what it is then, or what it is when the condition does not hold. */
  change<Schema extends CompatibleSchema>(
    schema: Schema,
    key: Key,
    changes: Changes,
    condition?: Condition,
  ): Promise<Written<z.output<Schema>>>;
  /**
   * Updates several items in one call, each under its own condition and for itself, as statements of PartiQL.
   * @returns for each whether it was certainly written.
   */
  updateTogether(updates: readonly Update[]): Promise<readonly boolean[]>;
  /** Puts a new item; answers what is stored under its key where one is there already. */
  add<Schema extends CompatibleSchema>(schema: Schema, item: Item): Promise<z.output<Schema> | undefined>;
  /** Puts items without conditions, in no order; a failure may leave some undone. */
  putAll(items: readonly Item[]): Promise<void>;
  /** Deletes those that exist, as `putAll` puts. */
  deleteAll(keys: readonly Key[]): Promise<void>;
  /** @throws as `transact`. */
  transact(items: readonly TransactionItem[]): Promise<void>;
}

/** An update of one item. */
export interface Update {
  readonly key: Key;
  readonly changes: Changes;
  readonly condition: Condition;
}

interface ReadOptions {
  readonly consistent?: boolean;
}

type Written<Stored> =
  | { readonly isWritten: true; readonly item: Stored }
  | { readonly isWritten: false; readonly item: Stored | undefined };

type IndexOf<Design extends TableDesign> = Design extends { readonly indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

/** The handle of a table of this design. */
export type TableHandle<Design extends TableDesign> = Table<IndexOf<Design>>;

/** A table's handle; see `Table`. */
export function tableOf<const Design extends TableDesign>(
  design: Design,
  client: DynamoDBClient,
  TableName: string,
): TableHandle<Design> {
  const keys: Table['keys'] = (...partitions) =>
    keysOfAll(
      partitions.map(({ index, value }) => ({
        sort: keysOf(design, index).sortKey?.name ?? '',
        pages: queryPages(client, queryOf(design, TableName, value, { index })),
      })),
    );

  async function held(write: Promise<unknown>): Promise<boolean> {
    try {
      await write;
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** What is stored where a condition does not hold. */
  function storedInstead<Schema extends CompatibleSchema>(
    error: unknown,
    schema: Schema,
  ): z.output<Schema> | undefined {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item && parseStored(schema, unmarshall(error.Item));
  }

  const getAll: Table['getAll'] = async (schema, wanted, { consistent = true } = {}) => {
    const found = await batchGet(client, TableName, wanted.map(keyOf), { consistent });
    return found.map((item) => parseStored(schema, item));
  };

  const getInOrder: Table['getInOrder'] = async (schema, wanted) => {
    const found = await batchGet(client, TableName, wanted.map(keyOf), { consistent: false });
    const byKey = new Map(found.map((item) => [JSON.stringify([item['pk'], item['sk'] ?? '']), item]));
    return wanted.flatMap(({ pk, sk }) => {
      const item = byKey.get(JSON.stringify([pk, sk ?? '']));
      return item === undefined ? [] : [parseStored(schema, item)];
    });
  };

  const keyPage: Table['keyPage'] = async (partitions, { page, limit }) => {
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
    name: TableName,
    design,
    items: itemsOf(TableName),

    async get(schema, key, { consistent = true } = {}) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName, Key: toItem(keyOf(key)), ConsistentRead: consistent }),
      );
      return Item && parseStored(schema, unmarshall(Item));
    },

    getAll,
    getInOrder,

    async *query(schema, partition, query = {}) {
      for await (const items of queryPages(client, queryOf(design, TableName, partition, query))) {
        yield items.map((item) => parseStored(schema, unmarshall(item)));
      }
    },

    async *scan(schema, condition) {
      const terms = new Terms();
      const FilterExpression = conditionOf(condition, terms);
      const scan = { TableName, ConsistentRead: true, FilterExpression, ...terms.placeholders() };
      for await (const { Items = [] } of paginateScan({ client }, scan)) {
        yield Items.map((item) => parseStored(schema, unmarshall(item)));
      }
    },

    async page(schema, partition, { after, ...query }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...queryOf(design, TableName, partition, query),
          ExclusiveStartKey: after && toItem(after),
        }),
      );
      return {
        items: Items.map((item) => parseStored(schema, unmarshall(item))),
        next: LastEvaluatedKey && unmarshall(LastEvaluatedKey),
      };
    },

    keys,
    keyPage,

    async itemPage(schema, partitions, page) {
      const { keys: shown, total } = await keyPage(partitions, page);
      return { items: await getInOrder(schema, shown), total };
    },

    put: (item, condition) =>
      held(
        client.send(new PutItemCommand({ TableName, Item: toItem(item), ...writeExpressions(condition) })),
      ),

    update: (key, changes, condition) =>
      held(
        client.send(
          new UpdateItemCommand({
            TableName,
            Key: toItem(keyOf(key)),
            ...writeExpressions(condition, changes),
          }),
        ),
      ),

    delete: (key, condition) =>
      held(
        client.send(
          new DeleteItemCommand({ TableName, Key: toItem(keyOf(key)), ...writeExpressions(condition) }),
        ),
      ),

    async change(schema, key, changes, condition) {
      try {
        const { Attributes = {} } = await client.send(
          new UpdateItemCommand({
            TableName,
            Key: toItem(keyOf(key)),
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
            Item: toItem(item),
            ...writeExpressions(isNew),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return undefined;
      } catch (error) {
        return storedInstead(error, schema);
      }
    },

    putAll: (items) => batchPut(client, TableName, items),
    deleteAll: (wanted) => batchDelete(client, TableName, wanted.map(keyOf)),
    transact: (items) => transact(client, items),
  };
}
