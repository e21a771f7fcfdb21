import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '../../../shared/platform/contract/responses.ts';
import { readBody } from '../listener.ts';

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
