import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import type { Registry, RegistryVisits } from '../../shared/domain/registry/registry.ts';
import { createReconciliationDeps } from '../../shared/domain/registry-reconciliation/dependencies.ts';
import { reconciliationJob } from '../../shared/domain/registry-reconciliation/jobs.ts';
import { firstVisitJobs, reconciliationJobs } from '../../shared/domain/registry-reconciliation/queue.ts';
import { reconcile } from '../../shared/domain/registry-reconciliation/reconcile.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { WorkerDependencies } from '../../shared/platform/config/dependencies.ts';
import { compatible } from '../../shared/platform/contract/compatible.ts';
import { toError } from '../../shared/platform/log/to-error.ts';
import {
  type dispatchTask,
  scheduledWorker,
  sendJobs,
} from '../../shared/platform/queue/scheduled-worker.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import type { uses } from './uses.ts';

type ReconciliationDependencies = WorkerDependencies<
  typeof uses,
  {
    readonly registry: Registry & RegistryVisits;
    /** Sends to the worker's own queue. */
    readonly send: SendMessages;
  }
> & {
  /** Visits of the registry in a second, of all workers together. */
  readonly visitsPerSecond: number;
};

/** The invocation of the schedule that looks every few minutes who came in, and who was not visited for too long. */
const firstVisitsTask = compatible('schedules/first-visits', z.object({ task: z.literal('new-npns') }));

type FirstVisitsTask = z.output<typeof firstVisitsTask>;

const isFirstVisits = (event: object): event is FirstVisitsTask =>
  z.safeParse(firstVisitsTask, event).success;

/** After so long without a visit an NPN is overdue: it missed one reconciliation, and the next has not made up for it. */
export const overdueAfterMs = 2 * 86_400_000;

/**
 * Invoked by its schedules, queues the visits of the day and those of whoever came in; invoked by the queue, makes them.
 */
export function createRegistryReconciliationFunction({
  clients: { dynamo, registry, send },
  tables: names,
  queue,
  visitsPerSecond,
  context: { logger: log, now },
}: ReconciliationDependencies) {
  const tables = tablesOf(dynamo, names);
  const logFailure = (context: object, error: unknown): void =>
    log.error('A visit of the registry failed, for an NPN or a subscriber; its job will be retried.', {
      event: 'npn_not_visited',
      ...context,
      error: toError(error),
    });
  const deps = createReconciliationDeps({
    tables,
    registry,
    holders: createNpnHolders(tables),
    events: createEventItems(tables.outbox.items),
    visitsPerSecond,
    now,
    onFailure: logFailure,
  });
  const queueDeps = { ...deps, onUnreadable: (error: unknown) => logFailure({}, error) };
  const worker = scheduledWorker({
    schema: reconciliationJob,
    jobs: (asOf) => reconciliationJobs(asOf, queueDeps),
    work: async (job) => {
      const totals = await reconcile(job, deps);
      return { asOf: job.asOf, position: job.position, ...totals };
    },
    logEvents: { queued: 'registry_reconciliation_queued', done: 'registry_reconciliation' },
    send,
    ...queue,
    log,
    now,
  });

  /** Queues the first visits that are due, and reports NPNs that are overdue. */
  async function queueFirstVisits(): Promise<{ readonly jobs: number }> {
    const jobs = await sendJobs(firstVisitJobs(queueDeps), send);
    if (jobs > 0) log.info('First visits are queued.', { event: 'first_visits_queued', jobs });
    const overdue = await deps.npns.countNotVisitedSince(new Date(now().getTime() - overdueAfterMs));
    if (overdue > 0) {
      log.warn('NPNs were not visited for two days.', { event: 'npns_overdue', npns: overdue });
    }
    return { jobs };
  }

  return async (
    event: SQSEvent | z.output<typeof dispatchTask> | FirstVisitsTask,
  ): Promise<SQSBatchResponse | { readonly jobs: number }> =>
    isFirstVisits(event) ? queueFirstVisits() : worker(event);
}
