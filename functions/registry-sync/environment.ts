import * as z from 'zod/mini';
import { registryEnvironment } from '../../shared/domain/registry/environment.ts';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

export const registrySyncEnvironment = z.object({
  ...commonEnvironment,
  ...registryEnvironment,
  ...queueEnvironment,
  OUTBOX_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
