import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const agencyEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  AGENTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
  COMPLIANCE_TABLE: z.string(),
  LICENSING_TABLE: z.string(),
  FILINGS_TABLE: z.string(),
});
