import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { sweepJob } from '../../shared/licence-sweep/jobs.ts';
import { createSweepStore } from '../../shared/licence-sweep/store.ts';
import { type SweepDeps, sweep, sweepJobs } from '../../shared/licence-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { scheduledWorker } from '../../shared/queue/scheduled-worker.ts';
import type { SendMessages } from '../../shared/queue/send-messages.ts';

type SweepDependencies = WorkerDependencies<
  'registryRecords' | 'agents' | 'associations' | 'outbox',
  {
    /** Sends to the worker's own queue. */
    readonly send: SendMessages;
  }
>;

/** Called by its schedule at 05:00 in New York, queues what is to be swept; called by the queue, sweeps. */
export function createLicenceSweepFunction({
  clients: { dynamo, send },
  tables,
  queue,
  context: { logger: log, now },
}: SweepDependencies) {
  const deps: SweepDeps = {
    store: createSweepStore(dynamo, tables.registryRecords),
    holders: createNpnHolders(dynamo, tables),
    events: createEventSteps(tables.outbox),
    now,
    onFailure: (job, error) =>
      log.error('A licence was not swept; its job is done again.', {
        event: 'licence_not_swept',
        ...job,
        error: error instanceof Error ? error : new Error(String(error)),
      }),
  };
  const consume = queueConsumer({
    schema: sweepJob,
    work: async ({ message: job }) => {
      const { licences, events } = await sweep(job, deps);
      log.info('licence sweep', { event: 'licence_sweep', ...job, licences, events });
      return 'done';
    },
    ...queue,
    log,
  });
  return scheduledWorker({
    jobs: (asOf) => sweepJobs(asOf, deps.store),
    send,
    consume,
    onQueued: (jobs) => log.info('licence sweep queued', { event: 'licence_sweep_queued', jobs }),
    now,
  });
}
