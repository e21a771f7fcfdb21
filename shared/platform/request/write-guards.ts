import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { importedLater } from '../config/imported-later.ts';
import type { Idempotency } from './idempotency.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

/** Names of the tables of the guards that routes with writes need. */
export interface WriteGuardTables {
  readonly idempotency: string;
  readonly rateCounters: string;
}

/**
 * The guards that the pipeline needs for routes with writes: rate limiter and idempotency, which is imported with the first
 * write that has a key.
 */
export const writeGuards = (
  client: DynamoDBClient,
  tables: WriteGuardTables,
): { readonly rateLimiter: RateLimiter; readonly idempotency: Idempotency } => ({
  rateLimiter: createRateLimiter(client, tables.rateCounters),
  idempotency: importedLater(async () => {
    const { createIdempotency } = await import('./idempotency.ts');
    return createIdempotency(client, tables.idempotency);
  }, 'once'),
});
