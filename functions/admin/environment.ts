import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';

export const adminEnvironment = z.object({
  ...commonEnvironment,
  ORGANIZATIONS_TABLE: z.string(),
  POLICIES_TABLE: z.string(),
});
