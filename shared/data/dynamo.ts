import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isTransactionConflict } from '../aws/transient-errors.ts';

/**
 * The DynamoDB client of a function. A request has 29 seconds in all, so one call must fail long before that: 3 s for
 * a response, three attempts. A single write that conflicts with a transaction is another reason to retry, which
 * the SDK does not know by itself.
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
  return client;
}

const transactionCanceled = 'TransactionCanceledException';

/** An item in DynamoDB's format; members that are undefined are left out. */
export const toItem = (value: Record<string, unknown>): Record<string, AttributeValue> =>
  marshall(value, { removeUndefinedValues: true });
