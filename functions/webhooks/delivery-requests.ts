import * as z from 'zod/mini';
import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import {
  drainKey,
  storedDrain,
  type WebhookReference,
  wanted,
} from '../../shared/domain/webhooks/drain-item.ts';
import { dueEntryOf } from '../../shared/domain/webhooks/due-entries.ts';
import {
  deliveryItem,
  storedWebhook,
  webhookKeys,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { object } from '../../shared/platform/contract/object.ts';
import { between, isNew } from '../../shared/platform/data/expressions.ts';
import { VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { anyItem, itemKey, parseIfStored } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';

/**
 * Deliveries that an owner asks for. Of another organization's not one can be addressed. Each is written in one transaction
 * with its due entry and the request for a drain: after a crash the schedule finds it.
 */
export type DeliveryRequests = ReturnType<typeof createDeliveryRequests>;

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

const expiring = object(() => ({ expiresAt: z.int() }));

export function createDeliveryRequests(table: Table<'by-webhook'>) {
  const asking = (owner: string, asked: QueuedDelivery): TransactionItem => {
    const { status, attempt, retry, updatedAt } = asked;
    const { expiresAt } = z.parse(expiring, deliveryItem(owner, asked));
    const keptUntil = expiresAfterDays(new Date(updatedAt), keptDays);
    return table.items.update(
      webhookKeys.delivery(owner, asked.webhookId, asked._id),
      {
        status,
        attempt,
        retry,
        nextAttemptAt: updatedAt,
        updatedAt,
        expiresAt: Math.max(expiresAt, keptUntil),
      },
      { attempt: attempt - 1 },
    );
  };

  /** The due entries of deliveries, and the request for a drain. */
  const due = (webhook: WebhookReference, deliveries: readonly QueuedDelivery[]): TransactionItem[] => {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(webhook.owner, delivery) ?? []);
    const at = new Date(deliveries[0]?.updatedAt ?? 0);
    return [
      ...entries.map((entry) => table.items.put({ ...entry })),
      table.items.update(drainKey(webhook), wanted(webhook, at)),
    ];
  };

  return {
    /** A webhook as it is now, who drains it, and, where one is named, a delivery; in one read that sees every earlier write. */
    async find(owner: string, webhookId: string, deliveryId?: string) {
      const keys = {
        webhook: webhookKeys.webhook(owner, webhookId),
        drain: drainKey({ owner, webhookId }),
        ...(deliveryId === undefined ? {} : { delivery: webhookKeys.delivery(owner, webhookId, deliveryId) }),
      };
      const found = await table.getByKey(anyItem, Object.values(keys));
      return {
        webhook: parseIfStored(storedWebhook, found(keys.webhook)),
        drain: parseIfStored(storedDrain, found(keys.drain)),
        delivery: parseIfStored(queuedDelivery, keys.delivery && found(keys.delivery)),
      };
    },

    /** A webhook's deliveries that were made in a time, its end not included; oldest first, some at a time. */
    async *madeBetween(
      owner: string,
      webhookId: string,
      since: Date,
      until: Date,
    ): AsyncIterable<QueuedDelivery[]> {
      // What sorts the index goes on after the time, so that the end itself lies below what was made then.
      const sort = between(since.toISOString(), until.toISOString());
      const made = { index: 'by-webhook', sort, limit: readAtOnce } as const;
      const partition = webhookPartitions.deliveries(owner, webhookId);
      for await (const keys of table.query(itemKey, partition, made)) {
        yield table.getInOrder(queuedDelivery, keys);
      }
    },

    add: (owner: string, delivery: QueuedDelivery, items: readonly TransactionItem[]) =>
      table.transact([
        table.items.put(deliveryItem(owner, delivery), isNew),
        ...due({ owner, webhookId: delivery.webhookId }, [delivery]),
        ...items,
      ]),

    /** Writes that deliveries of a webhook are asked for anew, all or none; false when one has gone on since it was read. */
    async requestRedelivery(
      webhook: WebhookReference,
      asked: readonly QueuedDelivery[],
      items: readonly TransactionItem[],
    ) {
      try {
        // A transaction even where it is alone: when its answer is lost, it must not fail at what it did itself.
        await table.transact([
          ...asked.map((one) => asking(webhook.owner, one)),
          ...due(webhook, asked),
          ...items,
        ]);
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return false;
      }
    },

    /** Writes items alone. */
    async write(items: readonly TransactionItem[]): Promise<void> {
      if (items.length > 0) await table.transact(items);
    },
  };
}
