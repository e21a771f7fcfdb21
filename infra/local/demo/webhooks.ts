import * as z from 'zod/mini';
import { exampleEvent } from '../../../shared/events/example-event.ts';
import { derivedEventId } from '../../../shared/events/stored.ts';
import { type WebhookType, webhookTypes } from '../../../shared/resources/webhook.ts';
import { deliveryIdOf, type QueuedDelivery } from '../../../shared/webhooks/deliveries.ts';
import { deliveryItem } from '../../../shared/webhooks/stored.ts';
import type { DemoClient } from './client.ts';

/**
 * Webhooks of the demo: every event goes to the page at /webhooks, some also to a receiver that is unreachable. Each has a
 * delivery that succeeded, one that succeeded after a timeout, and one that is waiting for a retry.
 */

const minutes = 60_000;

const isoTime = (time: number): string => new Date(time).toISOString();

function deliveries(upstreamEntityId: string, webhookId: string, now: number): QueuedDelivery[] {
  const delivery = (
    minutesAgo: number,
    webhookType: WebhookType,
    outcome: Pick<QueuedDelivery, 'status' | 'attempts' | 'nextAttemptAt'>,
  ): QueuedDelivery => {
    const eventId = derivedEventId('demo', webhookId, String(minutesAgo));
    const at = isoTime(now - minutesAgo * minutes);
    const event = { ...exampleEvent(webhookType, upstreamEntityId, new Date(at)), eventId };
    return {
      _id: deliveryIdOf(eventId, webhookId),
      webhookId,
      eventId,
      webhookType,
      ...outcome,
      createdAt: at,
      updatedAt: at,
      event: { inline: event },
      attempt: outcome.attempts.length + 1,
      retry: outcome.attempts.length,
    };
  };
  const attempt = (minutesAgo: number, statusCode: number | null) => ({
    attemptedAt: isoTime(now - minutesAgo * minutes),
    statusCode,
    durationMs: statusCode === null ? 15_000 : 84,
    error: statusCode === null ? 'timeout' : null,
    responseBody: statusCode === null ? null : 'ok',
  });
  return [
    delivery(180, 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', {
      status: 'succeeded',
      attempts: [attempt(180, 200)],
      nextAttemptAt: null,
    }),
    delivery(90, 'AGENT_COMPLIANCE_STATUS_CHANGE', {
      status: 'succeeded',
      attempts: [attempt(90, null), attempt(89, 200)],
      nextAttemptAt: null,
    }),
    delivery(2, 'AGENT_LICENSE_EXPIRING', {
      status: 'pending',
      attempts: [attempt(2, null)],
      nextAttemptAt: isoTime(now + 3 * minutes),
    }),
  ];
}

/** The receiver that the demo's events are delivered to. */
export interface DemoReceiver {
  /** Path that accepts deliveries. */
  readonly path: string;
  /** Sets the secret that verifies a webhook's deliveries. */
  know(webhookId: string, secret: string): void;
}

interface SeedOptions {
  /** The carrier's API client and organization. */
  readonly client: DemoClient;
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly receiver: DemoReceiver;
  /** Stores a past delivery, which no API call can create. */
  readonly putDelivery: (item: Record<string, unknown>) => Promise<void>;
}

/** Registers webhooks as the carrier, and stores deliveries to them. */
export async function seedWebhooks(options: SeedOptions): Promise<void> {
  const { client, organizationId, baseUrl, receiver, putDelivery } = options;
  const created = z.looseObject({ _id: z.string(), secret: z.string() });
  const registered = [
    { url: `${baseUrl}${receiver.path}`, types: webhookTypes },
    // A reserved name that never resolves (RFC 2606).
    { url: 'https://hooks.beacon-specialty.example/agreements', types: ['PRODUCER_AGREEMENT_EXECUTED'] },
  ];
  // Sequentially, so that the first one is also the first in the list.
  const ids: string[] = [];
  for (const webhook of registered) {
    const { _id, secret } = await client.post('/v2/upstream/webhooks', webhook, created);
    receiver.know(_id, secret);
    ids.push(_id);
  }
  const now = Date.now();
  const items = ids.flatMap((webhookId) =>
    deliveries(organizationId, webhookId, now).map((one) => deliveryItem(organizationId, one)),
  );
  await Promise.all(items.map(putDelivery));
}
