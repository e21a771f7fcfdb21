import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';
import { npnHoldersEnvironment } from '../../shared/npn-holders/environment.ts';
import { queueEnvironment } from '../../shared/queue/environment.ts';
import { registryEnvironment, registryVisitsEnvironment } from '../../shared/registry/environment.ts';

export const registryReconciliationEnvironment = z.object({
  ...commonEnvironment,
  ...queueEnvironment,
  ...npnHoldersEnvironment,
  ...registryEnvironment,
  ...registryVisitsEnvironment,
  REGISTRY_RECORDS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  REGISTRY_RECONCILIATION_QUEUE_URL: z.string(),
});
