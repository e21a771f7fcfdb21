import * as z from 'zod/mini';
import { commonEnvironment } from '../../shared/config/environment.ts';

export const eventPublisherEnvironment = z.object({
  ...commonEnvironment,
  OUTBOX_TABLE: z.string(),
  EVENT_BUS_NAME: z.string(),
});
