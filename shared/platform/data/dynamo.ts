import { type AttributeValue, BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff, clientDefaults, isTransactionConflict, UnfinishedCallError } from '../aws/calls.ts';
import { batchGetKeys } from '../aws/limits.ts';
import { chunks, mapConcurrently } from './concurrently.ts';

/**
 * The DynamoDB client of a function. A single write that meets a transaction is a reason for another attempt, which the
 * SDK does not know of by itself.
 */
export function createDynamoClient(): DynamoDBClient {
  const client = new DynamoDBClient(clientDefaults('dynamodb'));
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        // A transaction that conflicts is retried by `transact`, which waits longer.
        if (isTransactionConflict(error) && error instanceof Error && error.name !== transactionCanceled) {
          Object.assign(error, { $retryable: { throttling: false } });
        }
        throw error;
      }
    },
    // Outside the step that parses the response, and inside the SDK's retries.
    { name: 'retryConflicts', step: 'deserialize', priority: 'high' },
  );
  withoutLogger(client);
  return client;
}

/** The SDK copies each input and output for its logger, which logs nothing here: a third of the processor time of a call. */
export const withoutLogger = (client: DynamoDBClient): boolean =>
  client.middlewareStack.remove('loggerMiddleware');

const transactionCanceled = 'TransactionCanceledException';

/** An item in DynamoDB's format; members that are undefined are left out. */
export const toItem = (value: Record<string, unknown>): Record<string, AttributeValue> =>
  marshall(value, { removeUndefinedValues: true });

/** Responses in a row that leave everything unprocessed. */
const emptyAnswers = 6;

/**
 * Makes a batch call again, after a pause, for what DynamoDB leaves unprocessed because a response is full or a table is
 * throttled.
 * @param call answers what it left.
 * @throws UnfinishedCallError when it keeps leaving all; SDK errors.
 */
export async function retryUnprocessed<One>(
  table: string,
  requests: One[],
  call: (waiting: One[]) => Promise<One[] | undefined>,
): Promise<void> {
  let waiting = requests;
  for (let empty = 0; ; ) {
    const unprocessed = (await call(waiting)) ?? [];
    if (unprocessed.length === 0) return;
    empty = unprocessed.length === waiting.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} left all ${unprocessed.length} items, ${emptyAnswers} times in a row.`,
      );
    }
    waiting = unprocessed;
    await backOff(empty + 1);
  }
}

/** Calls under way at once: all of a long list's would be throttled. */
const concurrency = 8;

/**
 * Reads the items that exist under these keys, in no order and in as few calls as possible, some of which run at the same time.
 * Keys that DynamoDB leaves unprocessed, because a response is full or a table is throttled, are read again after a pause.
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
  const read = (keyChunk: typeof keys) => readChunk(client, table, keyChunk, options);
  return (await mapConcurrently(calls, read, concurrency)).flat();
}

async function readChunk(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, string>[],
  { consistent: ConsistentRead }: { readonly consistent: boolean },
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  await retryUnprocessed(table, keys.map(toItem), async (Keys) => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead } } }),
    );
    items.push(...(Responses?.[table] ?? []).map((item) => unmarshall(item)));
    return UnprocessedKeys?.[table]?.Keys;
  });
  return items;
}
