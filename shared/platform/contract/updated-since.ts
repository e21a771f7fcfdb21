import * as z from 'zod/mini';
import { described, describedShape } from './described.ts';
import { invalid } from './errors.ts';
import { lazily } from './lazily.ts';
import { lazyObject } from './lazy-object.ts';
import { objectId, timestamp } from './primitives.ts';
import { updatedUntilHeader } from './updated-until.ts';

const dayMs = 24 * 3_600_000;

/** Days for which a deletion is returned; an earlier `updatedSince` is refused, since it would miss some. */
export const tombstoneDays = 90;

/** The query parameter of a list that can be followed. */
export const updatedSinceQuery = lazily(() =>
  describedShape(
    {
      updatedSince: z.optional(
        z.pipe(
          z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-03-01T14:05:09Z' }),
          z.transform((text) => new Date(text)),
        ),
      ),
    },
    DOCUMENTED && {
      updatedSince: {
        description: `Returns what has changed since that time (inclusive) and is still there, and what was deleted since: the \`${updatedUntilHeader}\` of an earlier response. At most ${tombstoneDays} days ago; can’t be combined with filters.`,
        examples: ['2026-03-01T14:03:09.123Z'],
      },
    },
  ),
);

/** What a list by `updatedSince` returns for a record that is gone. */
export const deletedRecord = described(
  lazyObject(() =>
    describedShape(
      { _id: objectId, isDeleted: z.literal(true), updatedAt: timestamp },
      DOCUMENTED && {
        _id: 'Id of the record; of an agent, its `agent._id`.',
        isDeleted: 'Always true.',
        updatedAt: 'When the service recorded the deletion.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'DeletedRecord',
    description: 'A record that was deleted, or that is otherwise no longer in the list.',
    examples: [{ _id: '65f0c1d2e3a4b5c6d7e8f901', isDeleted: true, updatedAt: '2026-03-01T14:05:09.123Z' }],
  },
);

export type DeletedRecord = z.output<typeof deletedRecord>;

/** An item of a list that can be followed: a record, or that it is gone. */
export const orDeleted = <Schema extends z.core.$ZodType>(record: Schema) => z.union([record, deletedRecord]);

/** What the descriptions of these lists say. */
export const followed =
  DOCUMENTED &&
  `To follow changes without a webhook, read the whole list once, then repeat the request with \`updatedSince\` set to the header \`${updatedUntilHeader}\` of the response before; see “Following a list”.`;

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
  const earliest = new Date(now.getTime() - tombstoneDays * dayMs);
  if (updatedSince < earliest) {
    throw invalid({
      path: 'updatedSince',
      message: `must not be earlier than ${earliest.toISOString()}, ${tombstoneDays} days ago; read the whole list instead`,
    });
  }
  return updatedSince.toISOString();
}
