import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueEnvironment } from '../../shared/platform/queue/environment.ts';

export const complianceChangesEnvironment = z.object({
  ...commonEnvironment,
  ...queueEnvironment,
  COMPLIANCE_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
  AGENTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  COMPLIANCE_CHANGES_QUEUE_URL: z.string(),
});
