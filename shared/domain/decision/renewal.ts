import { addDays, type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { statusKindOf } from '../registry/words.ts';
import type { LicenseHolding } from './coverage.ts';
import { endsOf } from './dated.ts';
import { always, dayAfter, dayBefore, never, writtenDate } from './dates.ts';
import type { LicenseRow } from './records.ts';

// When a license must be renewed. Its last term counts: where it was renewed early, the former term may still be in force, but its
// end is no longer the license's.

/** Days before the end of a license from which it is expiring (OpenAPI, "listAgencyLicenseOverview" and "Events"). */
export const expiringWindowDays = 60;

/** The renewal status of a license on a day, the most urgent first. */
export const renewalStatuses = ['expired', 'expiring', 'active', 'inactive'] as const;

export type RenewalStatus = (typeof renewalStatuses)[number];

/** The day from which a license that ends on a day is expiring. */
export const expiringOn = (ownEnd: CalendarDate): CalendarDate =>
  ownEnd === never ? never : addDays(ownEnd, -expiringWindowDays);

/** The day from which it is expired, unless it is renewed. */
export const expiredOn = dayAfter;

/** The last day of the licenses that are expiring from a day on. */
export const lastExpiringDay = (day: CalendarDate): CalendarDate => addDays(day, expiringWindowDays);

/** The days of a license that the sweep reports. */
export const boundaries = ['EXPIRING', 'EXPIRED'] as const;
export type Boundary = (typeof boundaries)[number];

/** The renewal date of licenses that are at a boundary on a day. */
export const renewalDateAt = (boundary: Boundary, day: CalendarDate): CalendarDate =>
  boundary === 'EXPIRING' ? lastExpiringDay(day) : dayBefore(day);

/** Time from 05:00 in New York, when the license sweep runs, to midnight. */
const fromSweepToMidnightMs = 19 * 3_600_000;

/** The day of the next sweep after an instant; an hour off when clocks change that day. */
export const nextSweepDay = (instant: Date): CalendarDate =>
  newYorkDate(new Date(instant.getTime() + fromSweepToMidnightMs));

/** A license as far as its renewal goes. */
export interface RenewalRow {
  /** Status of the row that is shown, or `inForce` or `leftOut`. */
  readonly status: string;
  /** The first day of that row; `always` where it names none. */
  readonly begins: CalendarDate;
  /** The last day of its last term; `never` without one. */
  readonly ownEnd: CalendarDate;
}

/** The statuses of a license that is in force, and of one that is not, whatever its row says. */
export const [inForce, leftOut] = ['in force', 'left out'];

/**
 * A license as far as its renewal goes.
 * @param shownRow the row that is shown of it.
 * @param term the one by which it is in force last, or would be.
 */
export function renewalRowOf(shownRow: LicenseRow, term: LicenseRow = shownRow): RenewalRow {
  const ends = endsOf(term);
  return {
    status: shownRow.status,
    begins: shownRow.issueDate === null ? always : writtenDate(shownRow.issueDate),
    ownEnd: ends === never ? never : dayBefore(ends),
  };
}

/**
 * The last term of a license: one that was renewed early is in force by a former term, and is to be renewed by the last one.
 * @param shownRow the row that is shown of it, where it has been in force on no day.
 */
export const lastTermOf = <License extends LicenseRow>(
  { days }: LicenseHolding<License>,
  shownRow: License,
): License => days.findLast(({ mark }) => mark?.is === 'in force')?.mark?.row.source ?? shownRow;

/** The date by which the sweep finds a license: of its renewal, else of its end; null without either. */
export function renewalDateOf({
  nextRenewalDate,
  expirationDate,
}: Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>): CalendarDate | null {
  const date = nextRenewalDate ?? expirationDate;
  return date === null ? null : writtenDate(date);
}

/** A license as it was stored: its own renewal date, and the one by which the sweep found it. */
interface SweptLicense {
  readonly renewalDate: CalendarDate | null;
  readonly sweptBy: CalendarDate | undefined;
}

/**
 * The renewal date by which the sweep finds a license: its own. Where it was corrected to one whose boundary has passed, and
 * was later before, that whose boundary is next (OpenAPI, "Events").
 * @param next the renewal date that has expired at the next sweep.
 */
export function sweptBy(
  ownDate: CalendarDate | null,
  before: SweptLicense | undefined,
  { next, isSilent }: { readonly next: CalendarDate; readonly isSilent: boolean },
): CalendarDate | null {
  if (ownDate === null || before === undefined) return ownDate;
  if (before.renewalDate === ownDate) return before.sweptBy ?? ownDate;
  // One that was corrected before, and that no sweep has found since, is still to be found.
  if (ownDate < next && before.sweptBy !== before.renewalDate && (before.sweptBy ?? '') >= next) return next;
  return ownDate < next && !isSilent && (before.renewalDate ?? never) >= next ? next : ownDate;
}

/** Whether a license that the sweep finds by a renewal date is at a boundary: expired also where its own date is earlier. */
export const isAtBoundary = (boundary: Boundary, ownDate: CalendarDate, sweepDate: CalendarDate): boolean =>
  boundary === 'EXPIRED' ? ownDate <= sweepDate : ownDate === sweepDate;

/** The warnings and events of a license renewal on a day. */
export type Renewal = ReturnType<typeof renewalOf>;

/** The renewal of a license on a day (OpenAPI, "listAgencyLicenseOverview"). */
export function renewalOf({ status, begins, ownEnd }: RenewalRow, day: CalendarDate) {
  const kind = statusKindOf(status, 'license');
  const hasBegun = begins <= day;
  const isExpired = hasBegun && ownEnd < day;
  const isCurrent = kind === 'live' && hasBegun && !isExpired;
  const currentStatus = expiringOn(ownEnd) <= day ? 'expiring' : 'active';
  const endedStatus = isExpired ? 'expired' : 'inactive';
  const renewalStatus: RenewalStatus = isCurrent ? currentStatus : endedStatus;
  // What else the registry reports of a license than that it was not renewed has given it up.
  const isGivenUp = kind !== 'live' && kind !== 'lapsed';
  return {
    renewalStatus,
    /** Whether the license is in force on the day, be it by a former term. */
    isCurrent,
    /** The last day of its last term; null where it has none, and for a license that is inactive. */
    dueDate: renewalStatus === 'inactive' || ownEnd === never ? null : ownEnd,
    /** Whether it is expiring, or has expired and was not given up. */
    isToBeRenewed: renewalStatus === 'expiring' || (isExpired && !isGivenUp),
  };
}
