import { type AttributeValue, BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '../aws/backoff.ts';
import { batchGetKeys } from '../aws/limits.ts';
import { UnfinishedCallError } from '../aws/transient-errors.ts';
import { chunks } from './chunks.ts';
import { mapConcurrently } from './concurrently.ts';
import { toItem } from './dynamo.ts';

/** Responses in a row that leave every key unprocessed. */
const emptyAnswers = 6;

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
  options: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let waiting: Record<string, AttributeValue>[] = keys.map((key) => toItem(key));
  for (let empty = 0; ; ) {
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: waiting, ConsistentRead: options.consistent } },
      }),
    );
    found.push(...(answer.Responses?.[table] ?? []).map((item) => unmarshall(item)));
    const left = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    if (left.length === 0) return found;
    empty = left.length === waiting.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} answered none of ${waiting.length} keys, ${emptyAnswers} times in a row.`,
      );
    }
    waiting = left;
    await backOff(empty + 1);
  }
}
