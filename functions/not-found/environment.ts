import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';

export const notFoundEnvironment = z.object({
  ...apiEnvironment,
});
