import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';
import { npnHoldersEnvironment } from '../../shared/npn-holders/environment.ts';
import { queueEnvironment } from '../../shared/queue/environment.ts';

export const licenseSweepEnvironment = z.object({
  ...commonEnvironment,
  ...queueEnvironment,
  ...npnHoldersEnvironment,
  REGISTRY_RECORDS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  LICENSE_SWEEP_QUEUE_URL: z.string(),
});
