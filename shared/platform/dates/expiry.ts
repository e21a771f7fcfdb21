import { realTime } from './clock.ts';

/** The value of a table's time-to-live attribute for an item that may be deleted a number of days after `from`, in seconds since 1970. */
export const expiresAfterDays = (from: Date, days: number): number =>
  Math.floor(realTime(from).getTime() / 1_000) + days * 86_400;
