import * as z from 'zod/mini';
import { feedEvent, feedEventType, webhookType } from '#domain/events/payloads.ts';
import {
  deliveryFilters,
  deliveryStatus,
  eachOnce,
  newWebhook,
  types,
  webhook,
  webhookChanges,
  webhookDelivery,
  webhookWithSecret,
} from '#domain/webhooks/resource.ts';
import { instant, pageQuery, timestamp, wholeNumber } from '#platform/contract/primitives.ts';
import { getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'webhook_settings' } as const;
/** v1 is older than the feature and does not require it. */
const ofV1 = { access: { kind: 'upstream', feature: null } } as const;

/** Positions of the feed. */
export const positions = { min: 0, max: 999_999_999_999_999 };
export const position = wholeNumber(positions);

/** The query of the feed of events. */
export const feedQuery = z.object({
  after: z.optional(
    z.union([position, z.literal('latest')], 'must be a position, which is a whole number, or "latest"'),
  ),
  /** Separated by commas. */
  types: z.optional(
    z.pipe(
      z.transform((list: unknown) => String(list).split(',')),
      eachOnce(feedEventType),
    ),
  ),
  limit: pageQuery.shape.limit,
});

export const testEvent = z.strictObject({ webhookType: z.optional(webhookType) });

/** Hours before a request since when its list has deliveries, if it does not say. */
export const deliveriesWindowHours = 24;

export const replay = z.strictObject({
  since: instant,
  until: instant,
  types: z.optional(types),
  status: z.optional(deliveryStatus),
});

export const replayAnswer = z.object({
  queued: z.int(),
  hasMore: z.boolean(),
  nextSince: z.nullable(timestamp),
});

const listWebhooks = listAll('/v2/upstream/webhooks', access, webhook);

const updateWebhook = {
  method: 'PATCH',
  path: '/v2/upstream/webhooks/{webhookId}',
  access,
  body: webhookChanges,
  answer: { status: 200, one: webhook },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

export const webhookRoutes = routeGroup(
  'webhooks',
  {
    listWebhooks,
    listWebhooksV1: v1(listWebhooks, ofV1),
    listEvents: {
      method: 'GET',
      path: '/v2/upstream/events',
      access,
      query: feedQuery,
      answer: { status: 200, cursor: feedEvent },
    },
    createWebhook: {
      method: 'POST',
      path: '/v2/upstream/webhooks',
      access,
      body: newWebhook,
      answer: { status: 201, one: webhookWithSecret },
      errors: ['conflict', 'transient_transaction_error'],
    },
    getWebhook: getOne('/v2/upstream/webhooks/{webhookId}', access, webhook),
    updateWebhook,
    updateWebhookV1: v1(updateWebhook, ofV1),
    deleteWebhook: {
      method: 'DELETE',
      path: '/v2/upstream/webhooks/{webhookId}',
      access,
      answer: { status: 200, one: webhook },
      errors: ['transient_transaction_error'],
    },
    rotateWebhookSecret: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/rotate-secret',
      access,
      answer: { status: 200, one: webhookWithSecret },
      errors: ['transient_transaction_error'],
    },
    testWebhook: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/test',
      access,
      body: testEvent,
      isBodyOptional: true,
      answer: { status: 202, one: webhookDelivery },
      errors: ['conflict', 'transient_transaction_error'],
    },
    listWebhookDeliveries: {
      method: 'GET',
      path: '/v2/upstream/webhooks/{webhookId}/deliveries',
      access,
      query: z.object({ ...pageQuery.shape, ...deliveryFilters.shape, since: z.optional(instant) }),
      answer: { status: 200, page: webhookDelivery, as: 'items', with: { since: timestamp } },
    },
    redeliverWebhookDelivery: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      access,
      answer: { status: 202, one: webhookDelivery },
      errors: ['conflict', 'transient_transaction_error'],
    },
    replayWebhook: {
      method: 'POST',
      path: '/v2/upstream/webhooks/{webhookId}/replay',
      access,
      body: replay,
      answer: { status: 202, one: replayAnswer },
      errors: ['conflict', 'transient_transaction_error'],
    },
  },
  { openLists: 6 },
);
