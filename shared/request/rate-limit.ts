import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type CountedRateClass, rateLimits } from '../contract/rate-limits.ts';
import { toItem } from '../data/dynamo.ts';

/** What the rate headers say. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  readonly admitted: boolean;
}

/** Counts requests in fixed windows that start on the minute. */
export interface RateLimiter {
  /** Counts one request of `subject`, unless its window is full. */
  take(rateClass: CountedRateClass, subject: string, now: number): Promise<RateState>;
}

/** Counters live a while longer than their window, so that a late clock can't reset one. */
const keptAfterWindowSeconds = 300;

export const createRateLimiter = (client: DynamoDBClient, table: string): RateLimiter => ({
  async take(rateClass, subject, now) {
    const { limit, windowSeconds } = rateLimits[rateClass];
    const start = Math.floor(now / 1000 / windowSeconds) * windowSeconds;
    const reset = start + windowSeconds;
    try {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ pk: `${rateClass}#${subject}#${start}` }),
          UpdateExpression: 'ADD #count :one SET expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: toItem({
            ':one': 1,
            ':limit': limit,
            ':expiresAt': reset + keptAfterWindowSeconds,
          }),
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return { limit, remaining: limit - Number(Attributes?.['count']?.N), reset, admitted: true };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        return { limit, remaining: 0, reset, admitted: false };
      throw error;
    }
  },
});
