import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';

export const agentsEnvironment = z.object({
  ...apiEnvironment,
  AGENTS_TABLE: z.string(),
  COMPLIANCE_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
});
