import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { type CompatibleSchema, compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { type CalendarDate, calendarDate } from '../../platform/dates/calendar.ts';
import { isActive, isStanding } from '../compliance/renewal-status.ts';
import { type Appointment, appointment } from './appointment.ts';
import { type License, license } from './license.ts';

/** What can change a record. */
export const recordChanges = ['synchronization', 'reconciliation', 'import'] as const;

export type RecordChange = (typeof recordChanges)[number];

/** What is recorded of a version besides the record. */
export const versionFields = {
  /** The first day of the version; of one that ended the record, the day of the end. Null where no date is known. */
  validFrom: z.nullable(z.string()),
  /** Whether an import gave `validFrom`. */
  isDated: z._default(z.boolean(), false),
  /** ISO time. Versions are in its order. */
  recordedAt: z.string(),
  /** Null for a record that was written before versions were kept. */
  changedBy: z.nullable(z.enum(recordChanges)),
  isDeleted: z._default(z.boolean(), false),
};

export type StoredVersion<Item> = z.output<z.ZodMiniObject<typeof versionFields>> & { readonly record: Item };

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
  readonly schema: CompatibleSchema<Item>;
  /** Its earlier versions, as an item has them. */
  readonly versions: CompatibleSchema<StoredVersion<Item>[]>;
  readonly terms: (record: Item) => Terms;
  readonly updatedAt: (record: Item) => string;
  /** Whether two records are the same but for the time of their last change. */
  readonly isSame: (one: Item, other: Item) => boolean;
}

const day = (date: string | null): CalendarDate | null => (date === null ? null : calendarDate(date));

const updatedAt = (record: { readonly updatedAt: string }): string => record.updatedAt;

const isSame = <Item extends { readonly updatedAt: string }>(one: Item, other: Item): boolean =>
  isDeepStrictEqual({ ...one, updatedAt: other.updatedAt }, other);

const versionsOf = <Record extends z.core.$ZodType>(schema: Record) =>
  z.array(lazyObject(() => ({ ...versionFields, record: schema })));

/** A license has no date of its status: what ends it is dated by the day on which it became known. */
export const licenseKind: VersionedKind<License> = {
  schema: license,
  versions: compatible('registry-records/license-versions', versionsOf(license)),
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
  versions: compatible('registry-records/appointment-versions', versionsOf(appointment)),
  terms(record) {
    const changedOn = day(record.statusChangeDate);
    return { isInForce: isStanding(record), since: changedOn, until: day(record.renewalDate), changedOn };
  },
  updatedAt,
  isSame,
};
