// When deliveries are attempted: the retries of one, and the time that a worker has for those of a webhook.
import type { WebhookDelivery } from '../../shared/domain/webhooks/resource.ts';
import { failingDays, type QueueName } from '../../shared/domain/webhooks/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { retryAfterMs } from '../../shared/platform/http/retry-after.ts';

const second = 1_000;

const minute = 60 * second;

const hour = 60 * minute;

const day = 24 * hour;

/** How long after an attempt that failed the next one follows (OpenAPI, "Webhooks"). */
export const retryDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A retry comes up to this share of its delay later, never earlier, so that those of an outage spread. */
export const jitter = 0.1;

/** The longest that a receiver may ask us to wait. */
export const longestRetryAfter = day;

/** A webhook that did nothing but fail for so long is disabled (OpenAPI, "Webhooks"). */
export const failingFor = failingDays * day;

/** What a receiver answered, as far as it matters for what comes next. */
export interface Answered {
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | null;
}

interface Circumstances {
  /** Retries made before this attempt. */
  readonly retry: number;
  /** When the attempt was over. */
  readonly at: Date;
  /** When the first failure since the last success happened, before this attempt. */
  readonly firstFailureAt: Date | undefined;
  /** From 0 up to 1. */
  readonly random: number;
}

/** What an attempt means for the delivery and for the webhook. */
export interface DeliveryOutcome {
  readonly status: WebhookDelivery['status'];
  readonly nextAttemptAt: Date | null;
  /** Why the webhook is disabled, where it is. */
  readonly disable: string | null;
}

/** Delivered is what was answered in the 200s, in time and to the end (OpenAPI, "Webhooks"). */
export const isDelivered = ({ statusCode, error }: Answered): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** What follows from an attempt (OpenAPI, "Webhooks"). */
export function outcomeOf(answered: Answered, circumstances: Circumstances): DeliveryOutcome {
  const { retry, at, firstFailureAt, random } = circumstances;
  if (isDelivered(answered)) return { status: 'succeeded', nextAttemptAt: null, disable: null };
  if (answered.statusCode === 410) {
    return { status: 'failed', nextAttemptAt: null, disable: 'The receiver responded with 410.' };
  }
  const disable =
    firstFailureAt !== undefined && at.getTime() - firstFailureAt.getTime() >= failingFor
      ? `Every attempt of the last ${failingDays} days failed.`
      : null;
  const delay = retryDelays[retry];
  if (delay === undefined) return { status: 'failed', nextAttemptAt: null, disable };
  const asksToWait = answered.statusCode === 429 || answered.statusCode === 503;
  const asked = asksToWait ? (retryAfterMs(answered.retryAfter, at) ?? 0) : 0;
  const wait = Math.max(delay * (1 + jitter * random), Math.min(asked, longestRetryAfter));
  return { status: 'pending', nextAttemptAt: new Date(Math.ceil(at.getTime() + wait)), disable };
}

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
 * Seconds of a lease in which attempts may start. A failing webhook then backs off for as long as its lease lasted, so it gets at
 * most 30 seconds of a worker's time a minute.
 */
export const attemptSeconds: Readonly<Record<QueueName, number>> = {
  healthy: leaseSeconds - lastSeconds,
  failing: 15,
};
