import { createEventItems } from '../../shared/domain/events/outbox.ts';
import type { Registry } from '../../shared/domain/registry/registry.ts';
import { syncJob } from '../../shared/domain/registry/sync-job.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { WorkerDependencies } from '../../shared/platform/config/dependencies.ts';
import { queueConsumer } from '../../shared/platform/queue/consumer.ts';
import { createSynchronizationStore } from './store.ts';
import { type SynchronizeDeps, synchronize } from './synchronize.ts';
import type { uses } from './uses.ts';

type RegistrySyncDependencies = WorkerDependencies<typeof uses, { readonly registry: Registry }>;

/** Does the jobs that synchronize subscriptions with the registry. */
export function createRegistrySyncFunction({
  clients: { dynamo, registry },
  tables: names,
  queue,
  context: { logger: log, now },
}: RegistrySyncDependencies) {
  const tables = tablesOf(dynamo, names);
  const events = createEventItems(tables.outbox.items);
  const deps: SynchronizeDeps = {
    registry,
    store: createSynchronizationStore(tables.registryRecords, events, now),
    log,
  };
  return queueConsumer({
    schema: syncJob,
    work: (delivery) => synchronize(delivery, deps),
    ...queue,
    log,
  });
}
