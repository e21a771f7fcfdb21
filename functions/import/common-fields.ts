import * as z from 'zod/mini';
import { described } from '../../shared/platform/contract/described.ts';
import { isoDate, objectId } from '../../shared/platform/contract/primitives.ts';

/** A time in an operator's record, in any ISO 8601 form; stored as an instant. */
export const instant = z.pipe(
  isoDate,
  z.transform((text) => new Date(text).toISOString()),
);

/** Fields that every imported record may have. */
export const commonFields = {
  _id: described(
    z.optional(objectId),
    DOCUMENTED && {
      description: 'Id of the record. Without one, the id is derived from what identifies the record.',
    },
  ),
  createdAt: described(
    z.optional(instant),
    DOCUMENTED && { description: 'When the record was created; the time of its first import by default.' },
  ),
  updatedAt: described(
    z.optional(instant),
    DOCUMENTED && { description: 'When the record was changed; the time of the import by default.' },
  ),
  isDeleted: described(
    z.optional(z.boolean()),
    DOCUMENTED && { description: 'Whether the record is deleted.' },
  ),
};

type Line = Readonly<
  Partial<{ createdAt: string | undefined; updatedAt: string | undefined; isDeleted: boolean | undefined }>
>;

/** The times of a record: those of its line, else the stored record's, else the time of the import. */
export const timesOf = (
  line: Pick<Line, 'createdAt' | 'updatedAt'>,
  stored: Pick<Line, 'createdAt'> | undefined,
  at: string,
) => ({
  createdAt: line.createdAt ?? stored?.createdAt ?? at,
  updatedAt: line.updatedAt ?? at,
});

/** The values of `commonFields` that every stored record has. */
export const commonValuesOf = (line: Line, stored: Pick<Line, 'createdAt'> | undefined, at: string) => ({
  isDeleted: line.isDeleted ?? false,
  ...timesOf(line, stored, at),
});

/** Field of a record of an upstream organization: its owner, where the file has records of several owners. */
export const ownedFields = {
  ...commonFields,
  upstreamEntityId: described(
    z.optional(objectId),
    DOCUMENTED && {
      description: 'Carrier that owns the record; the organizationId of the command by default.',
    },
  ),
};

/** The day from which a license or an appointment counts as it is given. */
export const validFrom = described(
  z.optional(isoDate),
  DOCUMENTED && {
    description:
      'Day from which the record is as given; by default the day from which the version that it follows is, at first the one that its own dates say. Several lines of one record are its versions, in any order.',
    examples: ['2026-04-15'],
  },
);
