import * as z from 'zod/mini';
import { describedShape } from './described.ts';
import { lazily } from './lazily.ts';

/** `asOf` of the lists that can say what was true on a former day. */
export const asOfQuery = lazily(() =>
  describedShape(
    { asOf: z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' })) },
    DOCUMENTED && {
      asOf: {
        description:
          'Day at whose end, in America/New_York, the answer is to hold; not in the future. Compliance configs and the organization’s identity are those of today.',
        examples: ['2026-04-15'],
      },
    },
  ),
);

/** What `asOf` does, for the documentation of every operation that takes it. */
const rule =
  DOCUMENTED &&
  'Licenses and appointments keep their versions for ten years. A record was live on a day if the version recorded by then, or any later one, covers that day by its own dates, unless a change of status dated on or before that day ended it. A renewal that became known late therefore counts. A license covers the days from its `issueDate` through its `nextRenewalDate`, an appointment those from its `statusChangeDate` through its `renewalDate`; a date that is not reported sets no limit. If a license is reported as inactive or no longer reported, or an appointment has ended without a date, it ended on the day when this became known. An import can give the first day of a version itself.';

export const asOfDescription = {
  list:
    DOCUMENTED &&
    `With \`asOf\`, returns only the records that were live at the end of that day, as they were then; one that had not been issued, or had ended or expired, is left out. ${rule}`,
  statuses:
    DOCUMENTED &&
    `With \`asOf\`, the status is that at the end of that day. The compliance config and the carrier’s identity are those of today. \`basis\` says whether the records were already known then. ${rule}`,
  policies:
    DOCUMENTED &&
    `With \`asOf\`, each status is that at the end of that day; \`atEffectiveDate\` is always that at the end of the policy’s effective date. Compliance configs and the carrier’s identity are those of today. \`basis\` says whether the records were already known then. ${rule}`,
} as const;
