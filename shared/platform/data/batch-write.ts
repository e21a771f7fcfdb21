import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { backOff } from '../aws/backoff.ts';
import { batchWriteItems } from '../aws/limits.ts';
import { UnfinishedCallError } from '../aws/transient-errors.ts';
import { chunks } from './chunks.ts';
import { toItem } from './dynamo.ts';

/** Responses in a row that leave every write unprocessed. */
const emptyAnswers = 6;

async function writeChunk(client: DynamoDBClient, table: string, writes: WriteRequest[]): Promise<void> {
  let waiting = writes;
  for (let empty = 0; waiting.length > 0; ) {
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: waiting } }));
    const left = answer.UnprocessedItems?.[table] ?? [];
    if (left.length === 0) return;
    empty = left.length === waiting.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} wrote none of ${waiting.length} items, ${emptyAnswers} times in a row.`,
      );
    }
    waiting = left;
    await backOff(empty + 1);
  }
}

/** Writes each of a table's items or deletes it, without conditions and in no order; a failure may leave some undone. */
async function batchWrite(client: DynamoDBClient, table: string, writes: WriteRequest[]): Promise<void> {
  const calls = chunks(writes, { count: batchWriteItems }).map((some) => writeChunk(client, table, some));
  await Promise.all(calls);
}

/**
 * Puts items, each under a key of its own.
 * @throws UnfinishedCallError when DynamoDB keeps leaving all of them unprocessed; SDK errors.
 */
export const batchPut = (
  client: DynamoDBClient,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> =>
  batchWrite(
    client,
    table,
    items.map((item) => ({ PutRequest: { Item: toItem(item) } })),
  );

/** Deletes the items of these keys, those that exist. @throws as `batchPut`. */
export const batchDelete = (
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
): Promise<void> =>
  batchWrite(
    client,
    table,
    keys.map((key) => ({ DeleteRequest: { Key: toItem(key) } })),
  );
