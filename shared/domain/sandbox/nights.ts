import { addDays, type CalendarDate, newYorkDate } from '../../platform/dates/calendar.ts';

/** When a night of an organization that rehearses is run: at 5 or 6 in New York, all at once. */
export const nightAt = (day: CalendarDate): Date => new Date(`${day}T10:00:00.000Z`);

/** The day whose night was the last before a time. */
export function lastNightBefore(time: Date): CalendarDate {
  const day = newYorkDate(time);
  return nightAt(day) <= time ? day : addDays(day, -1);
}
