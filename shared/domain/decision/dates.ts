import { memoize } from '#platform/data/caches.ts';
import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';

// The days of the decision, apart from what is decided of them. A record's date is the calendar date that is written, whatever time or zone follows it.

/** Days before every date, and after every date, as dates compare. */
export const always: CalendarDate = '';
export const never: CalendarDate = '9999-12-31';

/** The calendar date that a record's date or time begins with. */
export const writtenDate = (isoDate: string): CalendarDate => isoDate.slice(0, 10);

export const dayBefore = (day: CalendarDate): CalendarDate => (day === always ? always : addDays(day, -1));

export const dayAfter: (day: CalendarDate) => CalendarDate = memoize((day) =>
  day === never ? never : addDays(day, 1),
);

/** A day in New York begins with a full hour of UTC. */
const dayOfHour = memoize((hour) => newYorkDate(new Date(`${hour}:00:00.000Z`)));

/**
 * The date in New York on which something became known.
 * @param commandAt ISO time in UTC.
 */
export const knownOn = memoize((commandAt) => dayOfHour(commandAt.slice(0, 13)));

export const earlierOf = (day: CalendarDate, otherDay: CalendarDate): CalendarDate =>
  day < otherDay ? day : otherDay;

export const laterOf = (day: CalendarDate, otherDay: CalendarDate): CalendarDate =>
  day > otherDay ? day : otherDay;

/** The first of some days; null where there is none. */
export const earliest = (days: readonly (CalendarDate | null)[]): CalendarDate | null =>
  days.filter((day) => day !== null).sort(compare)[0] ?? null;

/** Days from one to another, both included. */
export interface Days {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

export const includes = ({ from, until }: Days, day: CalendarDate): boolean => from <= day && day <= until;
