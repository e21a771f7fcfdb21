import * as z from 'zod/mini';
import { invalid, tooEarly } from './errors.ts';
import { fields, object } from './object.ts';
import { instant, objectId, timestamp } from './primitives.ts';

const dayMs = 24 * 3_600_000;

/** Days for which a deletion is returned; an earlier `updatedSince` is refused, since it would miss some. */
export const tombstoneDays = 90;

/** The query parameter of a list that can be followed. */
export const updatedSinceQuery = fields(() => ({ updatedSince: z.optional(instant) }));

/** What a list by `updatedSince` returns for a record that is gone. */
export const deletedRecord = object(() => ({
  _id: objectId,
  isDeleted: z.literal(true),
  updatedAt: timestamp,
}));

export type DeletedRecord = z.output<typeof deletedRecord>;

/** An item of a list that can be followed: a record, or that it is gone. */
export const orDeleted = <Schema extends z.core.$ZodType>(record: Schema) => z.union([record, deletedRecord]);

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
  const given = Object.keys(filters).filter((name) => filters[name] !== undefined);
  if (given.length > 0) {
    throw invalid(...given.map((path) => ({ path, message: "can't be combined with updatedSince" })));
  }
  const since = updatedSince.toISOString();
  const earliest = new Date(now.getTime() - tombstoneDays * dayMs).toISOString();
  if (since < earliest) {
    const message = `must not be earlier than ${earliest}, ${tombstoneDays} days ago; read the whole list instead`;
    throw tooEarly('updatedSince', message, earliest);
  }
  return since;
}
