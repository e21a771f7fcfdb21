import { type AttributeValue, BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from './dynamo.ts';

/** DynamoDB's limit of a batch. */
const keysAtOnce = 100;

/**
 * Reads the items that exist under these keys, in no order. What DynamoDB leaves over, because an answer is full or a
 * table is busy, is asked for again.
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
  options: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const waiting = keys.map((key) => toItem(key));
  while (waiting.length > 0) {
    const Keys: Record<string, AttributeValue>[] = waiting.splice(0, keysAtOnce);
    const answer = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: options.consistent } } }),
    );
    found.push(...(answer.Responses?.[table] ?? []).map((item) => unmarshall(item)));
    waiting.push(...(answer.UnprocessedKeys?.[table]?.Keys ?? []));
  }
  return found;
}
