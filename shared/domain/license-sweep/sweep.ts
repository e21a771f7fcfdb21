import { concurrently } from '../../platform/data/concurrently.ts';
import { StoredItemError } from '../../platform/data/stored.ts';
import { type CalendarDate, daysBetween, newYorkDate } from '../../platform/dates/calendar.ts';
import { checkFinished, runJobs } from '../../platform/queue/scheduled-jobs.ts';
import { recordsChanged } from '../compliance/inputs-changed.ts';
import { writtenDate } from '../decision/dates.ts';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { NpnHolder, NpnHolders } from '../npn-holders/holders.ts';
import type { EndedAppointment } from './ended-appointments.ts';
import { expiringWindowDays, jobName, jobsOf, renewalDateAt, type SweepJob } from './jobs.ts';
import type { DueLicense, SweepStore } from './store.ts';

export interface SweepDeps {
  readonly store: SweepStore;
  readonly holders: NpnHolders;
  readonly events: EventItems;
  readonly now: () => Date;
  /** Called for each license that could not be processed, and each job that could not be read; the others are processed. */
  readonly onFailure: (job: SweepJob, error: unknown) => void;
}

/** The result of a job. */
export interface SweepTotals {
  /** Licenses at the boundary. */
  readonly licenses: number;
  /** Those that were reported now. */
  readonly events: number;
  /** Those that could not be processed. */
  readonly failed: number;
}

/**
 * The jobs of a sweep as of an instant, day by day: days that were missed come first, however many and however long ago,
 * without those of their jobs that are done; the day itself is swept whole, however often it was before (OpenAPI, "Events").
 */
export async function* sweepJobs(asOf: Date, store: SweepStore): AsyncGenerator<readonly SweepJob[]> {
  const today = newYorkDate(asOf);
  for (const day of await store.begin(today)) {
    const done = await store.doneJobs(day);
    yield jobsOf(day, today).filter((job) => !done.has(jobName(job)));
  }
  yield jobsOf(today, today);
}

/** Licenses processed at once. */
const concurrency = 24;

/**
 * Does a job, and records that it is done. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some licenses could not be processed, after all the others were.
 */
export async function sweep(job: SweepJob, deps: SweepDeps): Promise<SweepTotals> {
  const totals = await report(job, deps);
  checkFinished(totals);
  await deps.store.finish(job.day, [job]);
  return totals;
}

/** Reports every license at a job's boundary that was not reported before. */
async function report(job: SweepJob, deps: SweepDeps): Promise<SweepTotals> {
  const { store } = deps;
  const renewalDate = renewalDateAt(job.boundary, job.day);
  let licenses = 0;
  let events = 0;
  let failed = 0;
  const fail = (error: unknown): void => {
    failed += 1;
    deps.onFailure(job, error);
  };

  async function* dueWithHolders(): AsyncGenerator<readonly [DueLicense, NpnHolder | undefined]> {
    for await (const some of store.due(job)) {
      const due = some.flatMap((one) => {
        if (!(one instanceof StoredItemError)) return isDue(one, job.day, renewalDate) ? [one] : [];
        fail(one);
        return [];
      });
      licenses += due.length;
      if (due.length === 0) continue;
      const holders = await deps.holders(due.map(({ subscription }) => subscription));
      yield* due.map((one) => [one, holders.get(one.subscription._id)] as const);
    }
  }

  await concurrently(dueWithHolders(), concurrency, async ([due, holder]) => {
    try {
      // Nobody's license: it is not marked either, so a holder that comes back on the same day is still told.
      if (holder === undefined) return;
      const items = deps.events(eventsOf(due, holder, job, renewalDate), deps.now());
      if (await store.mark(due, job.boundary, renewalDate, items)) events += 1;
    } catch (error) {
      fail(error);
    }
  });
  if (job.boundary === 'EXPIRED') await noteEndedAppointments(job, renewalDate, deps);
  return { licenses, events, failed };
}

/** Has compliance checked again where an appointment ended, though nobody changed it; once, by the event's id. */
async function noteEndedAppointments(
  job: SweepJob,
  renewalDate: CalendarDate,
  { store, events, now }: SweepDeps,
): Promise<void> {
  async function* ended(): AsyncGenerator<EndedAppointment> {
    for await (const some of store.endedAppointments(job)) yield* some;
  }
  await concurrently(ended(), concurrency, async ({ owner, npn }) => {
    const eventId = derivedEventId('appointment', owner, npn, renewalDate);
    await store.emit(events([{ ...recordsChanged(owner, npn), eventId }], now()));
  });
}

/** Jobs done at once where they are not queued. */
const jobsAtOnce = 8;

/**
 * A sweep as of an instant, without the queue; returns its totals, where a job that could not be read counts as one
 * failure. What failed is left to the next sweep.
 */
export async function sweepAll(
  asOf: Date,
  deps: SweepDeps,
): Promise<SweepTotals & { readonly days: number; readonly jobs: number }> {
  const run = { days: 0, jobs: 0 };
  const totals = await runJobs(sweepJobs(asOf, deps.store), {
    concurrency: jobsAtOnce,
    zero: { licenses: 0, events: 0, failed: 0 },
    work: (job) => report(job, deps),
    onFailure: (job, error) => {
      deps.onFailure(job, error);
      return { licenses: 0, events: 0, failed: 1 };
    },
    onPage: async (jobs, finished) => {
      run.days += 1;
      run.jobs += jobs.length;
      const [first] = finished;
      if (first !== undefined) await deps.store.finish(first.day, finished);
    },
  });
  return { ...run, ...totals };
}

/** Whether a license was at the boundary on the day, and was known by then. */
const isDue = ({ license }: DueLicense, day: CalendarDate, renewalDate: CalendarDate): boolean =>
  license.renewalKey !== undefined &&
  license.nextRenewalDate !== null &&
  writtenDate(license.nextRenewalDate) === renewalDate &&
  (license.createdAt === undefined || newYorkDate(new Date(license.createdAt)) <= day);

/** The events of a license at a boundary; each at most once, by ids derived from the license and the date. */
function eventsOf(
  { owner, license, subscription }: DueLicense,
  holder: NpnHolder,
  { boundary, runsOn }: SweepJob,
  renewalDate: CalendarDate,
): NewEvent[] {
  const { npn, stateCode, licenseNumber, licenseClassCode, licenseClassName, status, residencyStatus } =
    license;
  const words = [
    'license',
    owner,
    npn,
    stateCode,
    licenseNumber,
    licenseClassCode ?? '',
    boundary,
    renewalDate,
  ];
  const common = { upstreamEntityId: owner, eventId: derivedEventId(...words) };
  const payload = {
    registryDataSubscriptionId: subscription._id,
    npn,
    stateCode,
    licenseNumber,
    licenseClassCode,
    licenseClassName,
    status,
    residencyStatus,
    nextRenewalDate: renewalDate,
    daysUntilExpiration: daysBetween(runsOn, renewalDate),
    expiringWindowDays,
  };
  const event: NewEvent =
    holder.model === 'agent'
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
  if (boundary === 'EXPIRING') return [event];
  // From this day on the license counts as expired, though nobody changed it.
  const change: NewEvent = {
    type: 'COMPLIANCE_INPUTS_CHANGED',
    upstreamEntityId: owner,
    entityId: subscription._id,
    eventId: derivedEventId('inputs', ...words),
    payload: { npn },
  };
  return [event, change];
}
