import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { createPartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import { createS3Changes } from '../../shared/domain/registry/change-files.ts';
import type { Registry, RegistryPolls } from '../../shared/domain/registry/registry.ts';
import { pollEveryDays } from '../../shared/domain/registry/registry.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { type QueueContext, queueContext } from '../../shared/platform/queue/consumer.ts';
import {
  notRetried,
  type scheduledTask,
  scheduledWorker,
  sendJobs,
} from '../../shared/platform/queue/scheduled-jobs.ts';
import { createSendMessages, createSqsClient, type SendMessages } from '../../shared/platform/queue/send.ts';
import { reconciliationJob } from './poll.ts';
import { firstPollJobs, reconciliationJobs } from './queue.ts';
import { createReconciliationDeps, type ReconciliationTotals, reconcile, reconcileAll } from './reconcile.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly registry: Registry & RegistryPolls;
  readonly queue: QueueContext;
  /** Sends to its own queue. */
  readonly send: SendMessages;
  /** Polls of the registry in a second, of all workers together. */
  readonly pollsPerSecond: number;
  /** Calls of the registry for which a reconciliation queues jobs at most, where it keeps lists of changes. */
  readonly mostCallsANight: number;
}

/** The invocation of the schedule that finds new NPNs every few minutes, and NPNs not polled for too long. */
const firstPollsTask = z.object({ task: z.literal('new-npns') });

type FirstPollsTask = z.output<typeof firstPollsTask>;

const isFirstPolls = (event: object): event is FirstPollsTask => z.safeParse(firstPollsTask, event).success;

/** After so long an NPN that is due is overdue: it missed one reconciliation, and the next has not made up for it. */
export const overdueAfterMs = 2 * 86_400_000;

function compose({
  registry,
  send,
  tables,
  queue,
  pollsPerSecond,
  mostCallsANight,
  context: { logger: log, now, clocks },
}: Resources<typeof uses, OwnResources>) {
  const logFailureAs = (message: string) => (context: object, error: unknown) =>
    log.error(message, { event: 'npn_not_polled', ...context, error: toError(error) });
  const logFailure = logFailureAs(
    'A poll of the registry failed, for an NPN or a subscriber; its job will be retried.',
  );
  const deps = createReconciliationDeps({
    tables,
    registry,
    holders: createPartiesOfNpns(tables),
    events: createEventItems(tables.outbox.items),
    pollsPerSecond,
    mostCallsANight,
    now,
    clocks,
    log,
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
    run: (asOf) => reconcileAll(asOf, { ...deps, onFailure: logFailureAs(notRetried) }),
    logEvents: { queued: 'registry_reconciliation_queued', done: 'registry_reconciliation' },
    send,
    ...queue,
    log,
    now,
  });

  /** Queues the first polls that are due, and reports NPNs that are overdue. */
  async function queueFirstPolls(): Promise<{ readonly jobs: number }> {
    const jobs = await sendJobs(firstPollJobs(queueDeps), send);
    if (jobs > 0) log.info('First polls are queued.', { event: 'first_polls_queued', jobs });
    const recently = new Date(now().getTime() - overdueAfterMs);
    const hasLists = (await deps.changeLists.read()) !== undefined;
    const NPN = hasLists ? new Date(recently.getTime() - pollEveryDays * 86_400_000) : recently;
    const overdue = await deps.npns.countWaitingSince({ CHANGED: recently, NEW: recently, NPN });
    if (overdue > 0) {
      log.warn('NPNs were not polled for two days after they were due.', {
        event: 'npns_overdue',
        npns: overdue,
      });
    }
    return { jobs };
  }

  return async (
    event: SQSEvent | z.input<typeof scheduledTask> | FirstPollsTask,
  ): Promise<SQSBatchResponse | { readonly jobs: number } | ReconciliationTotals> =>
    isFirstPolls(event) ? queueFirstPolls() : worker(event);
}

/** Invoked by its schedules, queues the polls of the day and of new NPNs; invoked by the queue, makes them; by `admin`, both. */
export const registryReconciliationFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, queues, dynamo, context: { now } }) => {
    const sqs = createSqsClient();
    return {
      registry: createRegistry(values, {
        dynamo,
        now,
        listedChanges: createS3Changes(values.REGISTRY_CHANGES),
      }),
      queue: queueContext(sqs, values),
      send: createSendMessages(queues['registry-reconciliation'], sqs),
      pollsPerSecond: values.REGISTRY_POLLS_PER_SECOND,
      mostCallsANight: values.MOST_CALLS_A_NIGHT,
    };
  },
});
