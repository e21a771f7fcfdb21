import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const webhooksEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  WEBHOOKS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  /** The KMS key that encrypts webhooks' secrets. */
  WEBHOOK_KEY_ARN: z.string(),
  HEALTHY_DELIVERIES_QUEUE_URL: z.string(),
  FAILING_DELIVERIES_QUEUE_URL: z.string(),
  /** Whether webhooks may point to this machine, over http too; in the local environment alone. */
  ALLOW_LOOPBACK_RECEIVERS: z.enum(['yes', 'no']),
});
