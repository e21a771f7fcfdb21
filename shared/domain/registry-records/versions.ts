import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { itemBytes } from '../../platform/aws/limits.ts';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/calendar.ts';
import { expiresAfterDays } from '../../platform/dates/expiry.ts';
import {
  type RecordChange,
  type StoredVersion,
  type Terms,
  type VersionedKind,
  versionFields,
} from './versioned-kinds.ts';

// The versions of a license or an appointment are part of its item. A record and its history are read and written as one,
// so a question about a former day costs what one about today costs. Earlier versions are compressed: each differs from
// the next one in some dates and takes some dozens of bytes.

const currentVersion = compatible(
  'registry-records/current-version',
  lazyObject(() => ({
    ...versionFields,
    versionNumber: z.int(),
    earlierVersions: z.optional(z.instanceof(Uint8Array)),
  })),
);

/** A record as it was recorded once. */
export interface RecordVersion<Item> extends Terms, Readonly<StoredVersion<Item>> {
  /** The date in New York on which it was recorded. */
  readonly recordedOn: CalendarDate;
}

/** The versions of one record, as they were recorded; the last one is the record as it is now. */
export type RecordHistory<Item> = readonly RecordVersion<Item>[];

/** The attributes of an item that record its versions. */
const attributes = [
  'versionNumber',
  'validFrom',
  'isDated',
  'recordedAt',
  'changedBy',
  'earlierVersions',
] as const;

/** An item as the table holds it. */
type StoredItem = Readonly<Record<string, unknown>>;

/** What an item records of its versions; nothing for one that was written before versions were kept. */
export const versionAttributesOf = (item: StoredItem): StoredItem =>
  Object.fromEntries(attributes.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));

const numberedVersion = compatible(
  'registry-records/version-number',
  lazyObject(() => ({ versionNumber: z.optional(z.int()) })),
);

/** The number of an item's version, by which writers notice each other; undefined where none was recorded. */
export const versionNumberOf = (item: StoredItem | undefined): number | undefined =>
  parseStored(numberedVersion, item ?? {}).versionNumber;

/** The condition under which an item is written whose version was read. */
export const unlessChanged = (versionNumber: number | undefined) =>
  versionNumber === undefined
    ? { ConditionExpression: 'attribute_not_exists(versionNumber)' }
    : {
        ConditionExpression: 'versionNumber = :versionNumber',
        ExpressionAttributeValues: toItem({ ':versionNumber': versionNumber }),
      };

/**
 * The day from which a version counts, by the registry's dates: where it is in force, since when the record says it is. The
 * date of an end is that of the change of status; where there is none, or it is still that of the version that was in force,
 * the day on which the end became known. A version with the terms of the one before counts from the same day.
 */
function registryDate(
  terms: Terms,
  before: RecordVersion<unknown> | undefined,
  knownOn: CalendarDate,
): CalendarDate | null {
  const { isInForce, since, until, changedOn } = terms;
  if (
    before?.isInForce === isInForce &&
    before.since === since &&
    before.until === until &&
    before.changedOn === changedOn
  )
    return before.validFrom;
  if (isInForce) return since;
  return changedOn === null || (before?.isInForce === true && before.changedOn === changedOn)
    ? knownOn
    : changedOn;
}

const deleted = { isInForce: false, changedOn: null };

const termsOf = <Item>(kind: VersionedKind<Item>, record: Item, isDeleted: boolean): Terms => ({
  ...kind.terms(record),
  ...(isDeleted ? deleted : {}),
});

const versionOf = <Item>(kind: VersionedKind<Item>, stored: StoredVersion<Item>): RecordVersion<Item> => ({
  ...stored,
  ...termsOf(kind, stored.record, stored.isDeleted),
  recordedOn: newYorkDate(new Date(stored.recordedAt)),
});

/**
 * The versions that an item holds.
 * @throws StoredItemError when the record or its versions break their schema.
 */
export function historyOf<Item>(kind: VersionedKind<Item>, item: StoredItem): RecordHistory<Item> {
  const record = parseStored(kind.schema, item);
  if (item['versionNumber'] === undefined) return [versionBefore(kind, record, item['isDeleted'] === true)];
  const { earlierVersions, ...current } = parseStored(currentVersion, item);
  const earlier = earlierVersions === undefined ? [] : decoded(kind, earlierVersions);
  return [...earlier, { ...current, record }].map((version) => versionOf(kind, version));
}

/** The version of a record that was written before versions were kept: it has not changed since its `updatedAt`. */
function versionBefore<Item>(
  kind: VersionedKind<Item>,
  record: Item,
  isDeleted: boolean,
): RecordVersion<Item> {
  const recordedAt = kind.updatedAt(record);
  const knownOn = newYorkDate(new Date(recordedAt));
  const validFrom = registryDate(termsOf(kind, record, isDeleted), undefined, knownOn);
  return versionOf(kind, { record, validFrom, isDated: false, recordedAt, changedBy: null, isDeleted });
}

/** A record that is to be stored. */
export interface RecordedChange<Item> {
  readonly record: Item;
  readonly isDeleted?: boolean;
  /** The day from which it counts, where an import says so. */
  readonly validFrom?: CalendarDate | undefined;
  readonly by: RecordChange;
  readonly at: Date;
}

/** Whether a record differs from the last version but for its times. */
export const isChange = <Item>(
  kind: VersionedKind<Item>,
  last: RecordVersion<Item> | undefined,
  { record, isDeleted = false, validFrom }: Pick<RecordedChange<Item>, 'record' | 'isDeleted' | 'validFrom'>,
): boolean =>
  last === undefined ||
  last.isDeleted !== isDeleted ||
  (validFrom !== undefined && !(last.isDated && last.validFrom === validFrom)) ||
  !kind.isSame(last.record, record);

/**
 * A history with further versions; what changes nothing adds none, so it grows with changes, not with synchronizations.
 * What was superseded more than ten years before the change is left out.
 */
export function withChange<Item>(
  kind: VersionedKind<Item>,
  history: RecordHistory<Item>,
  change: RecordedChange<Item>,
): RecordHistory<Item> {
  const last = history.at(-1);
  if (!isChange(kind, last, change)) return history;
  const { record, isDeleted = false, validFrom, by, at } = change;
  const time = at.toISOString();
  const recordedAt = last !== undefined && last.recordedAt > time ? last.recordedAt : time;
  const knownOn = newYorkDate(new Date(recordedAt));
  const version = versionOf(kind, {
    record,
    isDeleted,
    validFrom: validFrom ?? registryDate(termsOf(kind, record, isDeleted), last, knownOn),
    isDated: validFrom !== undefined,
    recordedAt,
    changedBy: by,
  });
  const oldest = new Date(at);
  oldest.setUTCFullYear(oldest.getUTCFullYear() - yearsKept);
  const all = [...history, version];
  return all.filter((_, index) => (all[index + 1]?.recordedAt ?? time) >= oldest.toISOString());
}

/** Years for which versions are kept. */
const yearsKept = 10;

/** The time to live of a record that was deleted: it and its versions are kept as long as versions are. */
export const expiryOfDeleted = (at: Date): number => expiresAfterDays(at, yearsKept * 366);

/**
 * The attributes with which an item records a history.
 * @param stored the item as it is stored; its `versionNumber` rises with each version.
 */
export function versionAttributes<Item>(
  history: RecordHistory<Item>,
  stored: StoredItem | undefined,
): StoredItem {
  const version = history.at(-1);
  if (version === undefined) return {};
  const { validFrom, isDated, recordedAt, changedBy } = version;
  const earlier = history.slice(0, -1);
  return {
    versionNumber: (versionNumberOf(stored) ?? 0) + 1,
    validFrom,
    ...(isDated ? { isDated } : {}),
    recordedAt,
    changedBy,
    ...(earlier.length === 0 ? {} : { earlierVersions: encoded(earlier) }),
  };
}

/** Bytes of earlier versions: far more than ten years bring, unless somebody imports changes by the thousand. */
const mostBytes = itemBytes / 4;

/** Compressed versions; where they are too many for an item, without the oldest. */
function encoded<Item>(versions: RecordHistory<Item>): Uint8Array {
  const stored = versions.map(({ record, validFrom, isDated, recordedAt, changedBy, isDeleted }) => ({
    record,
    validFrom,
    isDated,
    recordedAt,
    changedBy,
    isDeleted,
  }));
  const bytes = deflateRawSync(JSON.stringify(stored), { level: 9 });
  return bytes.length <= mostBytes ? bytes : encoded(versions.slice(Math.ceil(versions.length / 4)));
}

const decoded = <Item>(kind: VersionedKind<Item>, bytes: Uint8Array): StoredVersion<Item>[] =>
  parseStored(kind.versions, JSON.parse(inflateRawSync(bytes).toString('utf8')));
