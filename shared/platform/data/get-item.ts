import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../contract/compatible.ts';
import { toItem } from './dynamo.ts';
import { parseStored } from './stored.ts';

/**
 * Reads an item by its key; undefined where there is none.
 * @param options.consistent sees every write that was acknowledged, at twice the cost.
 * @throws StoredItemError when the item breaks its schema; SDK errors.
 */
export async function getItem<Schema extends CompatibleSchema>(
  client: DynamoDBClient,
  table: string,
  key: Readonly<Record<string, string>>,
  schema: Schema,
  options: { readonly consistent: boolean },
): Promise<z.output<Schema> | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: toItem(key), ConsistentRead: options.consistent }),
  );
  return Item && parseStored(schema, unmarshall(Item));
}
