import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGetKeys } from '../../../shared/platform/aws/limits.ts';
import { batchGet } from '../../../shared/platform/data/batch-get.ts';
import { chunks } from '../../../shared/platform/data/chunks.ts';

/** Reads the items that exist under these keys, each key once, in as few calls as possible, which run at the same time. */
export async function readKeys(
  client: DynamoDBClient,
  table: string,
  keys: Iterable<Readonly<{ pk: string; sk: string }>>,
): Promise<Record<string, unknown>[]> {
  const distinct = new Map(Array.from(keys, ({ pk, sk }) => [JSON.stringify([pk, sk]), { pk, sk }]));
  const calls = chunks([...distinct.values()], { count: batchGetKeys });
  const items = await Promise.all(calls.map((some) => batchGet(client, table, some, { consistent: true })));
  return items.flat();
}
