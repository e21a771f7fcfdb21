import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { type SweepJob, sweepJob } from '../../shared/domain/license-sweep/jobs.ts';
import { createSweepStore, withoutClock } from '../../shared/domain/license-sweep/store.ts';
import type { SweepDeps } from '../../shared/domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { type QueueContext, queueContext } from '../../shared/platform/queue/consumer.ts';
import { notRetried, scheduledWorker } from '../../shared/platform/queue/scheduled-jobs.ts';
import { createSendMessages, createSqsClient, type SendMessages } from '../../shared/platform/queue/send.ts';
import { sweep, sweepAll, sweepJobs } from './sweep.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly queue: QueueContext;
  /** Sends to its own queue. */
  readonly send: SendMessages;
}

function compose({
  send,
  tables,
  queue,
  context: { logger: log, now, clocks },
}: Resources<typeof uses, OwnResources>) {
  const logFailure = (message: string) => (job: SweepJob, error: unknown) =>
    log.error(message, { event: 'license_not_swept', ...job, error: toError(error) });
  const deps: SweepDeps = {
    store: createSweepStore(tables, withoutClock(clocks)),
    holders: createPartiesOfNpns(tables),
    events: createEventItems(tables.outbox.items),
    now,
    onFailure: logFailure('A license was not swept; its job will be retried.'),
  };
  return scheduledWorker({
    schema: sweepJob,
    jobs: (asOf) => sweepJobs(asOf, deps.store),
    work: async (job) => {
      const { licenses, events } = await sweep(job, deps);
      return { ...job, licenses, events };
    },
    run: (asOf) => sweepAll(asOf, { ...deps, onFailure: logFailure(notRetried) }),
    logEvents: { queued: 'license_sweep_queued', done: 'license_sweep' },
    send,
    ...queue,
    log,
    now,
  });
}

/** Invoked by its schedule at 05:00 in New York, queues the jobs of the sweep; invoked by the queue, does them; by `admin`, both. */
export const licenseSweepFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return { queue: queueContext(sqs, values), send: createSendMessages(queues['license-sweep'], sqs) };
  },
});
