import type { AnyEvent } from '#domain/events/payloads.ts';
import { failingDays, jitter, retryDelays } from '#domain/webhooks/schedule.ts';
import { type Signer, signatureHeaders } from '#domain/webhooks/secrets.ts';
import {
  failingAfter,
  type Health,
  type QueuedDelivery,
  type StoredWebhook,
} from '#domain/webhooks/stored.ts';
import type { Log } from '#platform/log/log.ts';
import type { Exchange } from './exchange.ts';
import type { DeliveryOutcome, DeliveryStore, RecordAttempt } from './store.ts';

/**
 * Milliseconds that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, section 10.2.3); 0 for a time that is
 * over, undefined without a header or for one of another form: the obsolete forms of a date are none, and `Date.parse` reads much
 * other text as some year.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  const isDate = !Number.isNaN(until) && new Date(until).toUTCString() === text;
  return isDate ? Math.max(0, until - now.getTime()) : undefined;
}

const day = 24 * 3_600_000;

/** The longest that a receiver may ask us to wait. */
export const longestRetryAfter = day;

/** A webhook that did nothing but fail for so long is disabled (OpenAPI, "Webhooks"). */
export const failingFor = failingDays * day;

/** Answer of a receiver, as far as it matters for what comes next. */
export interface ReceiverAnswer {
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | null;
}

interface Circumstances {
  /** Retries made before this attempt. */
  readonly retry: number;
  /** Time at which the attempt was over. */
  readonly endedAt: Date;
  /** Time of the first failure since the last success, before this attempt. */
  readonly firstFailureAt: Date | undefined;
  /** A number from 0 up to 1. */
  readonly random: number;
}

/** Delivered is what was answered in the 200s, in time and to the end (OpenAPI, "Webhooks"). */
export const isDelivered = ({ statusCode, error }: ReceiverAnswer): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Decides what follows from an attempt (OpenAPI, "Webhooks"). */
export function outcomeOf(response: ReceiverAnswer, circumstances: Circumstances): DeliveryOutcome {
  const { retry, endedAt, firstFailureAt, random } = circumstances;
  if (isDelivered(response)) return { status: 'succeeded', nextAttemptAt: null, disable: null };
  if (response.statusCode === 410) {
    return { status: 'failed', nextAttemptAt: null, disable: 'The receiver responded with 410.' };
  }
  const disable =
    firstFailureAt !== undefined && endedAt.getTime() - firstFailureAt.getTime() >= failingFor
      ? `Every attempt of the last ${failingDays} days failed.`
      : null;
  const delay = retryDelays[retry];
  if (delay === undefined) return { status: 'failed', nextAttemptAt: null, disable };
  const asksToWait = response.statusCode === 429 || response.statusCode === 503;
  const requestedMs = asksToWait ? (retryAfterMs(response.retryAfter, endedAt) ?? 0) : 0;
  const wait = Math.max(delay * (1 + jitter * random), Math.min(requestedMs, longestRetryAfter));
  return { status: 'pending', nextAttemptAt: new Date(Math.ceil(endedAt.getTime() + wait)), disable };
}

export interface AttemptDeps {
  readonly store: DeliveryStore;
  readonly now: () => Date;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

interface AttemptInput {
  readonly owner: string;
  readonly webhook: StoredWebhook;
  /** The webhook's secrets. */
  readonly signer: Signer;
  readonly delivery: QueuedDelivery;
  readonly event: AnyEvent;
  /** Posts over the connections of the worker's lease. */
  readonly exchange: Exchange;
  /** Records the attempts of the worker's lease. */
  readonly record: RecordAttempt;
  /** The receiver's health when the attempt is over, which others under way change as well. */
  readonly health: () => Health;
}

/** Result of an attempt, as a worker goes on with it. */
interface AttemptResult {
  /** Why it failed; undefined after a success. */
  readonly fault: string | undefined;
  /** Time at which it was over. */
  readonly endedAt: Date;
  readonly isDisabled: boolean;
  /** Write of its record, which the receiver need not wait for; answers when the next attempt is due. */
  readonly recording: Promise<string | undefined>;
}

/** Host of a receiver for the log, which shows by it what receivers have in common; the path may hold a secret of its owner’s. */
export const hostOf = ({ url }: StoredWebhook): string => new URL(url).host;

/** The body of an event's delivery; the same at every attempt (OpenAPI, "Events"). */
const bodyOf = (event: AnyEvent): string =>
  JSON.stringify({
    eventId: event.eventId,
    webhookType: event.webhookType,
    upstreamEntityId: event.upstreamEntityId,
    occurredAt: event.occurredAt,
    sequence: event.sequence,
    payload: event.payload,
    isTest: event.isTest,
  });

const headers = {
  'Content-Type': 'application/json',
  'User-Agent': 'insurance-compliance-webhooks/1',
} as const;

/**
 * A receiver's health after an attempt. A receiver that does not answer in time is failing at once: until then each of its attempts
 * would occupy a worker of the healthy for fifteen seconds, so an outage of many would delay all others.
 */
export function healthAfter(
  before: Health,
  { fault, endedAt }: Pick<AttemptResult, 'fault' | 'endedAt'>,
): Health {
  if (fault === undefined) return {};
  const failures = fault === 'timeout' ? failingAfter : Math.min(failingAfter, (before.failures ?? 0) + 1);
  return { failures, firstFailureAt: before.firstFailureAt ?? endedAt.toISOString() };
}

/**
 * Makes a delivery's next attempt and begins to record it. A crash before the record repeats the attempt; a receiver's failure is
 * recorded and nothing else.
 */
export async function makeAttempt(input: AttemptInput, deps: AttemptDeps): Promise<AttemptResult> {
  const { owner, webhook, signer, delivery, event, exchange, record, health } = input;
  const { store, now, random, log } = deps;
  const body = bodyOf(event);
  const attemptedAt = now();
  const signature = signatureHeaders(signer, { eventId: event.eventId, body, sentAt: attemptedAt });
  const response = await exchange({ url: webhook.url, headers: { ...headers, ...signature }, body });
  const { retryAfter: _, ...answer } = response;
  const endedAt = now();
  const before = health();
  const outcome = outcomeOf(response, {
    retry: delivery.retry,
    endedAt,
    firstFailureAt: before.firstFailureAt === undefined ? undefined : new Date(before.firstFailureAt),
    random: random(),
  });
  // Before the record: once the attempt is recorded, nothing would say that the webhook was to be disabled.
  const isDisabled =
    outcome.disable !== null && (await store.disable(owner, webhook, outcome.disable, endedAt));
  const attempt = { attemptedAt: attemptedAt.toISOString(), ...answer };
  const recording = record({ delivery, attempt, outcome, endedAt }).then((nextAttemptAt) => {
    log.info('webhook delivery', {
      event: 'webhook_delivery',
      outcome: outcome.status === 'pending' ? 'retried' : outcome.status,
      upstreamEntityId: owner,
      webhookId: webhook._id,
      host: hostOf(webhook),
      deliveryId: delivery._id,
      attempt: delivery.attempt,
      eventId: event.eventId,
      webhookType: event.webhookType,
      statusCode: answer.statusCode,
      fault: answer.error,
      durationMs: answer.durationMs,
      nextAttemptAt: nextAttemptAt ?? null,
      disabled: isDisabled,
    });
    return nextAttemptAt;
  });
  return {
    fault: isDelivered(response) ? undefined : (answer.error ?? `status ${answer.statusCode}`),
    endedAt,
    isDisabled,
    recording,
  };
}
