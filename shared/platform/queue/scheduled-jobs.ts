import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { instant } from '../contract/primitives.ts';
import { concurrently } from '../data/concurrently.ts';
import type { EventWithoutOutcome } from '../log/log.ts';
import { type ConsumerOptions, queueConsumer } from './consumer.ts';
import type { SendMessages } from './send.ts';

/** Counts of a job; `failed` are those of its items that could not be processed. */
type Totals<Count extends string> = Readonly<Record<Count | 'failed', number>>;

/** Some items of a job were not processed; the queue delivers the job again. */
export class JobUnfinished extends Error {
  override readonly name = 'JobUnfinished';
}

/** @throws JobUnfinished when some of a job's items failed. */
export function checkFinished({ failed }: Totals<never>): void {
  if (failed > 0) throw new JobUnfinished(`${failed} items of a job were not processed.`);
}

/** Adds counts to sums of the same names. */
export function addTo<Count extends string>(
  sums: Record<Count, number>,
  counts: Readonly<Record<Count, number>>,
): void {
  for (const count of Object.keys(sums) as Count[]) sums[count] += counts[count];
}

interface JobRun<Job, Count extends string> {
  /** Jobs done at once. */
  readonly concurrency: number;
  /** The counts before the first job. */
  readonly zero: Totals<Count>;
  /** Does a job; returns its counts. */
  readonly work: (job: Job) => Promise<Totals<Count>>;
  /** Reports a job that failed as a whole; returns its counts. The other jobs are done. */
  readonly onFailure: (job: Job, error: unknown) => Totals<Count>;
  /** Called after each page with those of its jobs that are done. */
  readonly onPage?: (page: readonly Job[], finishedJobs: readonly Job[]) => Promise<void>;
}

/** Does jobs without the queue, page by page, and returns their totals. What failed is left to the next run. */
export async function runJobs<Job, Count extends string>(
  pages: AsyncIterable<readonly Job[]>,
  { concurrency, zero, work, onFailure, onPage }: JobRun<Job, Count>,
): Promise<Totals<Count>> {
  const sums: Record<Count | 'failed', number> = { ...zero };
  for await (const page of pages) {
    const finishedJobs: Job[] = [];
    await concurrently(
      page,
      async (job) => {
        const totals = await work(job).catch((error: unknown) => onFailure(job, error));
        addTo(sums, totals);
        if (totals.failed === 0) finishedJobs.push(job);
      },
      concurrency,
    );
    await onPage?.(page, finishedJobs);
  }
  return sums;
}

/** The invocation of the schedule, `asOf` when it was due, or of an operator, who has the work done at once. */
export const scheduledTask = z.object({ task: z.enum(['dispatch', 'run']), asOf: z.optional(instant) });

/** Message of a failure where jobs are done without the queue. */
export const notRetried = 'Scheduled work failed; it can be retried.';

interface ScheduledWork<Schema extends z.core.$ZodType, Answer>
  extends Omit<ConsumerOptions<Schema>, 'work'> {
  /** The jobs that are due as of then, page by page. */
  readonly jobs: (asOf: Date) => AsyncIterable<readonly z.output<Schema>[]>;
  /** Sends to the worker's own queue. */
  readonly send: SendMessages;
  /** Does a job; returns what is logged of it. */
  readonly work: (job: z.output<Schema>) => Promise<object>;
  /** Does the jobs at once, without the queue; returns their totals. */
  readonly run: (asOf: Date) => Promise<Answer>;
  readonly logEvents: Readonly<{ queued: EventWithoutOutcome; done: EventWithoutOutcome }>;
  readonly now: () => Date;
}

/** Sends jobs, page by page; returns how many. */
export async function sendJobs<Job>(
  pages: AsyncIterable<readonly Job[]>,
  send: (page: readonly Job[]) => Promise<unknown>,
): Promise<number> {
  let sentJobs = 0;
  for await (const page of pages) {
    await send(page);
    sentJobs += page.length;
  }
  return sentJobs;
}

/** The handler of a function that a schedule invokes to queue jobs, the queue to do them, and an operator to have them done. */
export function scheduledWorker<Schema extends z.core.$ZodType<object>, Answer>({
  jobs,
  send,
  work,
  run,
  logEvents,
  now,
  ...consumer
}: ScheduledWork<Schema, Answer>): (
  event: SQSEvent | z.input<typeof scheduledTask>,
) => Promise<SQSBatchResponse | { readonly jobs: number } | Answer> {
  const { log } = consumer;
  const consume = queueConsumer({
    ...consumer,
    work: async ({ message: job }) => {
      log.info('A job is done.', { event: logEvents.done, ...(await work(job)) });
      return 'done';
    },
  });
  return async (event) => {
    if (!('task' in event)) return consume(event);
    const { task, asOf = now() } = z.parse(scheduledTask, event);
    if (task === 'run') return run(asOf);
    const queuedJobs = await sendJobs(jobs(asOf), send);
    log.info('The jobs are queued.', { event: logEvents.queued, jobs: queuedJobs });
    return { jobs: queuedJobs };
  };
}
