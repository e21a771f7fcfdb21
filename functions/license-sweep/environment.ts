import * as z from 'zod/mini';
import { npnHoldersEnvironment } from '../../shared/domain/npn-holders/environment.ts';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

export const licenseSweepEnvironment = z.object({
  ...commonEnvironment,
  ...queueEnvironment,
  ...npnHoldersEnvironment,
  REGISTRY_RECORDS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  LICENSE_SWEEP_QUEUE_URL: z.string(),
});
