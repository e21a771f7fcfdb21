import { invalid } from '../../platform/contract/errors.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '../../platform/dates/calendar.ts';
import type { Issue } from '../../platform/errors/issue.ts';

/** The day that is asked about, and the moment whose knowledge counts. */
export interface Moment {
  readonly day: CalendarDate;
  /** ISO time in UTC. */
  readonly knownAt: string;
  /** Whether neither was given: the present is asked about. */
  readonly isPresent: boolean;
  /** Whether it is today, by what is known now. */
  readonly isToday: boolean;
}

/** `asOf` and `knownAt` of a list. */
export interface AskedMoment {
  readonly asOf?: CalendarDate | undefined;
  readonly knownAt?: Date | undefined;
}

/**
 * The moment of a question; the present by default.
 * @throws ApiError `validation_error` for a day that has not begun in New York, and for a time to come.
 */
export function momentOf({ asOf, knownAt }: AskedMoment, now: Date): Moment {
  const today = newYorkDate(now);
  const time = knownAt ?? now;
  const issues = [
    ...(asOf !== undefined && asOf > today ? [{ path: 'asOf', message: 'must not be in the future' }] : []),
    ...(time > now ? [{ path: 'knownAt', message: 'must not be in the future' }] : []),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return {
    day: asOf ?? today,
    knownAt: time.toISOString(),
    isPresent: asOf === undefined && knownAt === undefined,
    isToday: (asOf ?? today) === today && knownAt === undefined,
  };
}

/** What is wrong with days of sales: those of more than a year ahead, of which nothing can be known yet. */
export function tooFarAhead(
  now: Date,
  days: readonly { readonly path: string; readonly day: CalendarDate | undefined }[],
): Issue[] {
  const last = yearAfter(newYorkDate(now));
  return days
    .filter(({ day }) => day !== undefined && day > last)
    .map(({ path }) => ({ path, message: 'must not be more than a year ahead' }));
}
