import * as z from 'zod/mini';
import { isoDate, objectId, stateCode, timestamp, usd } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import { market } from '../associations/resource.ts';
import { productName } from '../decision/compliance-config.ts';
import { npn } from '../identifiers/identifiers.ts';

export const filingStatuses = [
  'not started',
  'in progress',
  'ready to file',
  'filed',
  'completed',
  'on hold',
  'canceled',
] as const;
const filingTransactionTypes = ['bind', 'endorsement', 'renewal', 'cancellation'] as const;
export const escalationStatuses = ['waiting service input', 'waiting customer input', 'resolved'] as const;
export const artifactTypes = ['accepted stamped', 'receipt', 'confirmation', 'tax remittance proof'] as const;
export const tones = ['primary', 'secondary', 'neutral', 'green', 'red', 'yellow'] as const;

export type FilingStatus = (typeof filingStatuses)[number];

const text = z.string();
const count = z.int();

/** The members of a filing in a list, with which every detail begins (`view.ts`). */
export const filingSummaryFields = z.object({
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
});

/** A filing in a list: the detail without its checklist, files and escalations. */
export const filingSummary = storedItem('filings/summary', filingSummaryFields.shape);

export type FilingSummary = z.output<typeof filingSummary>;

/** A list entry: what lists show, and the owner on the agency's side. */
export const storedFilingEntry = storedItem('filings/list-entry', {
  ...filingSummary.shape,
  downstreamEntityId: z.optional(objectId),
});

export type StoredFilingEntry = z.output<typeof storedFilingEntry>;

const actionTypes = [
  'open escalation',
  'license expiring',
  'license expired',
  'missing appointment',
] as const;

const pointer = z.nullable(objectId);

export const actionType = z.enum(actionTypes);

/** Something that an agency has to do. It is derived from other records and disappears when they show that it is done. */
export const actionRequired = z.object({
  _id: objectId,
  type: actionType,
  title: z.string(),
  downstreamEntityId: pointer,
  downstreamEntityIds: z.array(objectId),
  stateCode,
  dueDate: z.nullable(z.iso.date()),
  npn: z.nullable(npn),
  licenseNumber: z.nullable(z.string()),
  filingId: pointer,
  licenseRequestId: pointer,
  upstreamDownstreamAssociationId: pointer,
  branchName: market.shape.branchName,
  products: z.array(z.object({ productId: objectId, productName })),
});

export type ActionRequired = z.output<typeof actionRequired>;
