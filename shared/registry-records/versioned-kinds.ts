import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { isActive, isStanding } from '../compliance/renewal-status.ts';
import { type CalendarDate, calendarDate } from '../dates/calendar.ts';
import { type Appointment, appointment } from '../resources/appointment.ts';
import { type License, license } from '../resources/license.ts';

/** What a record says of its time. Days are dates in New York. */
export interface Terms {
  /** Whether it is in force within its dates. */
  readonly isInForce: boolean;
  /** The first day on which it is in force; null where the registry has none. */
  readonly since: CalendarDate | null;
  /** The last one. */
  readonly until: CalendarDate | null;
  /** When its status last changed, where the registry says so. */
  readonly changedOn: CalendarDate | null;
}

/** A kind of record whose versions are kept. */
export interface VersionedKind<Item> {
  readonly schema: z.core.$ZodType<Item>;
  readonly terms: (record: Item) => Terms;
  readonly updatedAt: (record: Item) => string;
  /** Whether two records are the same but for the time of their last change. */
  readonly isSame: (one: Item, other: Item) => boolean;
}

const day = (date: string | null): CalendarDate | null => (date === null ? null : calendarDate(date));

const updatedAt = (record: { readonly updatedAt: string }): string => record.updatedAt;

const isSame = <Item extends { readonly updatedAt: string }>(one: Item, other: Item): boolean =>
  isDeepStrictEqual({ ...one, updatedAt: other.updatedAt }, other);

/** A license has no date of its status: what ends it is dated by the day on which it became known. */
export const licenseKind: VersionedKind<License> = {
  schema: license,
  terms: ({ status, issueDate, nextRenewalDate }) => ({
    isInForce: isActive({ status }),
    since: day(issueDate),
    until: day(nextRenewalDate),
    changedOn: null,
  }),
  updatedAt,
  isSame,
};

/** An appointment has no date of issue: the change of its status is what began it, or ended it. */
export const appointmentKind: VersionedKind<Appointment> = {
  schema: appointment,
  terms(record) {
    const changedOn = day(record.statusChangeDate);
    return { isInForce: isStanding(record), since: changedOn, until: day(record.renewalDate), changedOn };
  },
  updatedAt,
  isSame,
};
