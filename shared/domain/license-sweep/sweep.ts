import { concurrently } from '#platform/data/concurrently.ts';
import { type CalendarDate, daysBetween, newYorkDate } from '#platform/dates/dates.ts';
import { carrierChanged, configChanged, recordsChanged } from '../compliance/inputs-changed.ts';
import { never } from '../decision/dates.ts';
import {
  type Boundary,
  boundaries,
  expiringWindowDays,
  isAtBoundary,
  renewalDateAt,
} from '../decision/renewal.ts';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { PartiesOfNpns, PartyOfNpn } from '../npn-holders/holders.ts';
import { renewalShard, shardOf } from '../registry-records/stored.ts';
import type { BoundaryJob, DueLicense, SweepJob, SweepStore } from './store.ts';

export interface SweepDeps {
  readonly store: SweepStore;
  readonly holders: PartiesOfNpns;
  readonly events: EventItems;
  readonly now: () => Date;
  /** Called for each license, NPN, or config that could not be processed, and each job that could not be read; the others are. */
  readonly onFailure: (job: SweepJob, error: unknown) => void;
}

/** The result of a job. */
export interface SweepTotals {
  /** Licenses at the boundary. */
  readonly licenses: number;
  /** Licenses that were reported now. */
  readonly events: number;
  /** Items that could not be processed. */
  readonly failed: number;
}

/** Licenses processed at once. */
const concurrency = 24;

const isOfBoundary = (job: SweepJob): job is BoundaryJob => job.kind !== 'CHANGE';

/** Does a job, any number of times, also by several workers at once; what fails is counted. */
export const sweepOnce = (job: SweepJob, deps: SweepDeps): Promise<SweepTotals> =>
  isOfBoundary(job) ? report(job, deps) : checkAgain(job, deps);

/** Does a job's work for each of what it is about. What fails is logged and counted, and the others are done. */
function createTries(job: SweepJob, { onFailure }: SweepDeps) {
  const tries = {
    failed: 0,
    each: <Item>(pages: AsyncIterable<readonly Item[]>, work: (item: Item) => Promise<void>) =>
      concurrently(
        itemsOf(pages),
        (item) =>
          work(item).catch((error: unknown) => {
            tries.failed += 1;
            onFailure(job, error);
          }),
        concurrency,
      ),
  };
  return tries;
}

/** Reports every license at a job's boundary that was not reported before. */
async function report(job: BoundaryJob, deps: SweepDeps): Promise<SweepTotals> {
  const { store } = deps;
  let licenses = 0;
  let events = 0;
  const tries = createTries(job, deps);

  async function* dueWithHolders(): AsyncGenerator<(readonly [DueLicense, readonly PartyOfNpn[]])[]> {
    for await (const page of store.due(job)) {
      const licensesDue = page.filter((license) => isDue(license, job));
      licenses += licensesDue.length;
      if (licensesDue.length === 0) continue;
      const holders = await deps.holders(licensesDue.map(({ subscription }) => subscription));
      yield licensesDue.map((license) => [license, holders.get(license.subscription._id) ?? []] as const);
    }
  }

  await tries.each(dueWithHolders(), async ([dueLicense, holders]) => {
    // Nobody's license: it is not marked either, so a holder that comes back on the same day still gets its event.
    if (holders.length === 0) return;
    if (await reportLicense(dueLicense, holders, job, deps)) events += 1;
  });
  return { licenses, events, failed: tries.failed };
}

/** Reports a license at a boundary. @returns false if that was done before. */
function reportLicense(
  dueLicense: DueLicense,
  holders: readonly PartyOfNpn[],
  job: Pick<BoundaryJob, 'kind' | 'runsOn'>,
  { store, events, now }: Pick<SweepDeps, 'store' | 'events' | 'now'>,
): Promise<boolean> {
  const { renewalDate = never } = dueLicense.entry;
  const items = events(
    holders.map((holder) => eventOf(dueLicense, holder, job, renewalDate)),
    now(),
  );
  return store.mark(dueLicense, job.kind, renewalDate, items);
}

/**
 * Reports the licenses of one subscription that are at a boundary today, whether or not today was swept.
 * @param holders whom its NPN identifies.
 */
export async function sweepSubscription(
  subscription: DueLicense['subscription'],
  holders: readonly PartyOfNpn[],
  deps: Pick<SweepDeps, 'store' | 'events' | 'now'>,
): Promise<void> {
  if (holders.length === 0) return;
  const today = newYorkDate(deps.now());
  for (const dueLicense of await deps.store.ofSubscription(subscription, today)) {
    for (const kind of boundaries.filter((boundary) => isDueToday(dueLicense, boundary, today))) {
      await reportLicense(dueLicense, holders, { kind, runsOn: today }, deps);
    }
  }
}

/** Whether a license is at a boundary today: one whose end was corrected to a past day at that of the sweep that is next. */
function isDueToday({ entry }: DueLicense, boundary: Boundary, today: CalendarDate): boolean {
  const sweepDate = renewalDateAt(boundary, today);
  const shard = shardOf(entry.pk);
  return (
    (boundary === 'EXPIRED' ? [sweepDate, today] : [sweepDate]).some(
      (day) => entry.renewalKey === renewalShard(day, shard),
    ) && isAtBoundary(boundary, entry.renewalDate ?? never, sweepDate)
  );
}

/** Has compliance checked again where records, configs, or company codes say something else from a day on, though nobody changed them. */
async function checkAgain(job: SweepJob, deps: SweepDeps): Promise<SweepTotals> {
  const { events, now } = deps;
  const { changes } = deps.store;
  const tries = createTries(job, deps);
  await tries.each(changes.holders(job), async (holder) => {
    const { owner, npn, isOfCarrier } = holder;
    await changes.moveOn(holder, job, now, isOfCarrier ? events([recordsChanged(owner, npn)], now()) : []);
  });
  await tries.each(changes.configs(job), async ({ owner, productId }) => {
    const eventId = derivedEventId('config', owner, productId, job.day);
    await changes.emit(events([{ ...configChanged(owner, productId), eventId }], now()));
  });
  await tries.each(changes.carriers(job), async (owner) => {
    const eventId = derivedEventId('codes', owner, job.day);
    await changes.emit(events([{ ...carrierChanged(owner), eventId }], now()));
  });
  return { licenses: 0, events: 0, failed: tries.failed };
}

async function* itemsOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page;
}

/** Jobs done at once where they are not queued. */
export const jobsAtOnce = 8;

/**
 * Whether a license is at the boundary on the day, and was known by then. A license with a date corrected into the past is at the
 * boundary on the next day.
 */
function isDue({ entry }: DueLicense, { day, kind, shard }: BoundaryJob): boolean {
  const sweepDate = renewalDateAt(kind, day);
  return (
    entry.renewalKey === renewalShard(sweepDate, shard) &&
    isAtBoundary(kind, entry.renewalDate ?? never, sweepDate) &&
    (entry.createdAt === undefined || newYorkDate(new Date(entry.createdAt)) <= day)
  );
}

/** The event of a license at a boundary; at most once, by an id derived from the license and the date. */
function eventOf(
  { owner, entry, license, subscription }: DueLicense,
  holder: PartyOfNpn,
  { kind: boundary, runsOn }: Pick<BoundaryJob, 'kind' | 'runsOn'>,
  renewalDate: CalendarDate,
): NewEvent {
  const words = ['license', owner, license.npn, entry.sk, boundary, renewalDate, holder.model];
  const common = { upstreamEntityId: owner, eventId: derivedEventId(...words) };
  const payload = {
    ...license,
    registryDataSubscriptionId: subscription._id,
    nextRenewalDate: renewalDate,
    daysUntilExpiration: daysBetween(runsOn, renewalDate),
    expiringWindowDays,
  };
  return holder.model === 'agent'
    ? {
        ...common,
        type: `AGENT_LICENSE_${boundary}`,
        entityId: holder.agentId,
        payload: { agentId: holder.agentId, ...payload },
      }
    : {
        ...common,
        type: `DOWNSTREAM_ENTITY_LICENSE_${boundary}`,
        entityId: holder.downstreamEntityAssociationId,
        payload: { downstreamEntityAssociationId: holder.downstreamEntityAssociationId, ...payload },
      };
}
