import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { strictObject } from '../../platform/contract/object.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type Boundary, boundaries } from '../decision/renewal.ts';
import { shards } from '../registry-records/stored.ts';

/** What a job looks for: licenses at a boundary, or whose compliance may change on the day. */
export const jobKinds = [...boundaries, 'CHANGE'] as const;

const calendarDay = z.iso.date();

/** A message of the license-sweep queue: one shard of what is due on one day. */
export const sweepJob = compatible(
  'messages/license-sweep',
  strictObject(() => ({
    day: calendarDay,
    /** The day on which the sweep runs: later than `day` where that one was missed. */
    runsOn: calendarDay,
    kind: z.enum(jobKinds),
    shard: z.int().check(z.gte(0), z.lt(shards)),
  })),
);

export type SweepJob = z.output<typeof sweepJob>;

/** A job for the licenses at a boundary. */
export type BoundaryJob = SweepJob & { readonly kind: Boundary };

/** Every job of a day. */
export const jobsOf = (day: CalendarDate, runsOn: CalendarDate): SweepJob[] =>
  jobKinds.flatMap((kind) => Array.from({ length: shards }, (_, shard) => ({ day, runsOn, kind, shard })));

/** A job's name, unique within its day. */
export const jobName = ({ kind, shard }: Pick<SweepJob, 'kind' | 'shard'>): string => `${kind}#${shard}`;
