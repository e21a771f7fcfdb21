import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';
import { queueEnvironment } from '../../shared/queue/environment.ts';
import { registryEnvironment } from '../../shared/registry/environment.ts';

export const registrySyncEnvironment = z.object({
  ...commonEnvironment,
  ...registryEnvironment,
  ...queueEnvironment,
  OUTBOX_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
