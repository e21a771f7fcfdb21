import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const authorizerEnvironment = z.object({
  ...commonEnvironment,
  ORGANIZATIONS_TABLE: z.string(),
  SIGNING_SECRET_ARN: z.string(),
});
