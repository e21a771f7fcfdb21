import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { sweepJob } from '../../shared/domain/license-sweep/jobs.ts';
import { createSweepStore, withoutClock } from '../../shared/domain/license-sweep/store.ts';
import { type SweepDeps, sweep, sweepJobs } from '../../shared/domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { type QueueContext, queueContext } from '../../shared/platform/queue/consumer.ts';
import { scheduledWorker } from '../../shared/platform/queue/scheduled-jobs.ts';
import { createSendMessages, createSqsClient, type SendMessages } from '../../shared/platform/queue/send.ts';
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
  const deps: SweepDeps = {
    store: createSweepStore(tables, withoutClock(clocks)),
    holders: createPartiesOfNpns(tables),
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

/** Invoked by its schedule at 05:00 in New York, queues the jobs of the sweep; invoked by the queue, does them. */
export const licenseSweepFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return { queue: queueContext(sqs, values), send: createSendMessages(queues['license-sweep'], sqs) };
  },
});
