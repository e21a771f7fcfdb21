import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';
import { statusKindOf } from '../registry/words.ts';
import { always, dayAfter, dayBefore, includes, never, writtenDate } from './dates.ts';
import type { LicenseRow } from './facts.ts';
import { ownEndOf } from './license-history.ts';
import { isLive } from './license-identity.ts';

// When a license that is held must be renewed. Its last term counts: of its rows that are live, or of all where none is, the
// one that ends last. A term that was renewed early may still be in force, but its end is no longer the license's.

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

/** From 05:00 in New York, when the license sweep runs, to midnight. */
const fromSweepToMidnightMs = 19 * 3_600_000;

/** The day of the next sweep after an instant; an hour off when clocks change that day. */
export const nextSweepDay = (instant: Date): CalendarDate =>
  newYorkDate(new Date(instant.getTime() + fromSweepToMidnightMs));

/** A row of a license as far as its renewal goes. */
export interface RenewalRow {
  readonly status: string;
  /** The first day of its term; `always` where it names none. */
  readonly begins: CalendarDate;
  /** `never` without one. */
  readonly ownEnd: CalendarDate;
}

export const renewalRowOf = (license: LicenseRow): RenewalRow => ({
  status: license.status,
  begins: license.issueDate === null ? always : writtenDate(license.issueDate),
  ownEnd: ownEndOf(license),
});

/** The row that counts of the last term of a license; of equal ones the first. */
export const lastRowOf = <Row extends LicenseRow>(rows: readonly [Row, ...Row[]]): Row =>
  lastBy(renewalRowOf, rows);

function lastBy<Row extends Pick<LicenseRow, 'status'>>(
  renewal: (row: Row) => RenewalRow,
  rows: readonly [Row, ...Row[]],
): Row {
  const live = rows.filter(isLive);
  const [first = rows[0], ...others] = live.length === 0 ? rows : live;
  const isLater = (one: RenewalRow, other: RenewalRow): boolean =>
    (compare(one.ownEnd, other.ownEnd) || compare(one.begins, other.begins)) > 0;
  return others.reduce((last, row) => (isLater(renewal(row), renewal(last)) ? row : last), first);
}

/** The dates of a license by which it is to be renewed. */
type RenewalDates = Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>;

/** The date by which the sweep finds a license: of its renewal, else of its end; null without either. */
export function renewalDateOf({ nextRenewalDate, expirationDate }: RenewalDates): CalendarDate | null {
  const date = nextRenewalDate ?? expirationDate;
  return date === null ? null : writtenDate(date);
}

/** A license as it was held, and the renewal date by which the sweep found it, if it was the row that counted. */
interface SweptLicense extends RenewalDates {
  readonly sweptBy: CalendarDate | undefined;
}

/**
 * The renewal date by which the sweep finds a license: its own. Where it was corrected to one whose boundary has passed, and
 * was later before, that whose boundary is next (OpenAPI, "Events").
 * @param before the rows of the license as they were held.
 * @param next the renewal date that has expired at the next sweep.
 */
export function sweptBy(
  license: RenewalDates,
  before: readonly SweptLicense[],
  { next, isSilent }: { readonly next: CalendarDate; readonly isSilent: boolean },
): CalendarDate | null {
  const own = renewalDateOf(license);
  if (own === null) return null;
  const same = before.find((one) => one.sweptBy !== undefined && renewalDateOf(one) === own);
  if (same?.sweptBy !== undefined) return same.sweptBy;
  return own < next && !isSilent && before.some((one) => (renewalDateOf(one) ?? never) >= next) ? next : own;
}

/** Whether a license that the sweep finds by a renewal date is at a boundary: expired also where its own date is earlier. */
export const isAtBoundary = (
  boundary: 'EXPIRING' | 'EXPIRED',
  license: RenewalDates,
  foundBy: CalendarDate,
): boolean => {
  const own = renewalDateOf(license);
  return own !== null && (boundary === 'EXPIRED' ? own <= foundBy : own === foundBy);
};

/** The warnings and events of a license renewal on a day. */
export interface Renewal {
  readonly renewalStatus: RenewalStatus;
  /** Whether the license is in force on the day, be it by a former term. */
  readonly isCurrent: boolean;
  /** The last day of its last term; null where it has none, and for a license that is inactive. */
  readonly dueDate: CalendarDate | null;
  /** Whether it is expiring, or has expired and was not given up. */
  readonly isToBeRenewed: boolean;
}

/**
 * The renewal of a license on a day (OpenAPI, "listAgencyLicenseOverview").
 * @param last the row that counts of its last term (`lastRowOf`).
 * @param rows its rows, of all terms.
 */
export function renewalOf(last: RenewalRow, rows: readonly RenewalRow[], day: CalendarDate): Renewal {
  const isCurrent = rows.some((row) => isLive(row) && includes({ from: row.begins, until: row.ownEnd }, day));
  const isEnded = ({ begins, ownEnd }: RenewalRow): boolean => begins <= day && expiredOn(ownEnd) <= day;
  // As a compliance status has it (`Expired License`): what is not in force has expired if a former term has ended.
  const expired = isCurrent ? undefined : [last, ...lastRowsOfTerms(rows)].find(isEnded);
  const { ownEnd } = expired ?? last;
  const renewalStatus = expired === undefined ? statusOf(ownEnd, isCurrent, day) : 'expired';
  return {
    renewalStatus,
    isCurrent,
    dueDate: renewalStatus === 'inactive' || ownEnd === never ? null : ownEnd,
    isToBeRenewed: renewalStatus === 'expiring' || (expired === last && !isGivenUp(last)),
  };
}

function statusOf(ownEnd: CalendarDate, isCurrent: boolean, day: CalendarDate): RenewalStatus {
  if (!isCurrent) return 'inactive';
  return expiringOn(ownEnd) <= day ? 'expiring' : 'active';
}

/** The row that counts of each term, the one that ends last first. */
const lastRowsOfTerms = (rows: readonly RenewalRow[]): RenewalRow[] =>
  Array.from(Map.groupBy(rows, ({ begins }) => begins).values(), ([first, ...others]) =>
    first === undefined ? [] : lastBy((row) => row, [first, ...others]),
  )
    .flat()
    .toSorted((one, other) => compare(other.ownEnd, one.ownEnd));

/** Whether the registry reports something else of a license than that it was not renewed. */
const isGivenUp = (row: RenewalRow): boolean =>
  !['live', 'lapsed'].includes(statusKindOf(row.status, 'license'));
