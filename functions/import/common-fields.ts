import * as z from 'zod/mini';
import { instant, objectId } from '#platform/contract/primitives.ts';

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
  before: Pick<Line, 'createdAt'> | undefined,
  time: string,
) => ({ createdAt: line.createdAt ?? before?.createdAt ?? time, updatedAt: line.updatedAt ?? time });

/** The values of `commonFields` that every stored record has. */
export const commonValuesOf = (line: Line, before: Pick<Line, 'createdAt'> | undefined, time: string) => ({
  isDeleted: line.isDeleted ?? false,
  ...timesOf(line, before, time),
});

/** Field of a record of an upstream organization: its owner, where the file has records of several owners. */
export const ownedFields = { ...commonFields, upstreamEntityId: z.optional(objectId) };
