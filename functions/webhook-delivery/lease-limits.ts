import type { QueueName } from '../../shared/domain/webhooks/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';

// Data alone, since `uses.ts`, which the infrastructure reads, states the function's time limit by it.

/** The function's time limit, so that a lease ends when its worker must have ended; it is never renewed. */
export const leaseSeconds = 75;

/** Attempts at a webhook that are under way at once. */
export const attemptsAtOnce: Readonly<Record<QueueName, number>> = { healthy: 20, failing: 1 };

/**
 * Due entries that are read together: one call reads their deliveries and the webhook, and with their events, of up to
 * 200 KB each, those of an invocation's webhooks fit its memory.
 */
export const pageSizes: Readonly<Record<QueueName, number>> = { healthy: batchGetKeys - 1, failing: 25 };

/** Seconds before the end of the lease in which no attempt starts: an attempt, its record, and some. */
export const lastSeconds = 20;

/**
 * Seconds of a lease in which attempts may start. A failing webhook then rests for as long as its lease lasted, so it gets at
 * most 30 seconds of a worker's time a minute.
 */
export const attemptSeconds: Readonly<Record<QueueName, number>> = {
  healthy: leaseSeconds - lastSeconds,
  failing: 15,
};
