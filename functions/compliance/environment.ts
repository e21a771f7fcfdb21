import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/config/environment.ts';
import { registryEnvironment } from '../../shared/registry/environment.ts';
import { writeEnvironment } from '../../shared/request/environment.ts';

export const complianceEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  ...registryEnvironment,
  COMPLIANCE_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
