import * as z from 'zod/mini';
import { invalid, tooEarly } from './errors.ts';
import { instant, objectId, timestamp } from './primitives.ts';
import { sinceV2 } from './v1.ts';

/** `asOf` of the lists that can say what was true on a former day. */
export const asOfQuery = z.object({
  asOf: sinceV2(z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' }))),
  knownAt: sinceV2(z.optional(instant)),
});

const dayMs = 24 * 3_600_000;

/** Days for which a deletion is returned; an earlier `updatedSince` is refused, since it would miss some. */
export const tombstoneDays = 90;

/** The query parameter of a list that can be followed. */
export const updatedSinceQuery = z.object({ updatedSince: z.optional(instant) });

/** Item of a list by `updatedSince` for a record that is gone. */
export const deletedRecord = z.object({
  _id: objectId,
  isDeleted: z.literal(true),
  updatedAt: timestamp,
});

export type DeletedRecord = z.output<typeof deletedRecord>;

/** An item of a list that can be followed: a record, or that it is gone. */
export const recordOrDeleted = <Schema extends z.core.$ZodType>(record: Schema) =>
  z.union([record, deletedRecord]);

/**
 * The time since which a request asks for changes; undefined for a request of the list itself.
 * @throws ApiError `validation_error` for a time before tombstones are kept, and naming the filters that are given as well.
 */
export function changesSince(
  query: { readonly updatedSince?: Date | undefined } & Readonly<Record<string, unknown>>,
  now: Date,
): string | undefined {
  const { updatedSince, ...filters } = query;
  if (updatedSince === undefined) return undefined;
  const filterNames = Object.keys(filters).filter((name) => filters[name] !== undefined);
  if (filterNames.length > 0) {
    throw invalid(...filterNames.map((path) => ({ path, message: "can't be combined with updatedSince" })));
  }
  return timeSince('updatedSince', updatedSince, tombstoneDays, now);
}

/**
 * A time since which a request asks for changes.
 * @param path the parameter.
 * @param days for which they are known.
 * @throws ApiError `validation_error` for an earlier time.
 */
export function timeSince(path: string, time: Date, days: number, now: Date): string {
  const since = time.toISOString();
  const earliest = new Date(now.getTime() - days * dayMs).toISOString();
  if (since < earliest) {
    const message = `must not be earlier than ${earliest}, ${days} days ago; read the whole list instead`;
    throw tooEarly(path, message, earliest);
  }
  return since;
}

/** What is made of a parameter; undefined where a request does not have it. */
export const given = <Value, Made>(value: Value | undefined, make: (value: Value) => Made) =>
  value === undefined ? undefined : make(value);

/** A query of which a list applies every member: a row that declares another filter does not compile. */
export type AppliedQuery<Query, Applied extends PropertyKey> = Query & {
  readonly [Name in Exclude<keyof Query, Applied>]: never;
};

/** The next `updatedSince` of a caller who follows a list. */
export const updatedUntilHeader = 'x-updated-until';

/**
 * Lag of the next time behind the start of its request. What was changed by then must be in the indexes: the
 * clocks of two functions differ by two seconds at most, a change is written within the 29 s of its request or, by a worker,
 * within some 20 s of repetitions (`repeatedForMs`) after its time was taken, and an index lags by less than a second.
 */
export const updatedUntilLagMs = 120_000;

const lagging = (start: Date): string => new Date(start.getTime() - updatedUntilLagMs).toISOString();

/** The header for a request that starts at a time. */
export const updatedUntilHeaders = (start: Date) => ({ [updatedUntilHeader]: lagging(start) });

/** The next `recordedSince` of a caller who follows one of a carrier's own lists. */
export const recordedUntilHeader = 'x-recorded-until';

/** The header for a request that starts at a time, likewise. */
export const recordedUntilHeaders = (start: Date) => ({ [recordedUntilHeader]: lagging(start) });
