import { lazily } from '../contract/lazily.ts';

/** A calendar date, `YYYY-MM-DD`; as texts, dates compare as they follow each other. */
export type CalendarDate = string;

/** Formats dates as ISO 8601 does: the Swedish locale's form. Loading ICU's data takes 9 ms. */
const newYork = lazily(
  () =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

/** The date of an instant in New York, whose calendar licenses follow. */
export const newYorkDate = (instant: Date): CalendarDate => newYork().format(instant);

/** How many days `to` is after `from`; negative when it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The date that many days after a date; before it for a negative number. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** The same day of the next year; after a February 29, a text between those of February 28 and March 1. */
export const yearAfter = (date: CalendarDate): CalendarDate =>
  `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;

/** The dates from one, included, to another, not included. */
export const datesFrom = (from: CalendarDate, until: CalendarDate): CalendarDate[] =>
  Array.from({ length: Math.max(0, daysBetween(from, until)) }, (_, index) => addDays(from, index));
