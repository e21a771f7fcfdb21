import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const downstreamEntityAssociationsEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  /** Address of the agencies' application, without a slash at its end. */
  AGENCY_APP_URL: z.url(),
  ASSOCIATIONS_TABLE: z.string(),
  COMPLIANCE_TABLE: z.string(),
  CONTACTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  ONE_TIME_LINKS_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
  POLICIES_TABLE: z.string(),
  REGISTRY_RECORDS_TABLE: z.string(),
  REGISTRY_SYNC_QUEUE_URL: z.string(),
});
