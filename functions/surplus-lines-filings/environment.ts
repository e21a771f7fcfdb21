import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/config/environment.ts';

export const surplusLinesFilingsEnvironment = z.object({
  ...apiEnvironment,
  FILINGS_TABLE: z.string(),
  FILE_DOCUMENTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  FILES_BUCKET: z.string(),
  IDEMPOTENCY_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  RATE_COUNTERS_TABLE: z.string(),
});
