import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { dueEntryOf } from '../../shared/domain/webhooks/due-entries.ts';
import { deliveryItem, storedWebhook, webhookPartitions } from '../../shared/domain/webhooks/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import type { Table } from '../../shared/platform/data/table.ts';

export type FanoutStore = ReturnType<typeof createFanoutStore>;

export const createFanoutStore = (table: Table) => ({
  /** Every webhook of an owner, as it is now. */
  webhooks: (owner: string) =>
    collect(table.query(storedWebhook, webhookPartitions.webhooks(owner), { consistent: true })),

  /** Writes a delivery unless it is there already; answers the one that is there afterwards. */
  async add(owner: string, delivery: QueuedDelivery): Promise<QueuedDelivery> {
    return (await table.add(queuedDelivery, deliveryItem(owner, delivery))) ?? delivery;
  },

  /** Writes the due entries of deliveries, after these: an entry without its delivery is removed. */
  async addDue(owner: string, deliveries: readonly QueuedDelivery[]): Promise<void> {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(owner, delivery) ?? []);
    await table.putAll(entries.map((entry) => ({ ...entry })));
  },
});
