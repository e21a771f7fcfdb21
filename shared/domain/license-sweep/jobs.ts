// The jobs of a license sweep, and the days whose jobs are done.
import * as z from 'zod/mini';
import { strictObject } from '#platform/contract/object.ts';
import { above, absentOr, added } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { type CalendarDate, datesFrom } from '#platform/dates/dates.ts';
import { type Boundary, boundaries } from '../decision/renewal.ts';
import { registryKeys, shards } from '../registry-records/stored.ts';

/** Kinds of jobs: licenses at a boundary, or holders whose compliance may change on the day. */
export const jobKinds = [...boundaries, 'CHANGE'] as const;

const calendarDay = z.iso.date();

/** A message of the license-sweep queue: one shard of what is due on one day. */
export const sweepJob = strictObject(() => ({
  day: calendarDay,
  /** The day on which the sweep runs: later than `day` where that one was missed. */
  runsOn: calendarDay,
  kind: z.enum(jobKinds),
  shard: z.int().check(z.gte(0), z.lt(shards)),
}));

export type SweepJob = z.output<typeof sweepJob>;

/** A job for the licenses at a boundary. */
export type BoundaryJob = SweepJob & { readonly kind: Boundary };

/** Every job of a day. */
export const jobsOf = (day: CalendarDate, runsOn: CalendarDate): SweepJob[] =>
  jobKinds.flatMap((kind) => Array.from({ length: shards }, (_, shard) => ({ day, runsOn, kind, shard })));

/** A job's name, unique within its day. */
export const jobName = ({ kind, shard }: Pick<SweepJob, 'kind' | 'shard'>): string => `${kind}#${shard}`;

const state = storedItem('registry-records/sweep-state', () => ({
  /** The first day that was ever swept. */
  firstDay: z.optional(z.iso.date()),
}));

const yearOfDays = storedItem('registry-records/sweep-year', () => ({
  days: z._default(z.set(z.string()), new Set()),
}));

const jobsOfDay = storedItem('registry-records/sweep-day', () => ({
  done: z._default(z.set(z.string()), new Set()),
}));

const isComplete = ({ done }: z.output<typeof jobsOfDay>): boolean => done.size === jobKinds.length * shards;

const yearOf = (day: CalendarDate): number => Number(day.slice(0, 4));

/**
 * The days that were swept: a set with gaps, since a sweep can fail, or an operator can sweep a day ahead of the others.
 * One item a year holds the set, so its size is bounded however long the service runs.
 */
export function createSweepDays(table: Table) {
  /** The first day that was swept, as it is recorded. */
  const readState = () => table.get(state, registryKeys.sweepState());

  /** The first day that is swept, once this one is. */
  async function recordFirstDay(today: CalendarDate): Promise<CalendarDate> {
    const storedState = await readState();
    const before = storedState?.firstDay ?? today;
    const first = before < today ? before : today;
    if (first !== storedState?.firstDay) {
      // Where it does not hold, another sweep has recorded an earlier day.
      await table.update(
        registryKeys.sweepState(),
        { firstDay: first },
        { firstDay: absentOr(above(first)) },
      );
    }
    return first;
  }

  async function incompleteDays(from: CalendarDate, until: CalendarDate): Promise<CalendarDate[]> {
    const complete = await completeDays(from, until);
    return datesFrom(from, until).filter((day) => !complete.has(day));
  }

  async function completeDays(from: CalendarDate, until: CalendarDate): Promise<ReadonlySet<string>> {
    const years = Array.from({ length: yearOf(until) - yearOf(from) + 1 }, (_, index) =>
      registryKeys.sweepYear(yearOf(from) + index),
    );
    const storedYears = await table.getAll(yearOfDays, years);
    return new Set(storedYears.flatMap(({ days }) => [...days]));
  }

  /** Adds the day to the set, and forgets its jobs. */
  const complete = (day: CalendarDate): Promise<void> =>
    table.transact([
      table.items.update(registryKeys.sweepYear(yearOf(day)), { days: added(new Set([day])) }),
      table.items.delete(registryKeys.sweepDay(day)),
    ]);

  return {
    /** Finds the days that `begin` would, but records nothing; no days where none was ever swept. */
    async missed(today: CalendarDate): Promise<readonly CalendarDate[]> {
      const first = (await readState())?.firstDay;
      return first === undefined || first >= today ? [] : incompleteDays(first, today);
    },

    /**
     * Records that days are swept from this one on, if none before it was swept.
     * @returns the days before it, of those that are swept, that are not complete, oldest first.
     */
    begin: async (today: CalendarDate) => incompleteDays(await recordFirstDay(today), today),

    /** Names of the day's jobs that are done. Where all are, the day is recorded as complete. */
    async doneJobs(day: CalendarDate): Promise<ReadonlySet<string>> {
      const jobs = await table.get(jobsOfDay, registryKeys.sweepDay(day));
      if (jobs === undefined) return new Set();
      if (isComplete(jobs)) await complete(day);
      return jobs.done;
    },

    /** Records that jobs of a day are done, and with the last of them that the day is complete. */
    async finish(day: CalendarDate, jobs: readonly SweepJob[]): Promise<void> {
      const done = added(new Set(jobs.map(jobName)));
      const { item } = await table.change(jobsOfDay, registryKeys.sweepDay(day), { done });
      if (item !== undefined && isComplete(item)) await complete(day);
    },
  };
}
