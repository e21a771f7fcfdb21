import type { Log } from '../../shared/log/log.ts';
import type { Delivery, MessageOutcome } from '../../shared/queue/consumer.ts';
import type { DeliveryMessage, QueuedDelivery } from '../../shared/webhooks/deliveries.ts';
import { type DeliveryQueues, longestDelaySeconds } from '../../shared/webhooks/delivery-queues.ts';
import { isHealthy, type Lane } from '../../shared/webhooks/health.ts';
import type { WebhookSecrets } from '../../shared/webhooks/secrets.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import type { Exchange } from './exchange.ts';
import { consequenceOf } from './schedule.ts';
import type { DeliveryStore } from './store.ts';

export interface DeliverDeps {
  readonly store: DeliveryStore;
  readonly queues: DeliveryQueues;
  readonly secrets: WebhookSecrets;
  readonly exchange: Exchange;
  readonly now: () => Date;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** The outcome of a message, as it is logged. */
type Outcome =
  | 'succeeded'
  | 'failed'
  | 'retried'
  | 'obsolete'
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'event_expired'
  | 'not_due'
  | 'moved_to_slow'
  | 'attempt_under_way'
  | 'no_slot';

/** Seconds that a message waits at most for a slot; in the slow lane there may be as many as a receiver missed in days. */
const longestWait: Readonly<Record<Lane, number>> = { fast: 8, slow: 60 };

const inSeconds = (from: Date, until: string): number =>
  Math.max(0, Math.ceil((Date.parse(until) - from.getTime()) / 1_000));

/** When the worker that makes the next attempt is taken for crashed; undefined where there is none. */
const leaseEnd = ({ lease }: QueuedDelivery): string | undefined => lease?.split('#')[0];

/** The body of an event's delivery; the same at every attempt (OpenAPI, "Events"). */
const bodyOf = (event: NonNullable<Awaited<ReturnType<DeliveryStore['event']>>>): string =>
  JSON.stringify({
    eventId: event.eventId,
    webhookType: event.webhookType,
    upstreamEntityId: event.upstreamEntityId,
    occurredAt: event.occurredAt,
    sequence: event.sequence,
    payload: event.payload,
  });

/**
 * Makes the attempt that a message names, if it is due (OpenAPI, "Webhooks"). The record is the truth, the message
 * says only where to look: whatever can't be done now is sent again, and what was done or asked for anew is dropped.
 *
 * A crash at any point loses nothing. The message of the next attempt is sent before this one is recorded, so a delivery
 * never waits without a message; until the record is there, the worker that gets it waits, or makes this attempt again.
 * A receiver's failure is recorded and nothing else: it never fails the message.
 */
export async function deliver(
  { message }: Pick<Delivery<DeliveryMessage>, 'message'>,
  { store, queues, secrets, exchange, now, random, log }: DeliverDeps,
): Promise<MessageOutcome> {
  const { upstreamEntityId: owner, webhookId, deliveryId, lane } = message;
  const logOutcome = (outcome: Outcome, more: Readonly<Record<string, unknown>> = {}): MessageOutcome => {
    const { attempt } = message;
    const about = { upstreamEntityId: owner, webhookId, deliveryId, attempt, lane };
    log.info('webhook delivery', { event: 'webhook_delivery', outcome, ...about, ...more });
    return 'done';
  };
  const sendAgain = (delaySeconds: number, changes: Partial<DeliveryMessage> = {}): Promise<void> =>
    queues.send([
      {
        message: { ...message, ...changes },
        delaySeconds: Math.min(delaySeconds, longestDelaySeconds),
      },
    ]);
  const waitForSlot = async (): Promise<MessageOutcome> => {
    const waits = message.waits ?? 0;
    // From one second, doubling; a random share of it spreads those that wait together.
    const longest = Math.min(longestWait[lane], 2 ** waits);
    await sendAgain(Math.ceil(longest * (0.5 + random() / 2)), { waits: Math.min(waits + 1, 10) });
    return logOutcome('no_slot');
  };

  const { delivery, webhook, health } = await store.look(message);
  if (delivery === undefined || delivery.status !== 'pending' || message.attempt < delivery.attempt) {
    return logOutcome('obsolete');
  }
  if (webhook === undefined) {
    await store.giveUp(owner, delivery, now());
    return logOutcome('webhook_deleted');
  }
  if (!webhook.isActive) {
    await store.suspend(owner, delivery, now());
    return logOutcome('webhook_disabled');
  }
  const seenAt = now();
  const dueIn = inSeconds(seenAt, delivery.nextAttemptAt ?? seenAt.toISOString());
  if (dueIn > 0) {
    await sendAgain(dueIn, { lane: 'slow' });
    return logOutcome('not_due');
  }
  if (lane === 'fast' && !isHealthy(health)) {
    await sendAgain(0, { lane: 'slow' });
    return logOutcome('moved_to_slow');
  }
  const leasedFor = inSeconds(seenAt, leaseEnd(delivery) ?? seenAt.toISOString());
  if (leasedFor > 0) {
    // The worker that makes the attempt may have crashed: only the record tells, once the lease is over.
    await sendAgain(leasedFor);
    return logOutcome('attempt_under_way');
  }

  // Before the delivery is claimed: a key that cannot be used must not keep others from it.
  const signer = await secrets.reveal(webhook);
  const [hold, event] = await Promise.all([
    store.begin(owner, delivery, health, lane, seenAt),
    store.event(owner, delivery),
  ]);
  if (hold === undefined) return waitForSlot();
  if (event === undefined) {
    await store.giveUp(owner, delivery, now());
    return logOutcome('event_expired');
  }

  const body = bodyOf(event);
  const attemptedAt = now();
  const signature = signatureHeaders(signer, { eventId: event.eventId, body, at: attemptedAt });
  const { retryAfter, ...answer } = await exchange({
    url: webhook.url,
    headers: { ...headers, ...signature },
    body,
  });
  const at = now();
  const outcome = consequenceOf(
    { ...answer, retryAfter },
    {
      retry: delivery.retry,
      at,
      firstFailureAt: health.firstFailureAt === undefined ? undefined : new Date(health.firstFailureAt),
      random: random(),
    },
  );
  await sendNext(delivery, outcome.nextAttemptAt, at);
  const attempt = { attemptedAt: attemptedAt.toISOString(), ...answer };
  const { disabled } = await store.record(owner, {
    delivery,
    webhook,
    health,
    hold,
    attempt,
    outcome,
    at,
  });
  return logOutcome(outcome.status === 'pending' ? 'retried' : outcome.status, {
    eventId: event.eventId,
    webhookType: event.webhookType,
    statusCode: answer.statusCode,
    fault: answer.error,
    durationMs: answer.durationMs,
    nextAttemptAt: outcome.nextAttemptAt?.toISOString() ?? null,
    disabled,
  });

  /** Every retry goes the slow way. */
  async function sendNext({ attempt: number }: QueuedDelivery, next: Date | null, from: Date): Promise<void> {
    if (next === null) return;
    const { waits: _, ...rest } = message;
    const delaySeconds = Math.min(inSeconds(from, next.toISOString()), longestDelaySeconds);
    await queues.send([{ message: { ...rest, attempt: number + 1, lane: 'slow' }, delaySeconds }]);
  }
}

const headers = {
  'Content-Type': 'application/json',
  'User-Agent': 'insurance-compliance-webhooks/1',
} as const;
