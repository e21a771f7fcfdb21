import * as z from 'zod/mini';
import { longestUrl } from '../../shared/domain/webhooks/address.ts';
import {
  deliveryFilters,
  deliveryStatus,
  webhook,
  webhookDelivery,
  webhookType,
  webhookWithSecret,
} from '../../shared/domain/webhooks/resource.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyObject, lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { pageQuery, timestamp } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';
import { listEvents, types } from './events-route.ts';

const access = { kind: 'upstream', feature: 'webhook_settings' } as const;
/** v1 is older than the feature and does not require it. */
const ofV1 = { access: { kind: 'upstream', feature: null } } as const;

/** What else a URL must be depends on the environment: the operations check it. */
const url = described(
  z.string().check(z.maxLength(longestUrl)),
  DOCUMENTED && {
    description:
      'Where events are delivered: an https URL with port 443 or 8443, a public host name or IP address, no credentials, and no fragment.',
    examples: ['https://example.com/hooks/compliance'],
  },
);

const newWebhook = described(
  lazyStrictObject(() => ({ url, types })),
  DOCUMENTED && {
    id: 'NewWebhook',
    description: 'A webhook to register.',
    examples: [
      {
        url: 'https://example.com/hooks/compliance',
        types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING'],
      },
    ],
  },
);

const webhookChanges = described(
  lazyStrictObject(
    () => ({
      url: z.optional(url),
      types: z.optional(types),
      ...describedShape(
        { isActive: z.optional(z.boolean()) },
        DOCUMENTED && {
          isActive: {
            description: 'Whether events are delivered. `true` also clears `disabledReason`.',
            examples: [true],
          },
        },
      ),
    }),
    z.refine((changes) => Object.keys(changes).length > 0, 'requires url, types, or isActive'),
  ),
  DOCUMENTED && {
    id: 'WebhookChanges',
    description: 'Fields to change; an omitted field is not changed.',
    minProperties: 1,
    examples: [{ types: ['AGENT_LICENSE_EXPIRING', 'AGENT_LICENSE_EXPIRED'] }],
  },
);

const testEvent = described(
  lazyStrictObject(() =>
    describedShape(
      { webhookType: z.optional(webhookType) },
      DOCUMENTED && { webhookType: 'Type of the example event; the webhook’s first type by default.' },
    ),
  ),
  DOCUMENTED && {
    id: 'WebhookTest',
    description: 'The type of the example event; defaults to the first of the webhook’s types.',
    examples: [{ webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' }],
  },
);

const replayTime = z.iso.datetime({ offset: true });

const replay = described(
  lazyStrictObject(() =>
    describedShape(
      {
        since: replayTime,
        until: replayTime,
        types: z.optional(types),
        status: z.optional(deliveryStatus),
      },
      DOCUMENTED && {
        since: {
          description: 'Replay deliveries created at or after this time.',
          examples: ['2026-06-01T00:00:00.000Z'],
        },
        until: {
          description: 'Replay deliveries created before this time.',
          examples: ['2026-06-02T00:00:00.000Z'],
        },
        types: 'Replay only events of these types; of all the webhook’s deliveries by default.',
        status: {
          description: 'Replay only deliveries with this status; with any by default.',
          examples: ['failed'],
        },
      },
    ),
  ),
  DOCUMENTED && {
    id: 'WebhookReplay',
    description: 'Which events to deliver again.',
    examples: [{ since: '2026-06-01T00:00:00.000Z', until: '2026-06-02T00:00:00.000Z', status: 'failed' }],
  },
);

const replayAnswer = described(
  lazyObject(() =>
    describedShape(
      { queued: z.int(), hasMore: z.boolean(), nextSince: z.nullable(timestamp) },
      DOCUMENTED && {
        queued: { description: 'Number of deliveries that this request queued.', examples: [12] },
        hasMore: {
          description: 'Whether more deliveries match; one request queues at most 1,000.',
          examples: [false],
        },
        nextSince: 'Value of `since` for the next request; null when there are no more deliveries.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'WebhookReplayResult',
    description: 'The result of a replay.',
    examples: [{ queued: 12, hasMore: false, nextSince: null }],
  },
);

const listWebhooks = {
  method: 'GET',
  path: '/v2/upstream/webhooks',
  access,
  summary: DOCUMENTED && 'List webhooks',
  description: DOCUMENTED && 'Returns all webhooks of the organization, oldest first; there are at most 20.',
  success: DOCUMENTED && 'All webhooks of the organization, without their secrets.',
  answer: { status: 200, all: webhook },
} as const satisfies Route;

const updateWebhook = {
  method: 'PATCH',
  path: '/v2/upstream/webhooks/{webhookId}',
  access,
  summary: DOCUMENTED && 'Change a webhook',
  description:
    DOCUMENTED &&
    `Changes the URL, the types, or whether events are delivered; at least one is required. The signing secret stays the same. The same restrictions on URLs apply as when registering a webhook.

\`isActive: true\` clears \`disabledReason\`; \`false\` keeps it. Changing the URL or enabling the webhook restarts the five days of failures after which a webhook is disabled.`,
  success: DOCUMENTED && 'The webhook as it is from now on; its secret is unchanged.',
  body: webhookChanges,
  answer: { status: 200, one: webhook },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

export const webhookRoutes = routeGroup(
  'webhooks',
  DOCUMENTED && 'Receivers of events, deliveries to them, and the events themselves.',
  {
    listWebhooks,
    listWebhooksV1: v1(listWebhooks, ofV1),
    listEvents,
    createWebhook: {
      method: 'POST',
      path: '/v2/upstream/webhooks',
      access,
      summary: DOCUMENTED && 'Register a webhook',
      description:
        DOCUMENTED &&
        `Registers a receiver of events, which is active immediately. The signing secret is returned only here and when it is rotated. An organization can have at most 20 webhooks; the 21st returns 409 \`conflict\`.

A public IP address is accepted as the host. Credentials, fragments, \`localhost\`, single-label hosts, \`.local\` and \`.internal\` hosts, and IPv6 addresses outside 2000::/3 are not. If a host name resolves to several addresses, all of them must be allowed. Only the local environment also accepts \`http\` to a loopback address.`,
      success: DOCUMENTED && 'The webhook is active; keep its secret, which is not shown again.',
      body: newWebhook,
      answer: { status: 201, one: webhookWithSecret },
      errors: ['conflict', 'transient_transaction_error'],
    },
    getWebhook: {
      method: 'GET',
      path: '/v2/upstream/webhooks/{webhookId}',
      access,
      summary: DOCUMENTED && 'Get a webhook',
      description: DOCUMENTED && 'Returns one webhook, without its secret.',
      success: DOCUMENTED && 'The webhook, without its secret.',
      answer: { status: 200, one: webhook },
    },
    updateWebhook,
    updateWebhookV1: v1(updateWebhook, ofV1),
    deleteWebhook: {
      method: 'DELETE',
      path: '/v2/upstream/webhooks/{webhookId}',
      access,
      summary: DOCUMENTED && 'Delete a webhook',
      description: DOCUMENTED && 'Deletes a webhook and its deliveries, and returns the webhook as it was.',
      success: DOCUMENTED && 'The webhook as it was before it was deleted.',
      answer: { status: 200, one: webhook },
      errors: ['transient_transaction_error'],
    },
    rotateWebhookSecret: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/rotate-secret',
      access,
      summary: DOCUMENTED && 'Rotate a webhook’s secret',
      description:
        DOCUMENTED &&
        'Creates a new signing secret. For 24 hours, `webhook-signature` has two signatures, one with the new secret and one with the previous one; `X-Service-Signature` uses the new secret immediately. A second rotation within 24 hours invalidates the older of the two secrets.',
      success: DOCUMENTED && 'The webhook with its new secret, which is not shown again.',
      answer: { status: 200, one: webhookWithSecret },
      errors: ['transient_transaction_error'],
    },
    testWebhook: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/test',
      access,
      summary: DOCUMENTED && 'Test a webhook',
      description:
        DOCUMENTED &&
        'Delivers an example event, which has `isTest: true` and is never replayed. Without a body, or with `{}`, it has the first of the webhook’s types. A disabled webhook returns 409 `conflict`.',
      success: DOCUMENTED && 'The delivery of the example event, which is queued.',
      body: testEvent,
      isBodyOptional: true,
      answer: { status: 202, one: webhookDelivery },
      errors: ['conflict', 'transient_transaction_error'],
    },
    listWebhookDeliveries: {
      method: 'GET',
      path: '/v2/upstream/webhooks/{webhookId}/deliveries',
      access,
      summary: DOCUMENTED && 'List the deliveries of a webhook',
      description:
        DOCUMENTED &&
        'Returns the deliveries of the last 30 days, newest first, each with its last 25 attempts. Filters combine. New deliveries move the others to later positions, and a delivery whose status changes leaves the list of its previous one.',
      success: DOCUMENTED && 'The deliveries on this page, newest first.',
      query: lazily(() => ({ ...pageQuery(), ...deliveryFilters() })),
      answer: { status: 200, page: webhookDelivery, as: 'items' },
    },
    redeliverWebhookDelivery: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      access,
      summary: DOCUMENTED && 'Redeliver an event',
      description:
        DOCUMENTED &&
        'Delivers an event again, regardless of the status of its delivery, and restarts the retry schedule. A disabled webhook returns 409 `conflict`.',
      success: DOCUMENTED && 'The delivery, which is queued again.',
      answer: { status: 202, one: webhookDelivery },
      errors: ['conflict', 'transient_transaction_error'],
    },
    replayWebhookDeliveries: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/replay',
      access,
      summary: DOCUMENTED && 'Replay events',
      description:
        DOCUMENTED &&
        'Delivers again the events whose deliveries were created from `since` (inclusive) to `until` (exclusive), oldest first, at most 1,000 in one request. Events from times when the webhook was disabled are included, test events are not. A disabled webhook returns 409 `conflict`.',
      success: DOCUMENTED && 'The matching deliveries are queued; `nextSince` continues after 1,000 of them.',
      body: replay,
      answer: { status: 202, one: replayAnswer },
      errors: ['conflict', 'transient_transaction_error'],
    },
  },
);
