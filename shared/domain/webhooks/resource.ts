import * as z from 'zod/mini';
import { objectId, recordTimes, timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import { webhookType } from '../events/payloads.ts';

/** Hours for which the secret before a rotation still signs (OpenAPI, "rotateWebhookSecret"). */
export const secretOverlapHours = 24;

/** Bytes of a receiver's response that are read and kept; the connection is closed on what follows (OpenAPI, "Webhooks"). */
export const longestAnswer = 2_048;

const { createdAt, updatedAt } = recordTimes.shape;

/** A webhook. */
export const webhook = z.object({
  _id: objectId,
  url: z.string(),
  types: z.array(webhookType),
  isActive: z.boolean(),
  disabledReason: z.nullable(z.string()),
  secretLastFour: z.string(),
  createdAt,
  updatedAt,
});

export type Webhook = z.output<typeof webhook>;

/** A webhook together with its signing secret, which is shown once. */
export const webhookWithSecret = z.object({ ...webhook.shape, secret: z.string() });

export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

/** Some of these types, each once. */
export const eachOnce = <Types extends z.core.util.EnumLike>(type: z.ZodMiniEnum<Types>) =>
  z.array(type).check(
    z.minLength(1),
    z.maxLength(type.options.length),
    z.refine((value) => new Set(value).size === value.length, 'lists a type more than once'),
  );

/** Types of events, each once. */
export const types = eachOnce(webhookType);

/** Characters of the longest URL that is taken. */
export const longestUrl = 2_000;

/** URL of a receiver. What else it must be depends on the environment: the operations check it. */
export const url = z.string().check(z.maxLength(longestUrl));

/** A webhook to register. */
export const newWebhook = z.strictObject({ url, types });

/** Changes of a webhook. */
export const webhookChanges = z
  .strictObject({
    url: z.exactOptional(url),
    types: z.exactOptional(types),
    isActive: z.exactOptional(z.boolean()),
  })
  .check(z.refine<object>((value) => Object.keys(value).length > 0, 'requires a field to change'));

const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const deliveryStatus = z.enum(deliveryStatuses);

/** Filters of a list of deliveries. */
export const deliveryFilters = z.object({
  status: z.optional(deliveryStatus),
  webhookType: z.optional(webhookType),
});

/** An attempt to deliver. */
export const deliveryAttempt = z.object({
  attemptedAt: timestamp,
  statusCode: z.nullable(z.int()),
  durationMs: z.int(),
  error: z.nullable(z.string()),
  responseBody: z.nullable(z.string()),
});

/** The delivery of an event to a webhook, with the attempts so far. */
export const webhookDelivery = storedItem('webhooks/listed-delivery', {
  _id: objectId,
  webhookId: objectId,
  eventId: z.string(),
  webhookType,
  status: deliveryStatus,
  attempts: z.array(deliveryAttempt),
  nextAttemptAt: z.nullable(timestamp),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type WebhookDelivery = z.output<typeof webhookDelivery>;
