import { concurrently } from '../../platform/data/concurrently.ts';
import type { Pace } from '../../platform/data/pace.ts';
import { checkFinished, runJobs } from '../../platform/queue/scheduled-jobs.ts';
import type { SubscribedNpns } from '../registry-records/npns.ts';
import { npnsOfJob, type ReconciliationJob } from './jobs.ts';
import { type QueueDeps, reconciliationJobs } from './queue.ts';
import { type VisitDeps, type VisitTotals, visitNpn } from './visit.ts';

export interface ReconciliationDeps extends VisitDeps, Omit<QueueDeps, 'onUnreadable'> {
  readonly npns: SubscribedNpns;
  readonly pace: Pace;
}

/** The result of a job. */
export interface ReconciliationTotals extends VisitTotals {
  /** NPNs that were visited now. */
  readonly npns: number;
}

const noTotals: ReconciliationTotals = {
  npns: 0,
  subscriptions: 0,
  changed: 0,
  actions: 0,
  added: 0,
  updated: 0,
  failed: 0,
};

/**
 * Does a job. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some NPNs could not be visited, after all the others were.
 */
export async function reconcile(
  job: ReconciliationJob,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals> {
  const totals = await visitAll(job, deps);
  checkFinished(totals);
  return totals;
}

/**
 * Visits the NPNs of a job that were not visited since it was queued, each in its turn. A first visit is made unless it was made
 * already: another visit of the NPN may not have known its owner.
 */
async function visitAll(
  { npns, startedAt, firstVisits }: ReconciliationJob,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals> {
  const sums: Record<keyof ReconciliationTotals, number> = { ...noTotals };
  const [unvisited, waiting] = await Promise.all([
    deps.npns.notVisitedSince(npns, new Date(startedAt)),
    deps.visits.waiting(firstVisits),
  ]);
  const left = Array.from(new Set([...unvisited, ...waiting.map(({ npn }) => npn)]));
  const turns = (await deps.pace(left.length)).entries();
  // As many at once as there are: the turns alone say how fast they begin, however slow the registry is.
  await concurrently(turns, npnsOfJob, async ([index, turn]) => {
    await turn();
    const npn = left[index] ?? '';
    const newcomers = waiting.filter((one) => one.npn === npn);
    const visit = await visitNpn(npn, newcomers, deps);
    if (visit.failed === 0) for (const one of newcomers) await deps.visits.forget(one);
    sums.npns += 1;
    for (const count of ['subscriptions', 'changed', 'actions', 'added', 'updated', 'failed'] as const) {
      sums[count] += visit[count];
    }
  });
  return sums;
}

/** Jobs done at once where they are not queued: the next one's turns begin while the last visits of one go on. */
const jobsAtOnce = 2;

/** A reconciliation as of an instant, without the queue; returns its totals. Failures are left to the next one. */
export const reconcileAll = (asOf: Date, deps: ReconciliationDeps): Promise<ReconciliationTotals> =>
  runJobs(reconciliationJobs(asOf, deps), {
    concurrency: jobsAtOnce,
    zero: noTotals,
    work: (job) => visitAll(job, deps),
    onFailure({ npns }, error) {
      for (const npn of npns) deps.onFailure({ npn }, error);
      return { ...noTotals, npns: npns.length, failed: npns.length };
    },
  });
