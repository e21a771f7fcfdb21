import { setTimeout as pause } from 'node:timers/promises';
import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import { type DrainDeps, drain } from '../../functions/webhook-delivery/drain.ts';
import { openConnections } from '../../functions/webhook-delivery/exchange.ts';
import { createLeaseStore } from '../../functions/webhook-delivery/lease-store.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { uses } from '../../functions/webhook-delivery/uses.ts';
import { createFanoutStore, fanOut } from '../../functions/webhook-fanout/function.ts';
import { localCapacity } from '../../infra/capacity.ts';
import type { AnyEvent } from '../../shared/domain/events/event.ts';
import { newEventId, outboxKeys } from '../../shared/domain/events/stored.ts';
import { outboxTable, webhooksTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { createWaker } from '../../shared/domain/webhooks/drain.ts';
import type { QueueName } from '../../shared/domain/webhooks/stored.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf, writesOf } from '../../shared/platform/data/table.ts';
import { memoryQueues, webhookSecrets } from '../support/deliveries.ts';
import { createTable, dynamo } from '../support/tables.ts';

/** Messages that an invocation of each queue gets. */
const batchSizes: Readonly<Record<QueueName, number>> = {
  healthy: uses.consumes['deliveries-healthy'].batchSize,
  failing: uses.consumes['deliveries-failing'].batchSize,
};

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

type Event = AnyEvent & { readonly entityId: string };

/** The service from fan-out to receiver on this machine: as many workers as an environment has, queues in memory. */
export async function startWorkers(
  options: { readonly timeLimitMs?: number; readonly now?: () => Date } = {},
) {
  const { timeLimitMs = 15_000, now = () => new Date() } = options;
  const [webhooks, outbox] = await Promise.all([createTable(webhooksTable), createTable(outboxTable)]);
  const { queues, take } = memoryQueues(now);
  const deps: DrainDeps = {
    leases: createLeaseStore(tableOf(webhooksTable, dynamo, webhooks)),
    store: createDeliveryStore(tablesOf(dynamo, { webhooks, outbox })),
    queues,
    secrets: webhookSecrets,
    connect: () => openConnections({ rules: { loopback: true }, timeLimitMs }),
    now,
    random: Math.random,
    log,
  };
  const waker = createWaker(tableOf(webhooksTable, dynamo, webhooks), { queues, now });
  let isOver = false;

  const work = async (queue: QueueName): Promise<void> => {
    while (!isOver) {
      const batch = Array.from({ length: batchSizes[queue] }, () => take({ queue, dueBy: Date.now() }));
      const messages = batch.flatMap((one) => (one === undefined ? [] : [one.message]));
      if (messages.length === 0) {
        await pause(5);
        continue;
      }
      await Promise.all(messages.map((message) => drain({ message }, deps)));
    }
  };
  const { workers } = localCapacity;
  const pools = (['healthy', 'failing'] as const).flatMap((queue) =>
    Array.from({ length: workers[`deliveries-${queue}`] }, () => work(queue)),
  );
  const overdue = createOverdueWebhooks(tableOf(webhooksTable, dynamo, webhooks));
  const schedule = setInterval(() => {
    wakeOverdue({ webhooks: overdue, waker, now, log }).catch(() => undefined);
  }, 60_000);

  return {
    webhooks,
    /** Stores events in the outbox as published. */
    async newEvents(owner: string, count: number): Promise<Event[]> {
      const occurredAt = now().toISOString();
      const events = Array.from({ length: count }, (): Event => {
        const entityId = newObjectId(now());
        return {
          eventId: newEventId(),
          webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
          upstreamEntityId: owner,
          entityId,
          occurredAt,
          sequence: 1,
          payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
        };
      });
      const items = events.map(({ webhookType: type, ...event }) => ({
        ...outboxKeys.event(owner, event.entityId, event.eventId),
        ...event,
        type,
      }));
      for (let from = 0; from < items.length; from += 500) {
        await writesOf(dynamo, outbox).putAll(items.slice(from, from + 500));
      }
      return events;
    },
    /** Fans out a batch of the queue; `wakes` is to follow where it says so. */
    async fanOut(events: readonly Event[], { wakes = true } = {}): Promise<() => Promise<void>> {
      const batch = fanOut({
        store: createFanoutStore(tableOf(webhooksTable, dynamo, webhooks)),
        waker,
        now,
        log,
      });
      await Promise.all(events.map((detail) => batch.work({ message: { detail }, last: false })));
      if (wakes) await batch.finish();
      return batch.finish;
    },
    async stop(): Promise<void> {
      isOver = true;
      clearInterval(schedule);
      await Promise.all(pools);
    },
  };
}
