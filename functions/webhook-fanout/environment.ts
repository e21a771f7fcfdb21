import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

export const webhookFanoutEnvironment = z.object({
  ...commonEnvironment,
  WEBHOOKS_TABLE: z.string(),
  HEALTHY_DELIVERIES_QUEUE_URL: z.string(),
  FAILING_DELIVERIES_QUEUE_URL: z.string(),
  ...queueEnvironment,
});
