import type * as z from 'zod/mini';
import { eventOf } from '../../shared/events/event.ts';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import type { Parameter, Tag, WebhookOperation } from './document.ts';
import type { PublishedSchemas } from './schemas.ts';

export const eventsTag: Tag = {
  name: 'Events',
  description:
    'What the service delivers to webhooks. Each is sent at least once, with the same `eventId` every time; an answer of 2xx within 15 seconds is success, anything else is tried again over 75 hours.',
};

const events = webhookTypes.map((type) => ({ type, schema: eventOf(type) }));

/** The schemas that the webhooks show. */
export const eventSchemas: readonly z.core.$ZodType[] = events.map(({ schema }) => schema);

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

/** Headers of a delivery (specification, "Delivery"; Standard Webhooks). */
const headers: readonly Parameter[] = [
  header(
    'X-Service-Signature',
    'HMAC-SHA256, hexadecimal, over `{timestamp}.{body}`, keyed with the webhook’s secret as it was given. Verify it before anything else.',
    '3a5f0c9e7b1d2f4a6c8e0b3d5f7a9c1e3b5d7f9a1c3e5b7d9f1a3c5e7b9d1f3a',
  ),
  header('X-Service-Timestamp', 'Unix seconds at which this attempt was signed.', '1780304400'),
  header('X-Service-Webhook-Id', 'The webhook, and so the secret that signed.', '65f0c1d2e3a4b5c6d7e8f914'),
  header('webhook-id', 'The `eventId` (Standard Webhooks).', '0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21'),
  header('webhook-timestamp', 'As `X-Service-Timestamp` (Standard Webhooks).', '1780304400'),
  header(
    'webhook-signature',
    'Signatures of Standard Webhooks, separated by a space: two while a rotated secret overlaps with the one before.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** `AGENT_LICENSE_EXPIRING` as an operationId: `onAgentLicenseExpiring`. */
const operationIdOf = (type: string): string =>
  `on${type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}`;

/** What a receiver of every type of event is sent, as the `webhooks` of an OpenAPI document. */
export function webhooksOf(
  schemas: PublishedSchemas,
): Readonly<Record<string, { readonly post: WebhookOperation }>> {
  return Object.fromEntries(
    events.map(({ type, schema }) => {
      const json = schemas.of(schema, 'output');
      const payload = json.properties?.['payload'];
      if (typeof payload !== 'object') throw new Error(`The event ${type} has no payload.`);
      const post: WebhookOperation = {
        operationId: operationIdOf(type),
        tags: [eventsTag.name],
        summary: type,
        description: schemas.resolve(payload).description ?? type,
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: json, example: schemas.exampleOf(json) } },
        },
        responses: {
          '2XX': { description: 'The event is received. The service reads no more of the answer than 2 KB.' },
          '410': { description: 'The receiver is gone: the webhook is disabled at once.' },
          '4XX': { description: 'Not received; tried again. 429 may say when in `Retry-After`.' },
        },
      };
      return [type, { post }];
    }),
  );
}
