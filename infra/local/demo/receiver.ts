import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { commonHeaders } from '#platform/contract/responses.ts';
import { jsonText } from '#platform/data/json.ts';
import { readBody } from '../listener.ts';

/** A webhook request to the demo's receiver. */
export interface ReceivedWebhook {
  /** Time of arrival. */
  readonly receivedAt: string;
  /** Whether `X-Service-Signature` matches the timestamp, the body, and the webhook's secret. */
  readonly signature: 'verified' | 'wrong' | 'unknown';
  readonly body: string;
}

/** Path that accepts webhook requests. */
export const receiverPath = '/webhooks/receiver';

/** Limit of a request's body; the service's events are far smaller. */
const largestBody = 1_024 * 1_024;

const event = z.pipe(jsonText, z.object({ webhookType: z.string(), sequence: z.optional(z.int()) }));

/** A received request in one line: its type of event, the event's number, and whether the signature is right. */
export function lineOf({ receivedAt, signature, body }: ReceivedWebhook): string {
  const { webhookType = 'not an event', sequence } = z.safeParse(event, body).data ?? {};
  const number = sequence === undefined ? '' : ` ${sequence}`;
  return `${receivedAt}  ${webhookType}${number}, signature ${signature}`;
}

/**
 * A receiver of webhooks for people who try the product, which verifies signatures.
 *
 * @param onWebhook called with every request that it read
 */
export function createWebhookReceiver(onWebhook: (webhook: ReceivedWebhook) => void) {
  const secrets = new Map<string, string>();

  const signatureOf = ({ headers }: IncomingMessage, body: string): ReceivedWebhook['signature'] => {
    const secret = secrets.get(String(headers['x-service-webhook-id']));
    if (secret === undefined) return 'unknown';
    const signedText = `${String(headers['x-service-timestamp'])}.${body}`;
    const expectedSignature = Buffer.from(createHmac('sha256', secret).update(signedText).digest('hex'));
    const givenSignature = Buffer.from(String(headers['x-service-signature']));
    return givenSignature.length === expectedSignature.length &&
      timingSafeEqual(givenSignature, expectedSignature)
      ? 'verified'
      : 'wrong';
  };

  return {
    /** Sets the secret that verifies a webhook's requests. */
    addSecret: (webhookId: string, secret: string): void => void secrets.set(webhookId, secret),
    /** Accepts a webhook's request, but one with a wrong signature. */
    async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = (await readBody(request, largestBody))?.toString('utf8');
      if (body === undefined) return void response.writeHead(413).end();
      const signature = signatureOf(request, body);
      onWebhook({ receivedAt: new Date().toISOString(), signature, body });
      response.writeHead(signature === 'wrong' ? 401 : 204).end();
    },
  };
}

/** Other names that resolve to this machine may belong to a website that wants to read the demo's credentials. */
const isThisMachine = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

/**
 * Serves what the API does not have in AWS: the receiver of the demo's webhook, and the demo's credentials for the reference at
 * `/docs`; leads browsers from `/` to the reference.
 *
 * @param demo the demo's credentials, with which the reference calls the API; undefined while there are none
 * @returns a function that returns whether it handled the request
 */
export function createPages(
  demo: () => object | undefined,
  receiver: Pick<ReturnType<typeof createWebhookReceiver>, 'receive'>,
) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'POST' && path === receiverPath) {
      receiver.receive(request, response).catch(() => response.destroy());
      return true;
    }
    if (request.method !== 'GET' || !isThisMachine(request.headers.host)) return false;
    if (path === '/' && request.headers.accept?.includes('text/html')) {
      response.writeHead(302, { ...commonHeaders, location: '/docs', vary: 'accept' }).end();
    } else if (path === '/docs/demo.json') {
      response.writeHead(200, { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(demo() ?? null));
    } else return false;
    return true;
  };
}
