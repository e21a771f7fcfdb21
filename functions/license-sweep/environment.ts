import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';
import { queueEnvironment } from '../../shared/queue/environment.ts';

export const licenseSweepEnvironment = z.object({
  ...commonEnvironment,
  ...queueEnvironment,
  REGISTRY_RECORDS_TABLE: z.string(),
  AGENTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  LICENSE_SWEEP_QUEUE_URL: z.string(),
});
