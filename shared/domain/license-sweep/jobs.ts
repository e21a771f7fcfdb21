// The jobs of a license sweep, and the days whose jobs are done.
import * as z from 'zod/mini';
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
export const sweepJob = z.strictObject({
  day: calendarDay,
  /** The day on which the sweep runs: later than `day` where that one was missed. */
  runsOn: calendarDay,
  kind: z.enum(jobKinds),
  shard: z.int().check(z.gte(0), z.lt(shards)),
});

export type SweepJob = z.output<typeof sweepJob>;

/** A job for the licenses at a boundary. */
export type BoundaryJob = SweepJob & { readonly kind: Boundary };

/** Every job of a day. */
export const jobsOf = (day: CalendarDate, runsOn: CalendarDate): SweepJob[] =>
  jobKinds.flatMap((kind) => Array.from({ length: shards }, (_, shard) => ({ day, runsOn, kind, shard })));

/** A job's name, unique within its day. */
export const jobName = ({ kind, shard }: Pick<SweepJob, 'kind' | 'shard'>): string => `${kind}#${shard}`;

const state = storedItem('registry-records/sweep-state', {
  /** The first day that was ever swept. */
  firstDay: z.optional(z.iso.date()),
  /** Days that are complete, with gaps, since a sweep can fail, or an operator can sweep a day ahead of the others. */
  days: z._default(z.set(z.string()), new Set()),
});

const jobsOfDay = storedItem('registry-records/sweep-day', {
  done: z._default(z.set(z.string()), new Set()),
});

const isComplete = ({ done }: z.output<typeof jobsOfDay>): boolean => done.size === jobKinds.length * shards;

/** The days that were swept. One item holds them: ten bytes each, it has room for a hundred years. */
export function createSweepDays(table: Table) {
  const key = registryKeys.sweepState();

  /** Adds the day to the set, and forgets its jobs. */
  const complete = (day: CalendarDate): Promise<void> =>
    table.transact([
      table.items.update(key, { days: added(new Set([day])) }),
      table.items.delete(registryKeys.sweepDay(day)),
    ]);

  return {
    /**
     * Records that days are swept from this one on, if none before it was swept.
     * @returns the days before it, of those that are swept, that are not complete, oldest first.
     */
    async begin(today: CalendarDate): Promise<readonly CalendarDate[]> {
      const { firstDay, days = new Set() } = (await table.get(state, key)) ?? {};
      if (firstDay !== undefined && firstDay <= today)
        return datesFrom(firstDay, today).filter((day) => !days.has(day));
      // Where it does not hold, another sweep has recorded an earlier day.
      await table.update(key, { firstDay: today }, { firstDay: absentOr(above(today)) });
      return [];
    },

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
