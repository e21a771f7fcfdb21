import { createEventItems } from '#domain/events/outbox.ts';
import {
  createSweepStore,
  jobName,
  jobsOf,
  type SweepJob,
  type SweepStore,
  sweepJob,
} from '#domain/license-sweep/store.ts';
import { jobsAtOnce, type SweepDeps, type SweepTotals, sweepOnce } from '#domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import { eventFunction } from '#function/function.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { toError } from '#platform/log/log.ts';
import { queueContext } from '#platform/queue/consumer.ts';
import { checkFinished, notRetried, runJobs, scheduledWorker } from '#platform/queue/scheduled-jobs.ts';
import { createSendMessages, createSqsClient } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

/**
 * The jobs of a sweep as of an instant, day by day: days that were missed come first, however many and however long ago,
 * without those of their jobs that are done; the day itself is swept whole, however often it was before (OpenAPI, "Events").
 */
export async function* sweepJobs(asOf: Date, store: SweepStore): AsyncGenerator<readonly SweepJob[]> {
  const today = newYorkDate(asOf);
  for (const day of await store.begin(today)) {
    const doneJobs = await store.doneJobs(day);
    yield jobsOf(day, today).filter((job) => !doneJobs.has(jobName(job)));
  }
  yield jobsOf(today, today);
}

/**
 * Does a job, and records that it is done. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some licenses could not be processed, after all the others were.
 */
export async function sweep(job: SweepJob, deps: SweepDeps): Promise<SweepTotals> {
  const totals = await sweepOnce(job, deps);
  checkFinished(totals);
  await deps.store.finish(job.day, [job]);
  return totals;
}

/**
 * A sweep as of an instant, without the queue; returns its totals, where a job that could not be read counts as one
 * failure. What failed is left to the next sweep.
 */
export async function sweepAll(
  asOf: Date,
  deps: SweepDeps,
): Promise<SweepTotals & { readonly days: number; readonly jobs: number }> {
  const run = { days: 0, jobs: 0 };
  const totals = await runJobs(sweepJobs(asOf, deps.store), {
    concurrency: jobsAtOnce,
    zero: { licenses: 0, events: 0, failed: 0 },
    work: (job) => sweepOnce(job, deps),
    onFailure: (job, error) => {
      deps.onFailure(job, error);
      return { licenses: 0, events: 0, failed: 1 };
    },
    onPage: async (jobs, finishedJobs) => {
      run.days += 1;
      run.jobs += jobs.length;
      const [first] = finishedJobs;
      if (first !== undefined) await deps.store.finish(first.day, finishedJobs);
    },
  });
  return { ...run, ...totals };
}

/**
 * Invoked by its schedule at 05:00 in New York, queues the jobs of the sweep; invoked by the queue, does them; by `admin`, both.
 */
export const licenseSweepFunction = eventFunction({
  uses,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return { queue: queueContext(sqs, values), send: createSendMessages(queues['license-sweep'], sqs) };
  },
  compose({ send, tables, queue, context: { logger: log, now } }) {
    const logFailure = (message: string) => (job: SweepJob, error: unknown) =>
      log.error(message, { event: 'license_not_swept', ...job, error: toError(error) });
    const deps: SweepDeps = {
      store: createSweepStore(tables),
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
  },
});
