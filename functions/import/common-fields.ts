import * as z from 'zod/mini';
import { isoDate, objectId } from '../../shared/contract/primitives.ts';

/** A time in an operator's record, in any ISO 8601 form; stored as an instant. */
export const instant = z.pipe(
  isoDate,
  z.transform((text) => new Date(text).toISOString()),
);

/** Fields that every imported record may have. */
export const commonFields = {
  _id: z.optional(objectId),
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
  isDeleted: z.optional(z.boolean()),
};

/** Field of a record of an upstream organization: its owner, where the file has records of several owners. */
export const ownedFields = { ...commonFields, upstreamEntityId: z.optional(objectId) };
