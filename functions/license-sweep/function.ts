import type { WorkerDependencies } from '../../shared/domain/dependencies.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { sweepJob } from '../../shared/domain/license-sweep/jobs.ts';
import { createSweepStore, withoutClock } from '../../shared/domain/license-sweep/store.ts';
import { type SweepDeps, sweep, sweepJobs } from '../../shared/domain/license-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { scheduledWorker } from '../../shared/platform/queue/scheduled-worker.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import type { uses } from './uses.ts';

/** `send` sends to the worker's own queue. */
type SweepDependencies = WorkerDependencies<typeof uses, { readonly send: SendMessages }>;

/** Invoked by its schedule at 05:00 in New York, queues the jobs of the sweep; invoked by the queue, does them. */
export function createLicenseSweepFunction({
  clients: { send },
  tables,
  queue,
  context: { logger: log, now, clocks },
}: SweepDependencies) {
  const deps: SweepDeps = {
    store: createSweepStore(tables, withoutClock(clocks)),
    holders: createNpnHolders(tables),
    events: createEventItems(tables.outbox.items),
    now,
    onFailure: (job, error) =>
      log.error('A license was not swept; its job will be retried.', {
        event: 'license_not_swept',
        ...job,
        error: toError(error),
      }),
  };
  return scheduledWorker({
    schema: sweepJob,
    jobs: (asOf) => sweepJobs(asOf, deps.store),
    work: async (job) => {
      const { licenses, events } = await sweep(job, deps);
      return { ...job, licenses, events };
    },
    logEvents: { queued: 'license_sweep_queued', done: 'license_sweep' },
    send,
    ...queue,
    log,
    now,
  });
}
