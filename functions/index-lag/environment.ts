import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const indexLagEnvironment = z.object({
  ...commonEnvironment,
  AGENTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  POLICIES_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
