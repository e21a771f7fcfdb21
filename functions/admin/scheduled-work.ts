import * as z from 'zod/mini';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { isoDate } from '../../shared/platform/contract/primitives.ts';
import { addDays, newYorkDate } from '../../shared/platform/dates/dates.ts';
import { type Invoke, totalsAnswer } from './invoke.ts';

/** The time as of which scheduled work is done; a date means its day in New York. */
export const asOfInput = z.strictObject({ asOf: z.optional(isoDate) });

/** Days back at most: a year that was mistyped would make the next sweep do every day since. */
export const earliestAsOfDays = 400;

interface ScheduledWorkDeps {
  readonly invoke: Invoke;
  readonly allowsFutureAsOf: boolean;
  readonly now: () => Date;
}

/** Has scheduled work done at once, as of a given time; returns its totals. */
export function createScheduledWork({ invoke, allowsFutureAsOf, now }: ScheduledWorkDeps) {
  /** @throws ApiError `validation_error` for a day that is too long ago, and a time that is still to come, where it is not allowed. */
  function instant(asOf: string | undefined): Date {
    const present = now();
    if (asOf === undefined) return present;
    const isDate = asOf.length === 10;
    const today = newYorkDate(present);
    const earliest = addDays(today, -earliestAsOfDays);
    if ((isDate ? asOf : newYorkDate(new Date(asOf))) < earliest) {
      throw invalidAt('asOf', `must not be before ${earliest}, ${earliestAsOfDays} days ago`);
    }
    // What is swept or recorded as of a day that has not come can't be undone when it does.
    if (!allowsFutureAsOf && (isDate ? asOf > today : new Date(asOf) > present)) {
      throw invalidAt('asOf', `must not be in the future; it is ${today} in New York`);
    }
    if (isDate && asOf === today) return present;
    // Noon in UTC falls on the same date in New York, all year round.
    return new Date(isDate ? `${asOf}T12:00:00.000Z` : asOf);
  }

  const run =
    (name: 'license-sweep' | 'registry-reconciliation') =>
    async ({ asOf }: z.output<typeof asOfInput>) =>
      z.parse(totalsAnswer, await invoke(name, { task: 'run', asOf: instant(asOf).toISOString() }));

  return { sweepLicenses: run('license-sweep'), reconcileRegistry: run('registry-reconciliation') };
}
