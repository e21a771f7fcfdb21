import type { DynamoDBClient, Update } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import {
  drainKey,
  type StoredDrain,
  storedDrain,
  type WebhookReference,
  wantedUpdate,
} from '../../shared/domain/webhooks/drain-item.ts';
import { dueEntryOf } from '../../shared/domain/webhooks/due-entries.ts';
import {
  deliveryItem,
  type StoredWebhook,
  storedWebhook,
  webhookKeys,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { lazyObject } from '../../shared/platform/contract/lazy-object.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { itemsInOrder } from '../../shared/platform/data/item-page.ts';
import { VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { itemKey, parseIfStored, parseStored } from '../../shared/platform/data/stored.ts';
import { type TransactionItem, transact, unconditional } from '../../shared/platform/data/transact.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';

/** A webhook as it is now, who drains it, and one of its deliveries. */
export interface Found {
  readonly webhook: StoredWebhook | undefined;
  readonly drain: StoredDrain | undefined;
  readonly delivery: QueuedDelivery | undefined;
}

/**
 * Deliveries that an owner asks for. Of another organization's not one can be addressed. Each is written in one transaction
 * with its due entry and the request for a look: after a crash the schedule finds it.
 */
export interface DeliveryRequests {
  /** A webhook and, where one is named, a delivery; in one read that sees every earlier write. */
  find(owner: string, webhookId: string, deliveryId?: string): Promise<Found>;
  /** A webhook's deliveries that were made in a time, its end not included; oldest first, some at a time. */
  madeBetween(owner: string, webhookId: string, since: Date, until: Date): AsyncIterable<QueuedDelivery[]>;
  add(owner: string, delivery: QueuedDelivery, items: readonly TransactionItem[]): Promise<void>;
  /** Writes that deliveries of a webhook are asked for anew, all or none; false when one has gone on since it was read. */
  requestRedelivery(
    webhook: WebhookReference,
    asked: readonly QueuedDelivery[],
    items: readonly TransactionItem[],
  ): Promise<boolean>;
  /** Writes items alone. */
  write(items: readonly TransactionItem[]): Promise<void>;
}

/** The delivery as it is once it is asked for: due now, with the whole schedule before it. */
export const toRedeliver = (delivery: QueuedDelivery, now: Date): QueuedDelivery => ({
  ...delivery,
  status: 'pending',
  attempt: delivery.attempt + 1,
  retry: 0,
  nextAttemptAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

/** Deliveries of one `requestRedelivery`: with their entries they fit a transaction, also when they have all their attempts. */
export const mostAskedAtOnce = 40;

/** Days for which a delivery is kept at least once it is asked for: longer than the schedule, shorter than its event. */
const keptDays = 4;

/** Deliveries that are read at once. */
const readAtOnce = batchGetKeys;

const expiring = lazyObject(() => ({ expiresAt: z.int() }));

export function createDeliveryRequests(client: DynamoDBClient, table: string): DeliveryRequests {
  const asking = (owner: string, asked: QueuedDelivery): Update => {
    const { expiresAt } = z.parse(expiring, deliveryItem(owner, asked));
    const keptUntil = expiresAfterDays(new Date(asked.updatedAt), keptDays);
    return {
      TableName: table,
      Key: toItem(webhookKeys.delivery(owner, asked.webhookId, asked._id)),
      UpdateExpression:
        'SET #status = :pending, attempt = :attempt, retry = :retry, nextAttemptAt = :at, updatedAt = :at, expiresAt = :expiresAt',
      ConditionExpression: 'attempt = :before',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: toItem({
        ':pending': asked.status,
        ':attempt': asked.attempt,
        ':before': asked.attempt - 1,
        ':retry': asked.retry,
        ':at': asked.updatedAt,
        ':expiresAt': Math.max(expiresAt, keptUntil),
      }),
    };
  };

  /** The due entries of deliveries, and the request for a look. */
  const wanted = (webhook: WebhookReference, deliveries: readonly QueuedDelivery[]): TransactionItem[] => {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(webhook.owner, delivery) ?? []);
    const at = new Date(deliveries[0]?.updatedAt ?? 0);
    return [
      ...entries.map((entry) => unconditional({ Put: { TableName: table, Item: toItem({ ...entry }) } })),
      unconditional({ Update: wantedUpdate(table, webhook, at) }),
    ];
  };

  return {
    async find(owner, webhookId, deliveryId) {
      const keys = {
        webhook: webhookKeys.webhook(owner, webhookId),
        drain: drainKey({ owner, webhookId }),
        ...(deliveryId === undefined ? {} : { delivery: webhookKeys.delivery(owner, webhookId, deliveryId) }),
      };
      const found = await batchGet(client, table, Object.values(keys), { consistent: true });
      const under = (key: { readonly pk: string } | undefined) =>
        found.find((item) => item['pk'] === key?.pk);
      return {
        webhook: parseIfStored(storedWebhook, under(keys.webhook)),
        drain: parseIfStored(storedDrain, under(keys.drain)),
        delivery: parseIfStored(queuedDelivery, under(keys.delivery)),
      };
    },

    async *madeBetween(owner, webhookId, since, until) {
      const query = {
        TableName: table,
        IndexName: 'by-webhook',
        // What sorts the index goes on after the time, so that the end itself lies below what was made then.
        KeyConditionExpression: 'listKey = :partition AND listSort BETWEEN :since AND :until',
        ExpressionAttributeValues: toItem({
          ':partition': webhookPartitions.deliveries(owner, webhookId),
          ':since': since.toISOString(),
          ':until': until.toISOString(),
        }),
        Limit: readAtOnce,
      };
      for await (const page of queryPages(client, query)) {
        const keys = page.map((item) => parseStored(itemKey, unmarshall(item)));
        const items = await itemsInOrder(client, table, keys);
        yield items.map((item) => parseStored(queuedDelivery, item));
      }
    },

    async add(owner, delivery, items) {
      const put = { TableName: table, Item: toItem(deliveryItem(owner, delivery)) };
      await transact(client, [
        {
          write: { Put: { ...put, ConditionExpression: 'attribute_not_exists(pk)' } },
          refused: () => new VersionConflict(),
        },
        ...wanted({ owner, webhookId: delivery.webhookId }, [delivery]),
        ...items,
      ]);
    },

    async requestRedelivery(webhook, asked, items) {
      try {
        // A transaction even where it is alone: when its answer is lost, it must not fail at what it did itself.
        await transact(client, [
          ...asked.map((one) => ({
            write: { Update: asking(webhook.owner, one) },
            refused: () => new VersionConflict(),
          })),
          ...wanted(webhook, asked),
          ...items,
        ]);
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return false;
      }
    },

    async write(items) {
      if (items.length > 0) await transact(client, items);
    },
  };
}
