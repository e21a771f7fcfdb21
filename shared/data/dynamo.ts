import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isTransactionConflict } from '../aws/transient-errors.ts';

/**
 * The DynamoDB client of a function. A request has 29 seconds in all, so one call must fail long before that: 3 s for
 * an answer, three attempts. A single write that meets a transaction is one of the reasons for another attempt, which
 * the SDK does not know of by itself.
 */
export function createDynamoClient(): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        // A transaction that conflicts is repeated by `transact`, which waits longer.
        if (isTransactionConflict(error) && error instanceof Error && error.name !== transactionCanceled) {
          Object.assign(error, { $retryable: { throttling: false } });
        }
        throw error;
      }
    },
    // Outside of what reads the answer, and within the SDK's attempts.
    { name: 'retryConflicts', step: 'deserialize', priority: 'high' },
  );
  return client;
}

const transactionCanceled = 'TransactionCanceledException';

/** An item as DynamoDB takes it; members that are undefined are left out. */
export const toItem = (value: Record<string, unknown>): Record<string, AttributeValue> =>
  marshall(value, { removeUndefinedValues: true });
