import { remembered } from '../../platform/data/caches.ts';
import { addDays, type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';

// The days of the decision. A record's date is the calendar date that is written, whatever time or zone follows it.

/** Before every date, and after every date, as dates compare. */
export const always: CalendarDate = '';
export const never: CalendarDate = '9999-12-31';

/** The calendar date that a record's date or time begins with. */
export const writtenDate = (isoDate: string): CalendarDate => isoDate.slice(0, 10);

export const dayBefore = (day: CalendarDate): CalendarDate => (day === always ? always : addDays(day, -1));

export const dayAfter = (day: CalendarDate): CalendarDate => (day === never ? never : addDays(day, 1));

/** A day in New York begins with a full hour of UTC. */
const dayOfHour = remembered((hour) => newYorkDate(new Date(`${hour}:00:00.000Z`)));

/**
 * The date in New York on which something became known.
 * @param commandAt ISO time in UTC.
 */
export const knownOn = remembered((commandAt) => dayOfHour(commandAt.slice(0, 13)));

export const earlierOf = (one: CalendarDate, other: CalendarDate): CalendarDate =>
  one < other ? one : other;

export const laterOf = (one: CalendarDate, other: CalendarDate): CalendarDate => (one > other ? one : other);

/** Days from one to another, both included. */
export interface Days {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

export const includes = ({ from, until }: Days, day: CalendarDate): boolean => from <= day && day <= until;

/** Whether some day is in both. */
export const overlaps = (one: Days, other: Days): boolean => intersection(one, other) !== undefined;

/** The days that are in both. */
export function intersection(one: Days, other: Days): Days | undefined {
  const from = one.from > other.from ? one.from : other.from;
  const until = one.until < other.until ? one.until : other.until;
  return from <= until ? { from, until } : undefined;
}

/** The days of some spans that are among others too. */
export const shared = (spans: readonly Days[], others: readonly Days[]): Days[] =>
  spans.flatMap((span) => others.flatMap((other) => intersection(span, other) ?? []));

/** The days of a span that are not among the gaps. */
export function withoutGaps(span: Days, gaps: readonly Days[]): Days[] {
  if (gaps.length === 0) return span.from <= span.until ? [span] : [];
  return gaps
    .reduce<Days[]>(
      (spans, gap) =>
        spans.flatMap((one) =>
          gap.until < one.from || gap.from > one.until || gap.from > gap.until
            ? [one]
            : [
                { from: one.from, until: dayBefore(gap.from) },
                ...(gap.until === never ? [] : [{ from: dayAfter(gap.until), until: one.until }]),
              ],
        ),
      [span],
    )
    .filter(({ from, until }) => from <= until && until !== always);
}
