import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const surplusLinesFilingsEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  FILINGS_TABLE: z.string(),
  FILE_DOCUMENTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  FILES_BUCKET: z.string(),
  /** Whether files are scanned for malware, and served only when they are clean. */
  MALWARE_SCAN: z.enum(['yes', 'no']),
  OUTBOX_TABLE: z.string(),
});
