import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

/** Names of the tables in which the pipeline keeps what guards routes that write. */
export interface WriteGuardTables {
  readonly idempotency: string;
  readonly rateCounters: string;
}

/** What the pipeline needs for routes that write: the limit of their rate, and the memory of idempotency keys. */
export const writeGuards = (
  client: DynamoDBClient,
  tables: WriteGuardTables,
): { readonly rateLimiter: RateLimiter; readonly idempotency: Idempotency } => ({
  rateLimiter: createRateLimiter(client, tables.rateCounters),
  idempotency: createIdempotency(client, tables.idempotency),
});
