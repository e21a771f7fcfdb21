import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyStrictObject } from '../../platform/contract/lazy-object.ts';
import { addDays, type CalendarDate } from '../../platform/dates/calendar.ts';
import { shards } from '../registry-records/stored.ts';

/** Days before its renewal date on which a license is reported as expiring (OpenAPI, "Events"). */
export const expiringWindowDays = 60;

export const boundaries = ['EXPIRING', 'EXPIRED'] as const;
export type Boundary = (typeof boundaries)[number];

const calendarDay = z.iso.date();

/** A message of the license-sweep queue: the licenses of one shard at a boundary on one day. */
export const sweepJob = compatible(
  'messages/license-sweep',
  lazyStrictObject(() => ({
    day: calendarDay,
    /** The day on which the sweep runs: later than `day` where that one was missed. */
    runsOn: calendarDay,
    boundary: z.enum(boundaries),
    shard: z.int().check(z.gte(0), z.lt(shards)),
  })),
);

export type SweepJob = z.output<typeof sweepJob>;

/** The renewal date of licenses that are at a boundary on a day. */
export const renewalDateAt = (boundary: Boundary, day: CalendarDate): CalendarDate =>
  addDays(day, boundary === 'EXPIRING' ? expiringWindowDays : -1);

/** Every job of a day. */
export const jobsOf = (day: CalendarDate, runsOn: CalendarDate): SweepJob[] =>
  boundaries.flatMap((boundary) =>
    Array.from({ length: shards }, (_, shard) => ({ day, runsOn, boundary, shard })),
  );

/** A job's name, unique within its day. */
export const jobName = ({ boundary, shard }: Pick<SweepJob, 'boundary' | 'shard'>): string =>
  `${boundary}#${shard}`;
