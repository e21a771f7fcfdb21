import * as z from 'zod/mini';
import { pageQuery, timestamp } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import {
  deliveryStatuses,
  webhook,
  webhookDelivery,
  webhookType,
  webhookTypes,
  webhookWithSecret,
} from '../../shared/resources/webhook.ts';
import { longestUrl } from '../../shared/webhooks/address.ts';

const access = { kind: 'upstream', feature: 'webhook_settings' } as const;
/** v1 is as it was before there was the feature (specification, "Upstream: webhooks": the v2 route needs it). */
const accessV1 = { kind: 'upstream', feature: null } as const;

/** What else a URL must be hangs on the environment: the operations check it. */
const url = z
  .string()
  .check(z.maxLength(longestUrl))
  .register(z.globalRegistry, {
    description:
      'Where events are delivered: https, port 443 or 8443, a public host name or address, no credentials, no fragment.',
    examples: ['https://example.com/hooks/compliance'],
  });

const types = z
  .array(webhookType)
  .check(
    z.minLength(1),
    z.maxLength(webhookTypes.length),
    z.refine((given) => new Set(given).size === given.length, 'names a type more than once'),
  )
  .register(z.globalRegistry, {
    description: 'Types of the events that are delivered.',
    uniqueItems: true,
    examples: [['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING']],
  });

const newWebhook = z.strictObject({ url, types }).register(z.globalRegistry, {
  id: 'NewWebhook',
  description: 'A webhook to register.',
  examples: [
    {
      url: 'https://example.com/hooks/compliance',
      types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING'],
    },
  ],
});

const webhookChanges = z
  .strictObject({
    url: z.optional(url),
    types: z.optional(types),
    isActive: z.optional(
      z.boolean().register(z.globalRegistry, {
        description: 'Whether events are delivered. `true` also clears `disabledReason`.',
        examples: [true],
      }),
    ),
  })
  .check(z.refine((changes) => Object.keys(changes).length > 0, 'needs url, types or isActive'))
  .register(z.globalRegistry, {
    id: 'WebhookChanges',
    description: 'What is to change of a webhook; what is left out stays.',
    minProperties: 1,
    examples: [{ types: ['AGENT_LICENSE_EXPIRING', 'AGENT_LICENSE_EXPIRED'] }],
  });

const testEvent = z.strictObject({ webhookType: z.optional(webhookType) }).register(z.globalRegistry, {
  id: 'WebhookTest',
  description: 'Which type to deliver an example of; the first of the webhook’s types unless told.',
  examples: [{ webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' }],
});

const replayTime = (description: string, example: string) =>
  z.iso.datetime({ offset: true }).register(z.globalRegistry, { description, examples: [example] });

const replay = z
  .strictObject({
    since: replayTime(
      'Start of the time in which the deliveries were made, included.',
      '2026-06-01T00:00:00.000Z',
    ),
    until: replayTime('End of that time, not included.', '2026-06-02T00:00:00.000Z'),
    types: z.optional(types),
    status: z.optional(
      z.enum(deliveryStatuses).register(z.globalRegistry, {
        description: 'Only events whose delivery stands so.',
        examples: ['failed'],
      }),
    ),
  })
  .register(z.globalRegistry, {
    id: 'WebhookReplay',
    description: 'Which events to deliver again.',
    examples: [{ since: '2026-06-01T00:00:00.000Z', until: '2026-06-02T00:00:00.000Z', status: 'failed' }],
  });

const replayAnswer = z
  .object({
    queued: z.int().register(z.globalRegistry, {
      description: 'How many deliveries are under way.',
      examples: [12],
    }),
    hasMore: z.boolean().register(z.globalRegistry, {
      description: 'Whether deliveries of the time were left: at most 1,000 are set going at once.',
      examples: [false],
    }),
    nextSince: z.nullable(timestamp).register(z.globalRegistry, {
      description: 'Send the request again with this as `since` for the others; null where there are none.',
    }),
  })
  .register(z.globalRegistry, {
    id: 'WebhookReplayAnswer',
    description: 'What a replay has set going.',
    examples: [{ queued: 12, hasMore: false, nextSince: null }],
  });

const listWebhooks = {
  method: 'GET',
  path: '/v2/upstream/webhooks',
  access,
  rate: 'none',
  summary: 'List webhooks',
  description: 'Every webhook of the organization, oldest first; at most 20.',
  answer: { status: 200, all: webhook },
  errors: [],
} as const satisfies Route;

const updateWebhook = {
  method: 'PATCH',
  path: '/v2/upstream/webhooks/{webhookId}',
  access,
  rate: 'write',
  summary: 'Change a webhook',
  description:
    'Changes the URL, the types or whether events are delivered; at least one is needed. The signing secret stays.',
  body: webhookChanges,
  answer: { status: 200, one: webhook },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

/** Specification, "Upstream: webhooks". */
export const webhookRoutes = routeGroup('webhooks', 'Where events are delivered, and their deliveries.', {
  listWebhooks,
  listWebhooksV1: { ...listWebhooks, path: '/v1/webhooks', access: accessV1 },
  createWebhook: {
    method: 'POST',
    path: '/v2/upstream/webhooks',
    access,
    rate: 'write',
    summary: 'Register a webhook',
    description:
      'Registers a receiver of events. The signing secret is in this answer and in that of a rotation, nowhere else. An organization has at most 20 webhooks; one more answers 409 `conflict`.',
    body: newWebhook,
    answer: { status: 201, one: webhookWithSecret },
    errors: ['conflict', 'transient_transaction_error'],
  },
  getWebhook: {
    method: 'GET',
    path: '/v2/upstream/webhooks/{webhookId}',
    access,
    rate: 'none',
    summary: 'Get a webhook',
    description: 'One webhook by its id, without its secret.',
    answer: { status: 200, one: webhook },
    errors: [],
  },
  updateWebhook,
  updateWebhookV1: { ...updateWebhook, path: '/v1/webhooks/{webhookId}', access: accessV1 },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v2/upstream/webhooks/{webhookId}',
    access,
    rate: 'write',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook and answers it as it was. Its deliveries can no longer be read.',
    answer: { status: 200, one: webhook },
    errors: ['transient_transaction_error'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v2/upstream/webhooks/{webhookId}/rotate-secret',
    access,
    rate: 'write',
    summary: 'Rotate a webhook’s secret',
    description:
      'Makes a new signing secret. For 24 hours `webhook-signature` carries a signature with each of the new and the previous secret; `X-Service-Signature` uses the new one at once. A further rotation ends the time of the secret before the previous one.',
    answer: { status: 200, one: webhookWithSecret },
    errors: ['transient_transaction_error'],
  },
  testWebhook: {
    method: 'POST',
    path: '/v2/upstream/webhooks/{webhookId}/test',
    access,
    rate: 'write',
    summary: 'Test a webhook',
    description:
      'Delivers an example of an event. `{}` takes the first of the webhook’s types. A disabled webhook answers 409 `conflict`.',
    body: testEvent,
    answer: { status: 202, one: webhookDelivery },
    errors: ['conflict', 'service_unavailable', 'transient_transaction_error'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v2/upstream/webhooks/{webhookId}/deliveries',
    access,
    rate: 'none',
    summary: 'List the deliveries of a webhook',
    description:
      'Deliveries of the last 30 days with their attempts, newest first; new ones move the others to later places.',
    query: pageQuery,
    answer: { status: 200, page: webhookDelivery, as: 'items' },
    errors: [],
  },
  redeliverWebhookDelivery: {
    method: 'POST',
    path: '/v2/upstream/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    access,
    rate: 'write',
    summary: 'Deliver again',
    description:
      'Delivers the event of a delivery once more, with all retries, whatever became of it before. A disabled webhook answers 409 `conflict`.',
    answer: { status: 202, one: webhookDelivery },
    errors: ['conflict', 'service_unavailable', 'transient_transaction_error'],
  },
  replayWebhookDeliveries: {
    method: 'POST',
    path: '/v2/upstream/webhooks/{webhookId}/replay',
    access,
    rate: 'write',
    summary: 'Replay events',
    description:
      'Delivers the events of a time again, oldest first, those that came while the webhook was disabled included; at most 1,000 at once. A disabled webhook answers 409 `conflict`.',
    body: replay,
    answer: { status: 202, one: replayAnswer },
    errors: ['conflict', 'service_unavailable', 'transient_transaction_error'],
  },
});
