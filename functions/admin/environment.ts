import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';

export const adminEnvironment = z.object({
  ...commonEnvironment,
  ORGANIZATIONS_TABLE: z.string(),
  POLICIES_TABLE: z.string(),
  FILINGS_TABLE: z.string(),
  FILE_DOCUMENTS_TABLE: z.string(),
  FILES_BUCKET: z.string(),
  CARRIERS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
});
