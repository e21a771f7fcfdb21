import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { type AnyEvent, anyEvent } from '../events/payloads.ts';
import { feedDays } from '../events/stored.ts';
import { type Webhook, type WebhookDelivery, webhook, webhookDelivery } from './resource.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A signing secret as it is stored: encrypted with a data key (AES-256-GCM), beside that key as KMS encrypted it. */
const protectedSecret = z.object({ dataKey: bytes, sealed: bytes });

export type ProtectedSecret = z.output<typeof protectedSecret>;

/** A webhook's item; its keys are described in `shared/domain/tables.ts`. */
export const storedWebhook = storedItem('webhooks/webhook', {
  ...webhook.shape,
  secret: protectedSecret,
  /** The secret before the last rotation, with which `webhook-signature` is made as well until then. */
  previousSecret: z.optional(protectedSecret),
  previousSecretValidUntil: z.optional(timestamp),
  /** Goes up by one with every change; a writer changes only the version that it read. */
  version: z.int(),
});

export type StoredWebhook = z.output<typeof storedWebhook>;

/** A webhook as its owner sees it: of the secret only how it ends. */
export const webhookView = (item: StoredWebhook): Webhook => z.parse(webhook, item);

export const webhookKeys = {
  webhook: (owner: string, webhookId: string) => ({ pk: webhookPartitions.webhooks(owner), sk: webhookId }),
  count: (owner: string) => ({ pk: owner, sk: 'WEBHOOK_COUNT' }),
  delivery: (owner: string, webhookId: string, deliveryId: string) => ({
    pk: `${owner}#DELIVERY#${webhookId}`,
    sk: deliveryId,
  }),
};

/** Partitions of the table and of its index. */
export const webhookPartitions = {
  webhooks: (owner: string) => `${owner}#WEBHOOK`,
  deliveries: (owner: string, webhookId: string) => `${owner}#${webhookId}`,
};

export const webhookItem = (owner: string, item: StoredWebhook): Record<string, unknown> => ({
  ...webhookKeys.webhook(owner, item._id),
  ...item,
});

export const deliveryItem = (owner: string, delivery: WebhookDelivery): Record<string, unknown> => ({
  ...webhookKeys.delivery(owner, delivery.webhookId, delivery._id),
  listKey: webhookPartitions.deliveries(owner, delivery.webhookId),
  listSort: `${delivery.createdAt}#${delivery._id}`,
  expiresAt: expiresAfterDays(new Date(delivery.createdAt), feedDays),
  ...delivery,
});

/** Place of a delivery’s event: in the outbox under the entity it is about, with its number here, or here, as a test’s is. */
const deliveredEvent = () =>
  z.union([z.object({ entityId: z.string(), sequence: z.int() }), z.object({ inline: anyEvent })]);

/** Whether it is the event of a test, which nothing but the test itself delivers. */
export const isTest = (event: z.output<ReturnType<typeof deliveredEvent>>): boolean => 'inline' in event;

/**
 * A delivery with what its owner does not see. The record is the truth of a delivery: a due entry only says when to read
 * it, and an entry that the record does not confirm is replaced by the one that it does, unless the record may be about to.
 */
export const queuedDelivery = storedItem('webhooks/delivery', {
  ...webhookDelivery.shape,
  event: deliveredEvent(),
  /** Number of the next attempt, which never falls; what is known of an earlier one is out of date. */
  attempt: z.int(),
  /** Retries made since the delivery was last begun; by them the schedule goes. */
  retry: z.int(),
});

export type QueuedDelivery = z.output<typeof queuedDelivery>;

/** A delivery as its owner sees it. */
export const deliveryView = (delivery: QueuedDelivery): WebhookDelivery => z.parse(webhookDelivery, delivery);

/** An event's delivery to a webhook: of the two there is one, however often it is written. */
export const deliveryIdOf = (eventId: string, webhookId: string): string =>
  derivedObjectId(eventId, webhookId);

/** A delivery before its first attempt; one to a webhook that is disabled waits until it is asked for. */
export const newDelivery = (
  event: Pick<AnyEvent, 'eventId' | 'webhookType'>,
  webhook: { readonly _id: string; readonly isActive: boolean },
  source: QueuedDelivery['event'],
  now: Date,
): QueuedDelivery => {
  const time = now.toISOString();
  return {
    _id: deliveryIdOf(event.eventId, webhook._id),
    webhookId: webhook._id,
    eventId: event.eventId,
    webhookType: event.webhookType,
    status: 'pending',
    attempts: [],
    nextAttemptAt: webhook.isActive ? time : null,
    createdAt: time,
    updatedAt: time,
    event: source,
    attempt: 1,
    retry: 0,
  };
};

/** The queues of drains, each with its own workers: a failing receiver takes none of those of the healthy. */
export const queueNames = ['healthy', 'failing'] as const;

export type QueueName = (typeof queueNames)[number];

/** Health of a webhook’s receiver; part of its drain item. */
export const health = z.object({
  /** Failures in a row, up to `failingAfter`. */
  failures: z.optional(z.int()),
  /** Time of the first failure since the last success. */
  firstFailureAt: z.optional(timestamp),
});

export type Health = z.output<typeof health>;

/** Failures in a row after which a webhook is failing. */
export const failingAfter = 5;

/** A webhook is failing after five failures in a row, and healthy again after one success. */
export const isHealthy = ({ failures = 0 }: Health): boolean => failures < failingAfter;

/** The queue whose workers drain a webhook. */
export const queueOf = (receiver: Health): QueueName => (isHealthy(receiver) ? 'healthy' : 'failing');
