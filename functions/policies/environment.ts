import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';

export const policiesEnvironment = z.object({
  ...apiEnvironment,
  POLICIES_TABLE: z.string(),
});
