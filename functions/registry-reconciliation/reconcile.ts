import { createSilentMoves } from '#domain/baselines/baseline.ts';
import { createReconciliationStore } from '#domain/registry-reconciliation/visit.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import { createSubscribedNpns, type SubscribedNpns } from '#domain/registry-records/subscriptions.ts';
import type { Tables } from '#domain/tables.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { addTo, checkFinished, createTally, runJobs, type Tally } from '#platform/queue/scheduled-jobs.ts';
import {
  createNightCalls,
  createPollQueue,
  isDone,
  type NightCalls,
  noTotals,
  type PollDeps,
  type PollTotals,
  pollNpn,
  type QueueDeps,
  type ReconciliationJob,
  reconciliationJobs,
} from './poll.ts';

export interface ReconciliationDeps extends PollDeps, QueueDeps {
  readonly npns: SubscribedNpns;
  readonly nightCalls: NightCalls;
}

/** The result of a job. */
export interface ReconciliationTotals extends PollTotals {
  /** NPNs that were polled now. */
  readonly npns: number;
}

const nothingDone: ReconciliationTotals = { npns: 0, ...noTotals };

/**
 * Does a job. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some NPNs could not be polled, after all the others were.
 */
export async function reconcile(
  job: ReconciliationJob,
  deps: ReconciliationDeps,
  tally = createTally(),
): Promise<ReconciliationTotals> {
  const totals = await pollAll(job, deps, tally);
  checkFinished(totals);
  return totals;
}

/**
 * Polls the NPNs of a job that were not polled since it was queued. A first poll is made unless it was made
 * already: another poll of the NPN may not have known its owner.
 */
async function pollAll(
  { npns, startedAt, firstPolls }: ReconciliationJob,
  deps: ReconciliationDeps,
  tally: Tally,
): Promise<ReconciliationTotals> {
  const sums: Record<keyof ReconciliationTotals, number> = { ...nothingDone };
  const [unpolledNpns, waiting] = await Promise.all([
    deps.npns.notPolledSince(npns, new Date(startedAt)),
    deps.polls.waiting(firstPolls),
  ]);
  const npnsLeft = new Set([...unpolledNpns, ...waiting.map(({ npn }) => npn)]);
  await concurrently(
    npnsLeft,
    async (npn) => {
      const firstPolls = waiting.filter((firstPoll) => firstPoll.npn === npn);
      const poll = await pollNpn(npn, firstPolls, deps, tally);
      if (isDone(poll)) for (const firstPoll of firstPolls) await deps.polls.forget(firstPoll);
      addTo(sums, { npns: 1, ...poll });
    },
    pollsAtOnce,
  );
  return sums;
}

/** Polls of a job at once. With the workers of its queue they bound how many calls the registry gets at once. */
export const pollsAtOnce = 5;

/** Jobs done at once where they are not queued. */
const jobsAtOnce = 2;

/** A reconciliation as of an instant, without the queue; returns its totals. Failures are left to the next one. */
export async function reconcileAll(
  asOf: Date,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals & { readonly byOrganization: readonly object[] }> {
  const tally = createTally();
  const totals = await runJobs(reconciliationJobs(asOf, deps), {
    concurrency: jobsAtOnce,
    zero: nothingDone,
    work: (job) => pollAll(job, deps, tally),
    onFailure({ npns }, error) {
      for (const npn of npns) deps.onFailure({ npn }, error);
      return { ...nothingDone, npns: npns.length, failed: npns.length };
    },
  });
  return { ...totals, byOrganization: tally.rows() };
}

interface ReconciliationParts
  extends Pick<ReconciliationDeps, 'registry' | 'holders' | 'events' | 'now' | 'onFailure' | 'log'> {
  readonly tables: Tables<'registryRecords' | 'compliance' | 'organizations'>;
  /** Calls of the registry from one license sweep to the next, by all functions together; undefined: nothing bounds them. */
  readonly mostCallsANight: number | undefined;
}

/** Dependencies of a reconciliation, whether its jobs are queued or done at once. */
export function createReconciliationDeps({
  tables,
  mostCallsANight,
  ...parts
}: ReconciliationParts): ReconciliationDeps {
  const { registryRecords: table } = tables;
  return {
    ...parts,
    createSilentMoves: () => createSilentMoves(tables, parts.now),
    store: createReconciliationStore(table),
    npns: createSubscribedNpns(table),
    records: createSubscriberRecords(table, parts.now),
    polls: createPollQueue(table, parts.now),
    nightCalls: createNightCalls(table, mostCallsANight, parts.now),
  };
}
