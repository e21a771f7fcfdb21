import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/config/environment.ts';

export const contactsEnvironment = z.object({
  ...apiEnvironment,
  CONTACTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
  IDEMPOTENCY_TABLE: z.string(),
  RATE_COUNTERS_TABLE: z.string(),
});
