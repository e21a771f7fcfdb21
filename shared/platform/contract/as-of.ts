import * as z from 'zod/mini';
import { describedShape } from './described.ts';
import { lazily } from './lazily.ts';

/** `asOf` of the lists that can say what was true on a former day. */
export const asOfQuery = lazily(() =>
  describedShape(
    {
      asOf: z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' })),
      knownAt: z.optional(
        z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-04-15T14:05:09Z' }),
      ),
    },
    DOCUMENTED && {
      asOf: {
        description:
          'Day at whose end, in America/New_York, the answer is to hold; not in the future. Today by default.',
        examples: ['2026-04-15'],
      },
      knownAt: {
        description:
          'Moment whose knowledge counts: what was recorded later does not exist; not in the future. Now by default. `asOf` alone says what is known now about a day, both together say what was known then. The organization’s identity is that of now.',
        examples: ['2026-04-15T14:05:09Z'],
      },
    },
  ),
);

/** What `asOf` and `knownAt` do, for the documentation of every operation that takes them. */
const rule =
  DOCUMENTED &&
  'Every version of a license and an appointment is kept for ten years; how they decide about a day is in “How compliance is decided”. A renewal that became known late counts for the days that it covers; with `knownAt` before it became known it does not.';

export const asOfDescription = {
  list:
    DOCUMENTED &&
    `With \`asOf\` or \`knownAt\`, returns only the records that cover the day, each as the row that covers it; one that had not begun, or had ended or expired, is left out. ${rule}`,
  statuses:
    DOCUMENTED &&
    `With \`asOf\`, the status is that at the end of that day. The carrier’s identity is that of now. \`basis\` says whether the records were already known then. ${rule}`,
  policies:
    DOCUMENTED &&
    `With \`asOf\`, each status is that at the end of that day; \`atEffectiveDate\` is always that at the end of the policy’s effective date. The carrier’s identity is that of now. \`basis\` says whether the records were already known then. ${rule}`,
} as const;
