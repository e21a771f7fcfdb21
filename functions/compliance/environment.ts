import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/config/environment.ts';
import { registryEnvironment } from '../../shared/registry/environment.ts';

export const complianceEnvironment = z.object({
  ...apiEnvironment,
  ...registryEnvironment,
  COMPLIANCE_TABLE: z.string(),
  IDEMPOTENCY_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  RATE_COUNTERS_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
