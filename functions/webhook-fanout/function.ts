import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { busMessage, type FanOutDeps, fanOut } from './fan-out.ts';
import { createFanoutStore } from './store.ts';

/** Works on the events of the bus: one delivery for each webhook that asks for one. */
export function createWebhookFanoutFunction({
  clients: { dynamo, queues },
  tables,
  queue,
  context: { logger: log, now },
}: WorkerDependencies<'webhooks', { readonly queues: DeliveryQueues }>) {
  const deps: FanOutDeps = { store: createFanoutStore(dynamo, tables.webhooks), queues, now, log };
  return queueConsumer({ schema: busMessage, work: (delivery) => fanOut(delivery, deps), ...queue, log });
}
