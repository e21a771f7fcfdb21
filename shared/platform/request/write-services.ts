// Apart from `pipeline.ts`: the bundle of what imports this has a chunk for idempotency, which functions that only read do not
// need.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionContext } from '../config/context.ts';
import { importOnUse } from '../contract/lazily.ts';
import type { writeServiceTables } from '../data/table-design.ts';
import type { Idempotency } from './idempotency.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

/**
 * The services that the pipeline needs for routes with writes: rate limiter and idempotency, which is imported with the first
 * write that has a key.
 */
export const writeServices = (
  client: DynamoDBClient,
  tables: Readonly<Record<keyof typeof writeServiceTables, string>>,
  { answersBucket }: Pick<FunctionContext, 'answersBucket'>,
): { readonly rateLimiter: RateLimiter; readonly idempotency: Idempotency } => ({
  rateLimiter: createRateLimiter(client, tables.rateCounters),
  idempotency: importOnUse(async () => {
    const { createIdempotency } = await import('./idempotency.ts');
    return createIdempotency(client, tables.idempotency, answerObjects(answersBucket));
  }, 'once'),
});

const answerObjects = (bucket: string | undefined) =>
  importOnUse(
    async () => {
      const [{ createS3Client }, { createAnswerObjects }] = await Promise.all([
        import('../aws/s3-client.ts'),
        import('./answer-objects.ts'),
      ]);
      return createAnswerObjects(createS3Client(), bucket);
    },
    'put',
    'get',
  );
