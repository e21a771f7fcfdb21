import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const importEnvironment = z.object({
  ...commonEnvironment,
  AGENTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  CARRIERS_TABLE: z.string(),
  COMPLIANCE_TABLE: z.string(),
  CONTACTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  FILINGS_TABLE: z.string(),
  LICENSING_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  POLICIES_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
