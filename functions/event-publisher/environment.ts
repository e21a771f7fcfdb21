import * as z from 'zod/mini';
import { commonEnvironment, ratePerSecond } from '../../shared/platform/config/environment.ts';

export const eventPublisherEnvironment = z.object({
  ...commonEnvironment,
  OUTBOX_TABLE: z.string(),
  EVENT_BUS_NAME: z.string(),
  /** Deferred events that are released in a second, over all runs together. */
  DEFERRED_EVENTS_PER_SECOND: ratePerSecond,
});
