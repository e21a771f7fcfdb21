import type { AnyEvent } from '../../shared/domain/events/event.ts';
import type { QueuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { failingAfter, type Health } from '../../shared/domain/webhooks/health.ts';
import { type Signer, signatureHeaders } from '../../shared/domain/webhooks/signature.ts';
import type { StoredWebhook } from '../../shared/domain/webhooks/stored.ts';
import type { Log } from '../../shared/platform/log/log.ts';
import type { Exchange } from './exchange.ts';
import { isDelivered, outcomeOf } from './schedule.ts';
import type { DeliveryStore, RecordAttempt } from './store.ts';

export interface AttemptDeps {
  readonly store: DeliveryStore;
  readonly now: () => Date;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

interface Attempted {
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

/** What a worker learns from an attempt. */
export interface AttemptResult {
  /** Why it failed; undefined after a success. */
  readonly fault: string | undefined;
  /** When it was over. */
  readonly at: Date;
  readonly nextAttemptAt: string | undefined;
  readonly isDisabled: boolean;
}

/** For the log, which shows by it what receivers have in common; the path may hold a secret of its owner's. */
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
 * A receiver's health after an attempt. One that does not answer in time is failing at once: until then each of its attempts
 * would occupy a worker of the healthy for fifteen seconds, so an outage of many would delay all others.
 */
export function healthAfter(before: Health, { fault, at }: AttemptResult): Health {
  if (fault === undefined) return {};
  const failures = fault === 'timeout' ? failingAfter : Math.min(failingAfter, (before.failures ?? 0) + 1);
  return { failures, firstFailureAt: before.firstFailureAt ?? at.toISOString() };
}

/**
 * Makes a delivery's next attempt and records it. A crash before the record repeats the attempt; a receiver's failure is
 * recorded and nothing else.
 */
export async function makeAttempt(
  { owner, webhook, signer, delivery, event, exchange, record, health }: Attempted,
  { store, now, random, log }: AttemptDeps,
): Promise<AttemptResult> {
  const body = bodyOf(event);
  const attemptedAt = now();
  const signature = signatureHeaders(signer, { eventId: event.eventId, body, at: attemptedAt });
  const { retryAfter, ...answer } = await exchange({
    url: webhook.url,
    headers: { ...headers, ...signature },
    body,
  });
  const at = now();
  const before = health();
  const outcome = outcomeOf(
    { ...answer, retryAfter },
    {
      retry: delivery.retry,
      at,
      firstFailureAt: before.firstFailureAt === undefined ? undefined : new Date(before.firstFailureAt),
      random: random(),
    },
  );
  // Before the record: once the attempt is recorded, nothing would say that the webhook was to be disabled.
  const isDisabled = outcome.disable !== null && (await store.disable(owner, webhook, outcome.disable, at));
  const attempt = { attemptedAt: attemptedAt.toISOString(), ...answer };
  const nextAttemptAt = await record(owner, { delivery, attempt, outcome, at });
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
  const isFailure = !isDelivered({ ...answer, retryAfter });
  return {
    fault: isFailure ? (answer.error ?? `status ${answer.statusCode}`) : undefined,
    at,
    nextAttemptAt,
    isDisabled,
  };
}
