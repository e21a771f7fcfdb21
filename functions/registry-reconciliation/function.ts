import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createEventItems } from '#domain/events/outbox.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import { createRegistry } from '#domain/registry/environment-registry.ts';
import { eventFunction } from '#function/function.ts';
import { toError } from '#platform/log/log.ts';
import { queueContext } from '#platform/queue/consumer.ts';
import { notRetried, type scheduledTask, scheduledWorker, sendJobs } from '#platform/queue/scheduled-jobs.ts';
import { createSendMessages, createSqsClient } from '#platform/queue/send.ts';
import {
  createReconciliationDeps,
  firstPollJobs,
  type ReconciliationTotals,
  reconcile,
  reconcileAll,
  reconciliationJob,
  reconciliationJobs,
} from './reconcile.ts';
import { uses } from './uses.ts';

/** The invocation of the schedule that finds new NPNs every few minutes, and NPNs not polled for too long. */
const firstPollsTask = z.object({ task: z.literal('new-npns') });

type FirstPollsTask = z.output<typeof firstPollsTask>;

const isFirstPolls = (event: object): event is FirstPollsTask => z.safeParse(firstPollsTask, event).success;

/** Days after which an NPN that was not polled is overdue. */
export const overdueAfterDays = 28;

/** Invoked by its schedules, queues the polls of the day and of new NPNs; invoked by the queue, makes them; by `admin`, both. */
export const registryReconciliationFunction = eventFunction({
  uses,
  resources: ({ values, queues, dynamo, context: { now } }) => {
    const sqs = createSqsClient();
    return {
      registry: createRegistry(values, { dynamo, now }),
      queue: queueContext(sqs, values),
      send: createSendMessages(queues['registry-reconciliation'], sqs),
      mostCallsANight: values.MOST_CALLS_A_NIGHT,
    };
  },
  compose({ registry, send, tables, queue, mostCallsANight, context: { logger: log, now } }) {
    const logFailureAs = (message: string) => (context: object, error: unknown) =>
      log.error(message, { event: 'npn_not_polled', ...context, error: toError(error) });
    const deps = createReconciliationDeps({
      tables,
      registry,
      holders: createPartiesOfNpns(tables),
      events: createEventItems(tables.outbox.items),
      mostCallsANight,
      now,
      log,
      onFailure: logFailureAs(
        'A poll of the registry failed, for an NPN or a subscriber; its job will be retried.',
      ),
    });
    const worker = scheduledWorker({
      schema: reconciliationJob,
      jobs: (asOf) => reconciliationJobs(asOf, deps),
      work: async (job) => {
        const totals = await reconcile(job, deps);
        return { asOf: job.asOf, position: job.position, ...totals };
      },
      run: (asOf) => reconcileAll(asOf, { ...deps, onFailure: logFailureAs(notRetried) }),
      logEvents: { queued: 'registry_reconciliation_queued', done: 'registry_reconciliation' },
      send,
      ...queue,
      log,
      now,
    });

    /** Queues the first polls that are due, and reports NPNs that are overdue. */
    async function queueFirstPolls(): Promise<{ readonly jobs: number }> {
      const jobs = await sendJobs(firstPollJobs(deps), send);
      if (jobs > 0) log.info('First polls are queued.', { event: 'first_polls_queued', jobs });
      const npns = await deps.npns.countNotPolledSince(
        new Date(now().getTime() - overdueAfterDays * 86_400_000),
      );
      if (npns > 0) log.warn('NPNs were not polled for too long.', { event: 'npns_overdue', npns });
      return { jobs };
    }

    return async (
      event: SQSEvent | z.input<typeof scheduledTask> | FirstPollsTask,
    ): Promise<SQSBatchResponse | { readonly jobs: number } | ReconciliationTotals> =>
      isFirstPolls(event) ? queueFirstPolls() : worker(event);
  },
});
