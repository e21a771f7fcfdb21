import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import type { Registry } from '../../shared/registry/registry.ts';
import { syncJob } from '../../shared/registry/sync-job.ts';
import { createSynchronizationStore } from './store.ts';
import { type SynchronizeDeps, synchronize } from './synchronize.ts';

type RegistrySyncDependencies = WorkerDependencies<
  'registryRecords' | 'outbox',
  { readonly registry: Registry }
>;

/** Does the jobs that synchronize subscriptions with the registry. */
export function createRegistrySyncFunction({
  clients: { dynamo, registry },
  tables,
  queue,
  context: { logger: log, now },
}: RegistrySyncDependencies) {
  const events = createEventItems(tables.outbox);
  const deps: SynchronizeDeps = {
    registry,
    store: createSynchronizationStore(dynamo, tables.registryRecords, events, now),
    log,
  };
  return queueConsumer({
    schema: syncJob,
    work: (delivery) => synchronize(delivery, deps),
    ...queue,
    log,
  });
}
