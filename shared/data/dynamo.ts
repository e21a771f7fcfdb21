import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/**
 * The DynamoDB client of a function. A request has 29 seconds in all, so one call must fail long before that: 3 s for
 * an answer, three attempts.
 */
export const createDynamoClient = (): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });

/** An item as DynamoDB takes it; members that are undefined are left out. */
export const toItem = (value: Record<string, unknown>): Record<string, AttributeValue> =>
  marshall(value, { removeUndefinedValues: true });
