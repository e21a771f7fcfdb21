import { type AttributeValue, BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '../aws/backoff.ts';
import { batchGetKeys } from '../aws/limits.ts';
import { UnfinishedCallError } from '../aws/transient-errors.ts';
import { toItem } from './dynamo.ts';

/** Responses in a row that leave every key unprocessed. */
const emptyAnswers = 6;

/**
 * Reads the items that exist under these keys, in no order. Keys that DynamoDB leaves unprocessed, because a response is
 * full or a table is throttled, are read again after a pause.
 *
 * @throws UnfinishedCallError when it keeps leaving all keys unprocessed; SDK errors.
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
  options: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const waiting = keys.map((key) => toItem(key));
  let empty = 0;
  while (waiting.length > 0) {
    const Keys: Record<string, AttributeValue>[] = waiting.splice(0, batchGetKeys);
    const answer = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: options.consistent } } }),
    );
    found.push(...(answer.Responses?.[table] ?? []).map((item) => unmarshall(item)));
    const left = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    if (left.length === 0) continue;
    waiting.push(...left);
    empty = left.length === Keys.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} answered none of ${Keys.length} keys, ${emptyAnswers} times in a row.`,
      );
    }
    await backOff(empty + 1);
  }
  return found;
}
