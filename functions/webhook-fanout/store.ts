import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { dueEntryOf } from '../../shared/domain/webhooks/due-entries.ts';
import {
  deliveryItem,
  type StoredWebhook,
  storedWebhook,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import type { Table } from '../../shared/platform/data/table.ts';

export interface FanoutStore {
  /** Every webhook of an owner, as it is now. */
  webhooks(owner: string): Promise<StoredWebhook[]>;
  /** Writes a delivery unless it is there already; answers the one that is there afterwards. */
  add(owner: string, delivery: QueuedDelivery): Promise<QueuedDelivery>;
  /** Writes the due entries of deliveries, after these: an entry without its delivery is removed. */
  addDue(owner: string, deliveries: readonly QueuedDelivery[]): Promise<void>;
}

export const createFanoutStore = (table: Table): FanoutStore => ({
  webhooks: (owner) =>
    collect(table.query(storedWebhook, webhookPartitions.webhooks(owner), { consistent: true })),

  async add(owner, delivery) {
    return (await table.add(queuedDelivery, deliveryItem(owner, delivery))) ?? delivery;
  },

  async addDue(owner, deliveries) {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(owner, delivery) ?? []);
    await table.putAll(entries.map((entry) => ({ ...entry })));
  },
});
