import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
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

/** Called by its schedule once a day, queues the jobs of the reconciliation; called by the queue, does them. */
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
  const consume = queueConsumer({
    schema: reconciliationJob,
    work: async ({ message: job }) => {
      log.info('registry reconciliation', {
        event: 'registry_reconciliation',
        ...(await reconcile(job, deps)),
      });
      return 'done';
    },
    ...queue,
    log,
  });
  return scheduledWorker({
    jobs: (asOf) => reconciliationJobs(asOf, deps.store),
    send,
    consume,
    onQueued: (jobs) =>
      log.info('registry reconciliation queued', { event: 'registry_reconciliation_queued', jobs }),
    now,
  });
}
