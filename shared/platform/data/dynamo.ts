import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { clientDefaults } from '../aws/client-defaults.ts';
import { isTransactionConflict } from '../aws/transient-errors.ts';

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
