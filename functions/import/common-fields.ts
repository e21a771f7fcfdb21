import * as z from 'zod/mini';
import { instant, isoDate, objectId } from '../../shared/platform/contract/primitives.ts';

/** A time in an operator's record, in any zone; stored in UTC. */
export const recordTime = z.pipe(
  instant,
  z.transform((time) => time.toISOString()),
);

/** Fields that every imported record may have. */
export const commonFields = {
  _id: z.optional(objectId),
  createdAt: z.optional(recordTime),
  updatedAt: z.optional(recordTime),
  isDeleted: z.optional(z.boolean()),
};

type Line = Readonly<
  Partial<{ createdAt: string | undefined; updatedAt: string | undefined; isDeleted: boolean | undefined }>
>;

/** The times of a record: those of its line, else the stored record's, else the time of the import. */
export const timesOf = (
  line: Pick<Line, 'createdAt' | 'updatedAt'>,
  stored: Pick<Line, 'createdAt'> | undefined,
  at: string,
) => ({ createdAt: line.createdAt ?? stored?.createdAt ?? at, updatedAt: line.updatedAt ?? at });

/** The values of `commonFields` that every stored record has. */
export const commonValuesOf = (line: Line, stored: Pick<Line, 'createdAt'> | undefined, at: string) => ({
  isDeleted: line.isDeleted ?? false,
  ...timesOf(line, stored, at),
});

/** Field of a record of an upstream organization: its owner, where the file has records of several owners. */
export const ownedFields = { ...commonFields, upstreamEntityId: z.optional(objectId) };

/** The day from which a license or an appointment counts as it is given. */
export const validFrom = z.optional(isoDate);

/** A line of an operator's file before its schema has checked it. */
export type LineObject = Readonly<Record<string, unknown>>;

const line = z.record(z.string(), z.unknown());

/**
 * A record as an operator writes it, or as the API answers it.
 * @param written the record as an operator would write it: without what the API computes, and under the import's names.
 */
export const orAnswered = <Output>(
  schema: z.core.$ZodType<Output>,
  written: (answered: LineObject) => LineObject,
) =>
  z.pipe(
    z.transform((given: unknown): unknown => {
      const { success, data } = z.safeParse(line, given);
      return success ? written(data) : given;
    }),
    schema,
  );

/** A line without these fields. */
export const without = (given: LineObject, ...fields: readonly string[]): LineObject =>
  Object.fromEntries(Object.entries(given).filter(([field]) => !fields.includes(field)));

/** A line with the id that the API answers under another name; both at once must be the same. */
export function withIdFrom(given: LineObject, field: string): LineObject {
  const { [field]: id, ...rest } = given;
  if (id === undefined || (rest['_id'] !== undefined && rest['_id'] !== id)) return given;
  return { ...rest, _id: id };
}
