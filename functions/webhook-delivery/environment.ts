import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

export const webhookDeliveryEnvironment = z.object({
  ...commonEnvironment,
  WEBHOOKS_TABLE: z.string(),
  /** The KMS key that encrypts webhooks' secrets. */
  WEBHOOK_KEY_ARN: z.string(),
  OUTBOX_TABLE: z.string(),
  HEALTHY_DELIVERIES_QUEUE_URL: z.string(),
  FAILING_DELIVERIES_QUEUE_URL: z.string(),
  ...queueEnvironment,
  /** Whether webhooks may point to this machine, over http too; in the local environment alone. */
  ALLOW_LOOPBACK_RECEIVERS: z.enum(['yes', 'no']),
});
