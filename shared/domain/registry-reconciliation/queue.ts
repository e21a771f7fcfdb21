import { concurrently } from '../../platform/data/concurrently.ts';
import { readable } from '../../platform/data/stored.ts';
import type { SweepDays } from '../license-sweep/days.ts';
import { nextSweepDay } from '../license-sweep/jobs.ts';
import type { SubscribedNpns } from '../registry-records/npns.ts';
import { jobsOf, type ReconciliationJob } from './jobs.ts';
import type { PollQueue } from './poll-queue.ts';

export interface QueueDeps {
  readonly npns: Pick<SubscribedNpns, 'all' | 'atBoundaryOf'>;
  readonly polls: PollQueue;
  readonly sweepDays: Pick<SweepDays, 'missed'>;
  readonly now: () => Date;
  /** Called with each item that cannot be read, whose error names it; the others are queued. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Missed days whose licenses come first too. Those that were missed longer ago are late whatever comes first. */
const missedDays = 7;

/** First polls whose subscriptions are made at once. */
const concurrency = 16;

/**
 * The jobs of a reconciliation of every NPN that anybody subscribes to, once each, page by page. NPNs with a license at a
 * boundary of the next sweep come first: what the sweep reports must be what the registry says. The others follow, those
 * that were not polled for longest before the rest of their shard.
 */
export async function* reconciliationJobs(
  asOf: Date,
  { npns, sweepDays, now }: Pick<QueueDeps, 'npns' | 'sweepDays' | 'now'>,
): AsyncGenerator<readonly ReconciliationJob[]> {
  const startedAt = now();
  const next = nextSweepDay(asOf);
  const first = new Set<string>();
  for (const day of [...(await sweepDays.missed(next)).slice(-missedDays), next]) {
    for await (const some of npns.atBoundaryOf(day)) for (const npn of some) first.add(npn);
  }
  yield jobsOf([...first], { asOf, startedAt, position: 0 });
  let position = first.size;
  for await (const page of npns.all()) {
    const others = page.map(({ npn }) => npn).filter((npn) => !first.has(npn));
    yield jobsOf(others, { asOf, startedAt, position });
    position += others.length;
  }
}

/**
 * The jobs of first polls that are due. When the caller asks for the next page, it has sent them: then they are due again only
 * after a while. The poll itself forgets them, so that none is lost with its job.
 */
export async function* firstPollJobs({
  polls,
  now,
  onUnreadable,
}: Pick<QueueDeps, 'polls' | 'now' | 'onUnreadable'>): AsyncGenerator<readonly ReconciliationJob[]> {
  for await (const page of polls.firstPolls()) {
    const due = readable(page, onUnreadable);
    const startedAt = now();
    await concurrently(due, concurrency, (one) => polls.subscribe(one));
    const npns = new Set(due.map(({ npn }) => npn));
    const firstPolls = due.map(({ npn, owner, isSilent, since }) => ({
      npn,
      owner: owner.dataOwnerId,
      isSilent,
      since,
    }));
    yield jobsOf([...npns], { asOf: startedAt, startedAt, position: 0, firstPolls });
    await concurrently(firstPolls, concurrency, (one) => polls.queued(one));
  }
}
