import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type CompatibleSchema, compatible } from '../contract/compatible.ts';
import { object } from '../contract/object.ts';
import { instant } from '../contract/primitives.ts';
import type { LogEvent } from '../log/log.ts';
import { type ConsumerOptions, queueConsumer } from './consumer.ts';
import type { SendMessages } from './send.ts';

/** The schedule's invocation; `asOf` is when it was due. */
export const dispatchTask = compatible(
  'schedules/dispatch',
  object(() => ({ task: z.literal('dispatch'), asOf: z.optional(instant) })),
);

interface ScheduledWork<Schema extends CompatibleSchema> extends Omit<ConsumerOptions<Schema>, 'work'> {
  /** The jobs that are due as of then, page by page. */
  readonly jobs: (asOf: Date) => AsyncIterable<readonly z.output<Schema>[]>;
  /** Sends to the worker's own queue. */
  readonly send: SendMessages;
  /** Does a job; returns what is logged of it. */
  readonly work: (job: z.output<Schema>) => Promise<object>;
  readonly logEvents: Readonly<{ queued: LogEvent; done: LogEvent }>;
  readonly now: () => Date;
}

/** Sends jobs, page by page; returns how many. */
export async function sendJobs<Job>(
  pages: AsyncIterable<readonly Job[]>,
  send: (page: readonly Job[]) => Promise<unknown>,
): Promise<number> {
  let sent = 0;
  for await (const page of pages) {
    await send(page);
    sent += page.length;
  }
  return sent;
}

/** The handler of a function that a schedule invokes to queue jobs, and the queue to do them. */
export function scheduledWorker<Schema extends CompatibleSchema<object>>({
  jobs,
  send,
  work,
  logEvents,
  now,
  ...consumer
}: ScheduledWork<Schema>): (
  event: SQSEvent | z.input<typeof dispatchTask>,
) => Promise<SQSBatchResponse | { readonly jobs: number }> {
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
    const { asOf = now() } = z.parse(dispatchTask, event);
    const queued = await sendJobs(jobs(asOf), send);
    log.info('The jobs are queued.', { event: logEvents.queued, jobs: queued });
    return { jobs: queued };
  };
}
