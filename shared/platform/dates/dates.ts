/** A calendar date, `YYYY-MM-DD`; as texts, dates compare as they follow each other. */
export type CalendarDate = string;

let newYork: Intl.DateTimeFormat | undefined;

/** The date of an instant in New York, whose calendar licenses follow. */
export function newYorkDate(instant: Date): CalendarDate {
  // Made when it is first needed: loading ICU's data takes 9 ms. The Swedish locale writes dates as ISO 8601 does.
  newYork ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return newYork.format(instant).padStart(10, '0');
}

/** The last millisecond of a date in New York, where it is midnight at 4 or 5 o'clock in UTC. */
export function endOfNewYorkDate(date: CalendarDate): Date {
  const next = addDays(date, 1);
  const summerMidnight = Date.parse(`${next}T04:00:00.000Z`);
  const isSummer = newYorkDate(new Date(summerMidnight)) === next;
  return new Date(summerMidnight + (isSummer ? 0 : 3_600_000) - 1);
}

const firstInstant = Date.parse('1000-01-01T00:00:00.000Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Whether an ISO 8601 date-time, in whichever zone, is in the years 1000 to 9999 in UTC: the instants that the service takes,
 * because all of them have four-digit years, so that their texts in UTC compare as they follow each other.
 */
export function isInCalendar(dateTime: string): boolean {
  const time = Date.parse(dateTime);
  return firstInstant <= time && time <= lastInstant;
}

/** Days from `from` to `to`; negative when it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

const firstDay = Date.parse('0000-01-01');

/**
 * The date that many days after a date; before it for a negative number. The first and the last date of four-digit years end the
 * calendar.
 */
export const addDays = (date: CalendarDate, days: number): CalendarDate => {
  const time = Date.parse(date) + days * 86_400_000;
  return new Date(Math.min(Math.max(time, firstDay), lastInstant)).toISOString().slice(0, 10);
};

/** Day a year later; after a February 29, a text between those of February 28 and March 1. */
export const yearAfter = (date: CalendarDate): CalendarDate =>
  `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;

/** The dates from one, included, to another, not included. */
export const datesFrom = (from: CalendarDate, until: CalendarDate): CalendarDate[] =>
  Array.from({ length: Math.max(0, daysBetween(from, until)) }, (_, index) => addDays(from, index));

/**
 * The value of a table's time-to-live attribute for an item that may be deleted a number of days after `from`, in seconds since
 * 1970.
 */
export const expiresAfterDays = (from: Date, days: number): number =>
  Math.floor(from.getTime() / 1_000) + days * 86_400;
