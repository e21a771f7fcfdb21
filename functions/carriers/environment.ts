import * as z from 'zod/mini';
import { apiEnvironment } from '../../shared/platform/config/environment.ts';

export const carriersEnvironment = z.object({
  ...apiEnvironment,
  CARRIERS_TABLE: z.string(),
});
