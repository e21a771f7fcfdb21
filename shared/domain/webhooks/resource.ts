import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId, recordTimes, timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { webhookType } from '../events/payloads.ts';
import { destination } from './destination.ts';
import { webhookFilter } from './filter.ts';

const { createdAt, updatedAt } = recordTimes.shape;

export const webhookFields = fields(() => ({
  _id: objectId,
  /** Null with a destination. */
  url: z.nullable(z.string()),
  destination: z.nullable(destination),
  types: z.array(webhookType),
  filter: z.nullable(webhookFilter),
  isActive: z.boolean(),
  disabledReason: z.nullable(z.string()),
  secretLastFour: z.string(),
  createdAt,
  updatedAt,
}));

/** A webhook. */
export const webhook = object(() => webhookFields.shape);

export type Webhook = z.output<typeof webhook>;

/** A webhook as v1 has it, which knows none with a destination, and no filter. */
export const webhookV1 = object(() => {
  const { destination: _, filter: _filter, ...shown } = webhookFields.shape;
  return { ...shown, url: z.string() };
});

/** A webhook together with its signing secret, which is shown once. */
export const webhookWithSecret = object(() => ({ ...webhookFields.shape, secret: z.string() }));

export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const deliveryStatus = z.enum(deliveryStatuses);

/** What a list of deliveries is narrowed by. */
export const deliveryFilters = fields(() => ({
  status: z.optional(deliveryStatus),
  webhookType: z.optional(webhookType),
}));

/** One attempt to deliver. */
export const deliveryAttempt = object(() => ({
  attemptedAt: timestamp,
  statusCode: z.nullable(z.int()),
  durationMs: z.int(),
  error: z.nullable(z.string()),
  responseBody: z.nullable(z.string()),
}));

/** The delivery of an event to a webhook, with the attempts so far. */
export const webhookDelivery = storedItem(
  'webhooks/listed-delivery',
  object(() => ({
    _id: objectId,
    webhookId: objectId,
    eventId: z.string(),
    webhookType,
    status: deliveryStatus,
    attempts: z.array(deliveryAttempt),
    nextAttemptAt: z.nullable(timestamp),
    createdAt: timestamp,
    updatedAt: timestamp,
  })),
);

export type WebhookDelivery = z.output<typeof webhookDelivery>;
