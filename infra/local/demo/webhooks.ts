import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { exampleEvent } from '../../../shared/domain/events/example-payloads.ts';
import { type WebhookType, webhookTypes } from '../../../shared/domain/events/payloads.ts';
import { derivedEventId } from '../../../shared/domain/events/stored.ts';
import { deliveryIdOf, deliveryItem, type QueuedDelivery } from '../../../shared/domain/webhooks/stored.ts';
import { commonHeaders } from '../../../shared/platform/contract/responses.ts';
import type { TableWrites } from '../../../shared/platform/data/table.ts';
import { readBody } from '../listener.ts';
import type { DemoClient } from './client.ts';

/** A delivery to the built-in receiver. */
export interface Received {
  readonly at: string;
  readonly webhookId: string;
  /** Whether `X-Service-Signature` matches the timestamp, the body and the webhook's secret. */
  readonly signature: 'verified' | 'wrong' | 'secret unknown';
  /** Status of the response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookReceiver = ReturnType<typeof createWebhookReceiver>;

/** Number of past deliveries that a new page shows. */
const remembered = 200;

/** Limit of a delivery's body; the service's events are far smaller. */
const largestBody = 1_024 * 1_024;

/** Path that accepts deliveries. */
const receiverPath = '/webhooks/receiver';

/** GET streams the deliveries to a page, and DELETE forgets them. */
const receivedPath = '/webhooks/received';

/** A receiver of webhooks for people who try the product, and the page that shows its deliveries. */
export function createWebhookReceiver(now: () => Date) {
  const secrets = new Map<string, string>();
  const received: Received[] = [];
  const pages = new Set<ServerResponse>();

  const signatureOf = (request: IncomingMessage, webhookId: string, body: string): Received['signature'] => {
    const secret = secrets.get(webhookId);
    if (secret === undefined) return 'secret unknown';
    const signed = `${header(request, 'x-service-timestamp')}.${body}`;
    const expected = Buffer.from(createHmac('sha256', secret).update(signed).digest('hex'));
    const given = Buffer.from(header(request, 'x-service-signature'));
    return given.length === expected.length && timingSafeEqual(given, expected) ? 'verified' : 'wrong';
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readBody(request, largestBody))?.toString('utf8');
    if (body === undefined) {
      response.writeHead(413).end();
      return;
    }
    const webhookId = header(request, 'x-service-webhook-id');
    const signature = signatureOf(request, webhookId, body);
    const one: Received = {
      at: now().toISOString(),
      webhookId,
      signature,
      status: signature === 'wrong' ? 401 : 204,
      headers: Object.fromEntries(Object.keys(request.headers).map((name) => [name, header(request, name)])),
      body,
    };
    received.push(one);
    if (received.length > remembered) received.shift();
    for (const page of pages) page.write(asEvent(one));
    response.writeHead(one.status).end();
  }

  function follow(response: ServerResponse): void {
    response.writeHead(200, { ...commonHeaders, 'content-type': 'text/event-stream' });
    response.write(received.map(asEvent).join('') || ': nothing yet\n\n');
    pages.add(response);
    response.on('close', () => pages.delete(response));
  }

  function clear(response: ServerResponse): void {
    received.length = 0;
    for (const page of pages) page.write('event: cleared\ndata:\n\n');
    response.writeHead(204).end();
  }

  return {
    path: receiverPath,
    /** Sets the secret that verifies a webhook's deliveries. */
    addSecret: (webhookId: string, secret: string): void => void secrets.set(webhookId, secret),
    /** Returns whether it handled the request. */
    serve(request: IncomingMessage, response: ServerResponse): boolean {
      const [path = ''] = (request.url ?? '').split('?');
      const call = `${request.method} ${path}`;
      if (call === `POST ${receiverPath}`) receive(request, response).catch(() => response.destroy());
      else if (call === `GET ${receivedPath}`) follow(response);
      else if (call === `DELETE ${receivedPath}`) clear(response);
      else return false;
      return true;
    },
  };
}

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

const asEvent = (one: Received): string => `data: ${JSON.stringify(one)}\n\n`;

/**
 * Webhooks of the demo: every event goes to the page at /webhooks, some also to a receiver that is unreachable. Each has a
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
    const at = timeAgo(minutesAgo);
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
      createdAt: at,
      updatedAt: at,
      event: { inline: { ...exampleEvent(webhookType, upstreamEntityId, new Date(at)), eventId } },
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
  readonly receiver: Pick<WebhookReceiver, 'path' | 'addSecret'>;
  /** The table of webhooks, for past deliveries, which no API call can create. */
  readonly webhooks: Pick<TableWrites, 'putAll'>;
}

/** Registers webhooks as the carrier, and stores deliveries to them. */
export async function seedWebhooks(options: WebhooksOptions): Promise<void> {
  const { client, organizationId, baseUrl, receiver, webhooks } = options;
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
    receiver.addSecret(_id, secret);
    ids.push(_id);
  }
  const now = Date.now();
  const items = ids.flatMap((webhookId) =>
    deliveries(organizationId, webhookId, now).map((one) => deliveryItem(organizationId, one)),
  );
  await webhooks.putAll(items);
}
