import * as z from 'zod/mini';

/** Variables of a function with routes that write. */
export const writeEnvironment = {
  IDEMPOTENCY_TABLE: z.string(),
  RATE_COUNTERS_TABLE: z.string(),
};
