import * as z from 'zod/mini';
import { exampleEvent } from '../../../shared/events/example-event.ts';
import { derivedEventId } from '../../../shared/events/stored.ts';
import { type WebhookType, webhookTypes } from '../../../shared/resources/webhook.ts';
import { deliveryIdOf, type QueuedDelivery } from '../../../shared/webhooks/deliveries.ts';
import { deliveryItem } from '../../../shared/webhooks/stored.ts';

/**
 * Webhooks of the demo: every event goes to the page at /webhooks, and some to a receiver that cannot be reached. Deliveries
 * as they look when a receiver answers, does not, and has yet to be tried.
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

/** The carrier whose webhooks are registered. */
interface Carrier {
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where the demo's events go. */
export interface DemoReceiver {
  /** Path of the address that takes deliveries. */
  readonly path: string;
  /** Tells the secret with which a webhook's deliveries are verified. */
  know(webhookId: string, secret: string): void;
}

/**
 * Registers webhooks as the carrier does it itself.
 * @param putDelivery stores what no caller can make: a delivery that has taken place.
 */
export async function seedWebhooks(
  baseUrl: string,
  { organizationId, clientId, clientSecret }: Carrier,
  receiver: DemoReceiver,
  putDelivery: (item: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const post = async <Schema extends z.core.$ZodType>(
    path: string,
    body: object,
    headers: Record<string, string>,
    data: Schema,
  ): Promise<z.output<Schema>> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Seeding: ${path} was answered ${response.status}: ${text}`);
    return z.parse(data, z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(text)).data);
  };
  const token = z.object({ accessToken: z.string() });
  const { accessToken } = await post('/v2/auth/jwt', { clientId, clientSecret }, {}, token);
  const bearer = { authorization: `Bearer ${accessToken}` };
  const created = z.looseObject({ _id: z.string(), secret: z.string() });
  const registered = [
    { url: `${baseUrl}${receiver.path}`, types: webhookTypes },
    // A name that nobody can have (RFC 2606).
    { url: 'https://hooks.beacon-specialty.example/agreements', types: ['PRODUCER_AGREEMENT_EXECUTED'] },
  ];
  // One after the other: the first that is registered is the first on the list.
  const ids: string[] = [];
  for (const webhook of registered) {
    const { _id, secret } = await post('/v2/upstream/webhooks', webhook, bearer, created);
    receiver.know(_id, secret);
    ids.push(_id);
  }
  const now = Date.now();
  const items = ids.flatMap((webhookId) =>
    deliveries(organizationId, webhookId, now).map((one) => deliveryItem(organizationId, one)),
  );
  await Promise.all(items.map(putDelivery));
}
