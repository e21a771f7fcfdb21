import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const canaryEnvironment = z.object({
  ...commonEnvironment,
  /** The API's public address, as callers use it. */
  API_ADDRESS: z.url(),
  /** Secret with the canary's credentials; see `credentials.ts`. */
  CANARY_SECRET_ARN: z.string(),
});
