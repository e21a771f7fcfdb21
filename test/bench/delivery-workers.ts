import { setTimeout as pause } from 'node:timers/promises';
import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import { type DrainDeps, drain } from '../../functions/webhook-delivery/drain.ts';
import { openConnections } from '../../functions/webhook-delivery/exchange.ts';
import { createLeaseStore } from '../../functions/webhook-delivery/lease-store.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { uses } from '../../functions/webhook-delivery/uses.ts';
import { createFanoutStore, fanOut } from '../../functions/webhook-fanout/function.ts';
import { localCapacity } from '../../infra/capacity.ts';
import { outboxTable, webhooksTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { createWaker } from '../../shared/domain/webhooks/drain.ts';
import type { QueueName } from '../../shared/domain/webhooks/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { memoryQueues, putEvents, webhookSecrets } from '../support/deliveries.ts';
import { createTable, dynamo } from '../support/tables.ts';

/** Messages that an invocation of each queue gets. */
const batchSizes: Readonly<Record<QueueName, number>> = {
  healthy: uses.consumes['deliveries-healthy'].batchSize,
  failing: uses.consumes['deliveries-failing'].batchSize,
};

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The service from fan-out to receiver on this machine: as many workers as an environment has, queues in memory. */
export async function startWorkers(timeLimitMs = 15_000) {
  const now = () => new Date();
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
    newEvents: (owner: string, count: number) => putEvents(outbox, owner, count),
    /** Fans out a batch of the queue; `wakes` is to follow where it says so. */
    async fanOut(
      events: Awaited<ReturnType<typeof putEvents>>,
      { wakes = true } = {},
    ): Promise<() => Promise<void>> {
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
