import { npnsOfJob } from '../../shared/domain/registry-reconciliation/jobs.ts';

interface Reconciliation {
  readonly npns: number;
  /** Visits a second of the environment. */
  readonly perSecond: number;
  /** Jobs that are done at the same time. */
  readonly workers: number;
  /** Seconds that a visit takes: the registry's answer, and the writes. */
  readonly visitSeconds: number;
}

/**
 * Seconds until a reconciliation has made its last visit. Each worker takes the next job, reserves a turn for each of its
 * NPNs after the last turn reserved, and takes another job when its last visit is over.
 */
export function simulateVisits({ npns, perSecond, workers, visitSeconds }: Reconciliation): number {
  const freeAt = Array.from({ length: workers }, () => 0);
  let nextTurn = 0;
  for (let queued = npns; queued > 0; queued -= npnsOfJob) {
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const visits = Math.min(queued, npnsOfJob);
    const begin = Math.max(nextTurn, freeAt[worker] ?? 0);
    nextTurn = begin + visits / perSecond;
    freeAt[worker] = nextTurn - 1 / perSecond + visitSeconds;
  }
  return npns === 0 ? 0 : Math.max(...freeAt);
}
