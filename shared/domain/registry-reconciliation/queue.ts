import { concurrently } from '../../platform/data/concurrently.ts';
import { StoredItemError } from '../../platform/data/stored.ts';
import type { SweepDays } from '../license-sweep/days.ts';
import { nextSweepDay } from '../license-sweep/jobs.ts';
import type { SubscribedNpns } from '../registry-records/npns.ts';
import { jobsOf, type ReconciliationJob } from './jobs.ts';
import type { VisitQueue } from './visit-queue.ts';

export interface QueueDeps {
  readonly npns: Pick<SubscribedNpns, 'all' | 'atBoundaryOf'>;
  readonly visits: VisitQueue;
  readonly sweepDays: Pick<SweepDays, 'missed'>;
  readonly now: () => Date;
  /** Called with each item that cannot be read, whose error names it; the others are queued. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Missed days whose licenses come first too. Those that were missed longer ago are late whatever comes first. */
const missedDays = 7;

/** First visits whose subscriptions are made at once. */
const concurrency = 16;

/**
 * The jobs of a reconciliation of every NPN that anybody subscribes to, once each, page by page. NPNs with a license at a
 * boundary of the next sweep come first: what the sweep reports must be what the registry says. The others follow, those
 * that were not visited for longest before the rest of their shard.
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
 * The jobs of first visits that are due. When the caller asks for the next page, it has sent them: then they are due again only
 * after a while. The visit itself forgets them, so that none is lost with its job.
 */
export async function* firstVisitJobs({
  visits,
  now,
  onUnreadable,
}: Pick<QueueDeps, 'visits' | 'now' | 'onUnreadable'>): AsyncGenerator<readonly ReconciliationJob[]> {
  for await (const page of visits.firstVisits()) {
    const due = readable(page, onUnreadable);
    const startedAt = now();
    await concurrently(due, concurrency, (one) => visits.subscribe(one));
    const npns = new Set(due.map(({ npn }) => npn));
    const firstVisits = due.map(({ npn, owner, isQuiet, since }) => ({
      npn,
      owner: owner.dataOwnerId,
      isQuiet,
      since,
    }));
    yield jobsOf([...npns], { asOf: startedAt, startedAt, position: 0, firstVisits });
    await concurrently(firstVisits, concurrency, (one) => visits.queued(one));
  }
}

/** The items that could be read; the others are passed on. */
function readable<Item>(
  items: readonly (Item | StoredItemError)[],
  onUnreadable: (error: unknown) => void,
): Item[] {
  return items.flatMap((item) => {
    if (!(item instanceof StoredItemError)) return [item];
    onUnreadable(item);
    return [];
  });
}
