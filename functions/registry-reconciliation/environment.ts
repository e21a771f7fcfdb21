import * as z from 'zod/mini';
import { npnHoldersEnvironment } from '../../shared/domain/npn-holders/environment.ts';
import { registryEnvironment, registryVisitsEnvironment } from '../../shared/domain/registry/environment.ts';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

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
