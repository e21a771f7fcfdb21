import { tablesOf } from '../../shared/domain/tables.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { createWaker } from '../../shared/domain/webhooks/wake.ts';
import type { WorkerDependencies } from '../../shared/platform/config/dependencies.ts';
import { batchConsumer } from '../../shared/platform/queue/consumer.ts';
import { busMessage, createFanoutStore, type FanOutDeps, fanOut } from './fan-out.ts';
import type { uses } from './uses.ts';

/** Works on the events of the bus: one delivery for each webhook that asks for one. */
export function createWebhookFanoutFunction({
  clients: { dynamo, queues },
  tables: names,
  queue,
  context: { logger: log, now },
}: WorkerDependencies<typeof uses, { readonly queues: DrainQueues }>) {
  const tables = tablesOf(dynamo, names);
  const deps: FanOutDeps = {
    store: createFanoutStore(tables.webhooks),
    waker: createWaker(tables.webhooks, { queues, now }),
    now,
    log,
  };
  return batchConsumer({ schema: busMessage, batch: () => fanOut(deps), ...queue, log });
}
