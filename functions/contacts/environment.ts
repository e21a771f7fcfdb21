import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';
import { writeEnvironment } from '../../shared/platform/request/environment.ts';

export const contactsEnvironment = z.object({
  ...apiEnvironment,
  ...writeEnvironment,
  CONTACTS_TABLE: z.string(),
  ASSOCIATIONS_TABLE: z.string(),
  DOWNSTREAM_ENTITIES_TABLE: z.string(),
});
