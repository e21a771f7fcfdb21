import {
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { batchWriteItems } from '../aws/limits.ts';
import type { CompatibleSchema } from '../contract/compatible.ts';
import { chunks } from './chunks.ts';
import { toItem } from './dynamo.ts';
import { type Changes, type Condition, isNew, statementOf, writeExpressions } from './expressions.ts';
import { parseStored } from './stored.ts';
import { at, type Item, type Key, keyOf, storable } from './table-items.ts';
import { untilProcessed } from './until-processed.ts';

/**
 * Writes each of a table's items or deletes it, without conditions and in no order; a failure may leave some undone.
 * @throws UnfinishedCallError when DynamoDB keeps leaving all of them unprocessed; SDK errors.
 */
async function batchWrite(client: DynamoDBClient, table: string, writes: WriteRequest[]): Promise<void> {
  const calls = chunks(writes, { count: batchWriteItems }).map((some) =>
    untilProcessed(table, some, async (waiting) => {
      const request = new BatchWriteItemCommand({ RequestItems: { [table]: waiting } });
      return (await client.send(request)).UnprocessedItems?.[table];
    }),
  );
  await Promise.all(calls);
}

/** An update of one item. */
export interface Update {
  readonly key: Key;
  readonly changes: Changes;
  readonly condition: Condition;
}

type Written<Stored> =
  | { readonly isWritten: true; readonly item: Stored }
  | { readonly isWritten: false; readonly item: Stored | undefined };

/** Single writes of a table; see `Table`. Those that put throw as `storable`. */
export interface TableWrites {
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
}

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

export const writesOf = (client: DynamoDBClient, TableName: string): TableWrites => ({
  put: (item, condition) =>
    held(
      client.send(new PutItemCommand({ TableName, Item: storable(item), ...writeExpressions(condition) })),
    ),

  update: (key, changes, condition) =>
    held(
      client.send(new UpdateItemCommand({ ...at(TableName, key), ...writeExpressions(condition, changes) })),
    ),

  delete: (key, condition) =>
    held(client.send(new DeleteItemCommand({ ...at(TableName, key), ...writeExpressions(condition) }))),

  async change(schema, key, changes, condition) {
    try {
      const { Attributes = {} } = await client.send(
        new UpdateItemCommand({
          ...at(TableName, key),
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
