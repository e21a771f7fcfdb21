import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { clientDefaults } from '../aws/client-defaults.ts';
import { backOff, isTransactionConflict, UnfinishedCallError } from '../aws/transient-errors.ts';

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
export async function untilProcessed<One>(
  table: string,
  all: One[],
  call: (waiting: One[]) => Promise<One[] | undefined>,
): Promise<void> {
  let waiting = all;
  for (let empty = 0; waiting.length > 0; ) {
    const left = (await call(waiting)) ?? [];
    if (left.length === 0) return;
    empty = left.length === waiting.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} left all ${left.length} items, ${emptyAnswers} times in a row.`,
      );
    }
    waiting = left;
    await backOff(empty + 1);
  }
}
