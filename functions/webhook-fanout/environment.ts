import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';

export const webhookFanoutEnvironment = z.object({
  ...commonEnvironment,
  WEBHOOKS_TABLE: z.string(),
  FAST_DELIVERIES_QUEUE_URL: z.string(),
  SLOW_DELIVERIES_QUEUE_URL: z.string(),
  DEAD_LETTER_QUEUE_URL: z.string(),
  /** How often the queue delivers a message. */
  MAX_RECEIVE_COUNT: z.pipe(z.string(), z.pipe(z.transform(Number), z.int().check(z.gte(1)))),
});
