import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { isoDate, objectId, stateCode, timestamp, usd } from '../contract/primitives.ts';

export const filingStatuses = [
  'not started',
  'in progress',
  'ready to file',
  'filed',
  'completed',
  'on hold',
  'canceled',
] as const;
export const filingTransactionTypes = ['bind', 'endorsement', 'renewal', 'cancellation'] as const;
export const escalationStatuses = ['waiting service input', 'waiting customer input', 'resolved'] as const;
export const artifactTypes = ['accepted stamped', 'receipt', 'confirmation', 'tax remittance proof'] as const;
export const tones = ['primary', 'secondary', 'neutral', 'green', 'red', 'yellow'] as const;

export type FilingStatus = (typeof filingStatuses)[number];

/** A string with an example for the published document. */
export const text = (example: string) => described(z.string(), DOCUMENTED && { examples: [example] });
const count = described(z.int(), DOCUMENTED && { examples: [4] });
/** The members of a filing in a list, with which every detail begins (`filing-detail.ts`). */
export const filingSummaryFields = {
  _id: objectId,
  externalReference: described(
    z.nullable(z.string()),
    DOCUMENTED && { description: 'The customer’s own reference.', examples: ['SLF-2026-410'] },
  ),
  policyNumber: text('SL-2026-200400'),
  stateCode,
  policyTransactionType: z.enum(filingTransactionTypes),
  status: z.enum(filingStatuses),
  actionRequired: described(
    z.boolean(),
    DOCUMENTED && {
      description: 'Whether an escalation is waiting for the customer.',
    },
  ),
  effectiveDate: z.nullable(isoDate),
  updatedAt: timestamp,
  namedInsured: text('Acme Roofing LLC'),
  carrier: text('Beacon Specialty Insurance Company'),
  carrierNaicCode: text('19437'),
  grossPremium: usd,
  totalTaxDue: z.nullable(usd),
  checklistProgress: z.object({ checked: count, total: count }),
};

/** A filing in a list: the detail without its checklist, files and escalations. */
export const filingSummary = described(
  z.object(filingSummaryFields),
  DOCUMENTED && {
    id: 'FilingSummary',
    description: 'A surplus lines filing without its checklist, escalations, and files, as lists return it.',
  },
);

export type FilingSummary = z.output<typeof filingSummary>;
