import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { expiresAfterDays } from '../../platform/dates/expiry.ts';
import { feedDays } from '../events/stored.ts';
import { type Webhook, type WebhookDelivery, webhook, webhookDelivery, webhookV1 } from './resource.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A signing secret as it is stored: encrypted with a data key (AES-256-GCM), beside that key as KMS encrypted it. */
export const protectedSecret = object(() => ({ dataKey: bytes, sealed: bytes }));

export type ProtectedSecret = z.output<typeof protectedSecret>;

/** A webhook's item; its keys are described in `table.ts`. */
export const storedWebhook = storedItem('webhooks/webhook', () => ({
  ...webhook.shape,
  secret: protectedSecret,
  /** The secret before the last rotation, with which `webhook-signature` is made as well until then. */
  previousSecret: z.optional(protectedSecret),
  previousSecretValidUntil: z.optional(timestamp),
  /** Goes up by one with every change; a writer changes only the version that it read. */
  version: z.int(),
}));

export type StoredWebhook = z.output<typeof storedWebhook>;

/** A webhook as its owner sees it: of the secret only how it ends. */
export const webhookView = (stored: StoredWebhook): Webhook => z.parse(webhook, stored);

/** A webhook as its owner sees it by v1; undefined if it has a destination. */
export const webhookViewV1 = (stored: StoredWebhook): z.output<typeof webhookV1> | undefined =>
  stored.url === null ? undefined : z.parse(webhookV1, stored);

/** A delivery's item: what its owner sees, and its keys. */
export const storedDelivery = webhookDelivery;

export type StoredDelivery = WebhookDelivery;

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

export const webhookItem = (owner: string, stored: StoredWebhook): Record<string, unknown> => ({
  ...webhookKeys.webhook(owner, stored._id),
  ...stored,
});

export const deliveryItem = (owner: string, delivery: StoredDelivery): Record<string, unknown> => ({
  ...webhookKeys.delivery(owner, delivery.webhookId, delivery._id),
  listKey: webhookPartitions.deliveries(owner, delivery.webhookId),
  listSort: `${delivery.createdAt}#${delivery._id}`,
  expiresAt: expiresAfterDays(new Date(delivery.createdAt), feedDays),
  ...delivery,
});
