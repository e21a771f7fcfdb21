import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { scheduledWorker } from '../../shared/queue/scheduled-worker.ts';
import type { SendMessages } from '../../shared/queue/send-messages.ts';
import type { Registry } from '../../shared/registry/registry.ts';
import { reconciliationJob } from '../../shared/registry-reconciliation/jobs.ts';
import {
  type ReconciliationDeps,
  reconcile,
  reconciliationJobs,
} from '../../shared/registry-reconciliation/reconcile.ts';
import { createReconciliationStore } from '../../shared/registry-reconciliation/store.ts';

type ReconciliationDependencies = WorkerDependencies<
  'registryRecords' | 'agents' | 'associations' | 'outbox',
  {
    readonly registry: Registry;
    /** Sends to the worker's own queue. */
    readonly send: SendMessages;
  }
>;

/** Invoked by its schedule once a day, queues the jobs of the reconciliation; invoked by the queue, does them. */
export function createRegistryReconciliationFunction({
  clients: { dynamo, registry, send },
  tables,
  queue,
  context: { logger: log, now },
}: ReconciliationDependencies) {
  const deps: ReconciliationDeps = {
    store: createReconciliationStore(dynamo, tables.registryRecords),
    registry,
    holders: createNpnHolders(dynamo, tables),
    events: createEventItems(tables.outbox),
    now,
    onFailure: (subscription, error) =>
      log.error('A subscription was not reconciled; its job will be retried.', {
        event: 'subscription_not_reconciled',
        ...subscription,
        error: toError(error),
      }),
  };
  return scheduledWorker({
    schema: reconciliationJob,
    jobs: (asOf) => reconciliationJobs(asOf, deps.store),
    work: (job) => reconcile(job, deps),
    logEvents: { queued: 'registry_reconciliation_queued', done: 'registry_reconciliation' },
    send,
    ...queue,
    log,
    now,
  });
}
