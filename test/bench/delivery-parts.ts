import { randomUUID } from 'node:crypto';
import { advance, advanceTogether, type OwnedRecord } from '../../functions/webhook-delivery/advance.ts';
import { attemptsAtOnce } from '../../functions/webhook-delivery/lease-limits.ts';
import type { DeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { exampleEvent } from '../../shared/domain/events/example-event.ts';
import { newDelivery, type QueuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { dueEntryOf, readDueEntry } from '../../shared/domain/webhooks/due-entries.ts';
import { deliveryItem, type StoredWebhook } from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { createTable, dynamo } from '../support/tables.ts';

const type = 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED';

const newDeliveries = (webhook: Pick<StoredWebhook, '_id' | 'isActive'>, count: number): QueuedDelivery[] =>
  Array.from({ length: count }, () =>
    newDelivery(
      { eventId: randomUUID(), webhookType: type, payload: {} },
      webhook,
      { sequence: 1, entityId: webhook._id },
      new Date(),
    ),
  );

/** Writes of attempts alone, as many at once as a worker makes, each by a call of its own or in calls for all. */
export async function writesPerSecond(how: 'single' | 'together', count: number): Promise<number> {
  const table = await createTable(webhooksTable);
  const owner = newObjectId(new Date());
  const deliveries = newDeliveries({ _id: newObjectId(new Date()), isActive: true }, count);
  await writesOf(dynamo, table).putAll(deliveries.map((delivery) => deliveryItem(owner, delivery)));
  const at = new Date();
  const outcome = { status: 'succeeded', nextAttemptAt: null, disable: null } as const;
  const attempt = {
    attemptedAt: at.toISOString(),
    statusCode: 200,
    durationMs: 1,
    error: null,
    responseBody: 'answered 200',
  };
  const records = deliveries.map(
    (delivery): OwnedRecord => ({ owner, made: { delivery, attempt, outcome, at } }),
  );
  const started = performance.now();
  if (how === 'single') {
    await concurrently(records, attemptsAtOnce.healthy, async (record) => {
      if (!(await advance(tableOf(webhooksTable, dynamo, table), record)))
        throw new Error('An attempt was not written.');
    });
  } else {
    await concurrently(chunks(records, { count: attemptsAtOnce.healthy }), 2, async (some) => {
      if ((await advanceTogether(tableOf(webhooksTable, dynamo, table), some)).includes(false))
        throw new Error('An attempt was not written.');
    });
  }
  return count / ((performance.now() - started) / 1_000);
}

/** Due deliveries of webhooks in memory: what is left of a delivery's cost is not the database's. */
export function memoryStore(
  owner: string,
  webhooks: readonly StoredWebhook[],
  events: number,
): DeliveryStore {
  const all = new Map(
    webhooks.map((webhook) => {
      const deliveries = newDeliveries(webhook, events);
      const due = new Map(
        deliveries.flatMap((one) => {
          const entry = dueEntryOf(owner, one);
          return entry === undefined ? [] : [[entry.sk, entry] as const];
        }),
      );
      return [webhook._id, { webhook, due, deliveries: new Map(deliveries.map((one) => [one._id, one])) }];
    }),
  );
  const event = exampleEvent(type, owner, new Date());
  const nothing = async (): Promise<void> => undefined;
  return {
    entries: async ({ webhookId }, limit) =>
      Array.from(all.get(webhookId)?.due.values() ?? []).slice(0, limit),
    async read({ webhookId }, ids) {
      const { webhook, deliveries } = all.get(webhookId) ?? {};
      const found = ids.flatMap((id) => {
        const delivery = deliveries?.get(id);
        return delivery === undefined ? [] : [[id, delivery] as const];
      });
      return { webhook, deliveries: new Map(found) };
    },
    events: async (_owner, deliveries) =>
      new Map(deliveries.map(({ eventId }) => [eventId, { ...event, eventId }])),
    recorder: () => async () => undefined,
    settle: async () => true,
    addEntry: nothing,
    async removeEntries(entries) {
      for (const entry of entries) {
        const { deliveryId } = readDueEntry(entry);
        for (const { due, deliveries } of all.values()) if (deliveries.has(deliveryId)) due.delete(entry.sk);
      }
    },
    forget: nothing,
    disable: async () => false,
  };
}
