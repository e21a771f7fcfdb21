import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode, timestamp, usd } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';

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

const text = z.string();
const count = z.int();

/** The members of a filing in a list, with which every detail begins (`filing-detail.ts`). */
export const filingSummaryFields = fields(() => ({
  _id: objectId,
  externalReference: z.nullable(text),
  policyNumber: text,
  stateCode,
  policyTransactionType: z.enum(filingTransactionTypes),
  status: z.enum(filingStatuses),
  actionRequired: z.boolean(),
  effectiveDate: z.nullable(isoDate),
  updatedAt: timestamp,
  namedInsured: text,
  carrier: text,
  carrierNaicCode: text,
  grossPremium: usd,
  totalTaxDue: z.nullable(usd),
  checklistProgress: z.object({ checked: count, total: count }),
}));

/** A filing in a list: the detail without its checklist, files and escalations. */
export const filingSummary = storedItem(
  'filings/summary',
  object(() => filingSummaryFields.shape),
);

export type FilingSummary = z.output<typeof filingSummary>;

/** A list entry: what lists show, and the owner on the agency's side. */
export const storedFilingEntry = storedItem('filings/list-entry', () => ({
  ...filingSummary.shape,
  downstreamEntityId: z.optional(objectId),
}));

export type StoredFilingEntry = z.output<typeof storedFilingEntry>;
