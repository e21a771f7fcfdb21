import { Logger } from '@aws-lambda-powertools/logger';
import type * as z from 'zod/mini';
import type { apiEnvironment } from '../config/environment.ts';
import type { Surroundings } from './pipeline.ts';

/** What a deployed API function's pipeline runs in. */
export const surroundings = (
  serviceName: string,
  environment: z.output<z.ZodMiniObject<typeof apiEnvironment>>,
): Surroundings => ({
  environment: environment.ENVIRONMENT,
  responseCheck: environment.RESPONSE_CHECK,
  logger: new Logger({ serviceName, environment: environment.ENVIRONMENT }),
  now: () => new Date(),
});
