import * as z from 'zod/mini';
import { isoDate, objectId } from '../../shared/contract/primitives.ts';

/** A time in an operator's record, in whatever ISO 8601 form; kept as the instant it means. */
export const instant = z.pipe(
  isoDate,
  z.transform((text) => new Date(text).toISOString()),
);

/** What any imported record may carry. */
export const commonFields = {
  _id: z.optional(objectId),
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
  isDeleted: z.optional(z.boolean()),
};

/** What a record that belongs to an upstream organization may carry: its owner, where the file holds several owners'. */
export const ownedFields = { ...commonFields, upstreamEntityId: z.optional(objectId) };
