import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';

export const authEnvironment = z.object({
  ...apiEnvironment,
  ORGANIZATIONS_TABLE: z.string(),
  RATE_COUNTERS_TABLE: z.string(),
  SIGNING_SECRET_ARN: z.string(),
  /** Where integrators get help. */
  SUPPORT_URL: z.url(),
});
