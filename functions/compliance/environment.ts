import * as z from 'zod/mini';
import { registryEnvironment } from '../../shared/domain/registry/environment.ts';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const complianceEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  ...registryEnvironment,
  COMPLIANCE_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
