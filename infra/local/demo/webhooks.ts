import * as z from 'zod/mini';
import { exampleEvent } from '#domain/events/example-payloads.ts';
import { type WebhookType, webhookTypes } from '#domain/events/payloads.ts';
import { derivedEventId } from '#domain/events/stored.ts';
import { deliveryIdOf, deliveryItem, type QueuedDelivery } from '#domain/webhooks/stored.ts';
import type { TableWrites } from '#platform/data/table.ts';
import type { DemoClient } from './client.ts';
import { type createWebhookReceiver, receiverPath } from './receiver.ts';

/**
 * Webhooks of the demo: every event goes to the demo's receiver, some also to a receiver that is unreachable. Each has a
 * delivery that succeeded, one that succeeded after a timeout, and one that is waiting for a retry.
 */

const minutes = 60_000;

/** Type, minutes since the event, and status of each attempt, one a minute; null for a timeout. */
const histories = [
  ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 180, [200]],
  ['AGENT_COMPLIANCE_STATUS_CHANGE', 90, [null, 200]],
  ['AGENT_LICENSE_EXPIRING', 2, [null]],
] as const satisfies readonly (readonly [WebhookType, number, readonly (number | null)[]])[];

function deliveries(upstreamEntityId: string, webhookId: string, now: number): QueuedDelivery[] {
  const timeAgo = (ofMinutes: number): string => new Date(now - ofMinutes * minutes).toISOString();
  return histories.map(([webhookType, minutesAgo, attempts]) => {
    const hasSucceeded = attempts.at(-1) === 200;
    const eventId = derivedEventId('demo', webhookId, String(minutesAgo));
    const time = timeAgo(minutesAgo);
    return {
      _id: deliveryIdOf(eventId, webhookId),
      webhookId,
      eventId,
      webhookType,
      status: hasSucceeded ? 'succeeded' : 'pending',
      attempts: attempts.map((statusCode, index) => ({
        attemptedAt: timeAgo(minutesAgo - index),
        statusCode,
        ...(statusCode === null
          ? { durationMs: 15_000, error: 'timeout', responseBody: null }
          : { durationMs: 84, error: null, responseBody: 'ok' }),
      })),
      nextAttemptAt: hasSucceeded ? null : timeAgo(-3),
      createdAt: time,
      updatedAt: time,
      event: { inline: { ...exampleEvent(webhookType, upstreamEntityId, new Date(time)), eventId } },
      attempt: attempts.length + 1,
      retry: attempts.length,
    };
  });
}

export interface WebhooksOptions {
  /** The carrier's API client and organization. */
  readonly client: DemoClient;
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly receiver: Pick<ReturnType<typeof createWebhookReceiver>, 'addSecret'>;
  /** The table of webhooks, for past deliveries, which no API call can create. */
  readonly webhooks: Pick<TableWrites, 'putAll'>;
}

/** Registers webhooks as the carrier, and stores deliveries to them. */
export async function seedWebhooks(options: WebhooksOptions): Promise<void> {
  const { client, organizationId, baseUrl, receiver, webhooks } = options;
  const createdWebhook = z.looseObject({ _id: z.string(), secret: z.string() });
  const registrations = [
    { url: `${baseUrl}${receiverPath}`, types: webhookTypes },
    // A reserved name that never resolves (RFC 2606).
    { url: 'https://hooks.beacon-specialty.example/agreements', types: ['PRODUCER_AGREEMENT_EXECUTED'] },
  ];
  // Sequentially, so that the first one is also the first in the list.
  const ids: string[] = [];
  for (const webhook of registrations) {
    const { _id, secret } = await client.post('/v2/upstream/webhooks', webhook, createdWebhook);
    receiver.addSecret(_id, secret);
    ids.push(_id);
  }
  const now = Date.now();
  const items = ids.flatMap((webhookId) =>
    deliveries(organizationId, webhookId, now).map((delivery) => deliveryItem(organizationId, delivery)),
  );
  await webhooks.putAll(items);
}
