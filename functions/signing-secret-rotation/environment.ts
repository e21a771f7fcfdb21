import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/platform/config/environment.ts';

export const signingSecretRotationEnvironment = z.object({
  ...commonEnvironment,
});
