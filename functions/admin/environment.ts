import * as z from 'zod/mini';
import { registryEnvironment, registryVisitsEnvironment } from '../../shared/domain/registry/environment.ts';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';
import { queueAddresses } from './redrive.ts';

export const adminEnvironment = z.object({
  ...commonEnvironment,
  ORGANIZATIONS_TABLE: z.string(),
  FILINGS_TABLE: z.string(),
  FILE_DOCUMENTS_TABLE: z.string(),
  FILES_BUCKET: z.string(),
  /** Whether files are scanned for malware, and served only when they are clean. */
  MALWARE_SCAN: z.enum(['yes', 'no']),
  AGENTS_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
  ...registryEnvironment,
  ...registryVisitsEnvironment,
  /** Whether scheduled work can be done as of a time that is still to come: days that are really swept early. */
  ALLOW_FUTURE_AS_OF: z.enum(['yes', 'no']),
  OUTBOX_TABLE: z.string(),
  /** Queues that can be redriven, by name. */
  QUEUES: queueAddresses,
  ASSOCIATIONS_TABLE: z.string(),
  CONTACTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  LICENSING_TABLE: z.string(),
  ONE_TIME_LINKS_TABLE: z.string(),
});
