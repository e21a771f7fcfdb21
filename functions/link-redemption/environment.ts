import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const linkRedemptionEnvironment = z.object({
  ...commonEnvironment,
  ASSOCIATIONS_TABLE: z.string(),
  CONTACTS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  ONE_TIME_LINKS_TABLE: z.string(),
  ORGANIZATIONS_TABLE: z.string(),
  OUTBOX_TABLE: z.string(),
});
