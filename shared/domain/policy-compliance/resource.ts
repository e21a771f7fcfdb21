import * as z from 'zod/mini';
import { asOfQuery } from '../../platform/contract/as-of.ts';
import { fields, object } from '../../platform/contract/object.ts';
import { count, isoDate, objectId, stateCode, usd } from '../../platform/contract/primitives.ts';
import { agents, atEffectiveDate, ofPolicy, policyVerdict } from '../compliance/compliance-rows.ts';
import {
  complianceBasis,
  complianceStatuses,
  configBasis,
  statusParts,
} from '../compliance/compliance-statuses.ts';
import { stateRequirement } from '../compliance/resource.ts';
import { warning } from '../sale-checks/resource.ts';

const date = z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' }));

/** The compliance statuses of policies, as filters: the third stands for null. */
export const policyVerdicts = [...complianceStatuses, 'NOT_KNOWN'] as const;

export const policyVerdictFilter = z.enum(policyVerdicts);

/** Filters of the list of all policies' compliance, and of its summary; they combine. */
export const bookQuery = fields(() => ({
  complianceStatus: z.optional(policyVerdictFilter),
  atEffectiveDate: z.optional(policyVerdictFilter),
  stateCode: z.optional(stateCode),
  productId: z.optional(objectId),
  effectiveFrom: date,
  effectiveUntil: date,
  ...asOfQuery.shape,
}));

/** A policy of the carrier, whosever it is, and whether its agency may service it. */
export const bookRow = object(() => ({
  ...ofPolicy.shape,
  premiumAmountInUSD: z.nullable(usd),
  effectiveDate: z.nullable(isoDate),
  upstreamDownstreamAssociationId: z.nullable(objectId),
  downstreamEntityId: z.nullable(objectId),
  complianceStatus: policyVerdict,
  licenseStatus: z.nullable(statusParts.shape.licenseStatus),
  appointmentStatus: z.nullable(statusParts.shape.appointmentStatus),
  basis: z.nullable(complianceBasis),
  configBasis: z.nullable(configBasis),
  statusMessages: z.optional(z.array(z.string())),
  warnings: z.array(warning),
  agents,
  atEffectiveDate,
}));

export type BookRow = z.output<typeof bookRow>;

const totals = fields(() => ({
  policies: count,
  /** Of many policies: it may be more than one amount may be. */
  premiumAmountInUSD: z.number(),
}));

export const bookGroup = object(() => ({
  complianceStatus: policyVerdict,
  atEffectiveDate: policyVerdict,
  stateCode,
  productId: z.nullable(objectId),
  ...totals.shape,
}));

/** How many policies there are of each verdict, state, and product, and their premium. */
export const bookSummary = object(() => ({ ...totals.shape, groups: z.array(bookGroup) }));

export type BookSummary = z.output<typeof bookSummary>;

const day = () => z.iso.date();

export const policyParty = z.enum(['agent', 'agency']);

/** Somebody whom the carrier is to appoint since it bound a policy. */
export const appointmentDue = object(() => ({
  policyId: objectId,
  policyNumber: z.string(),
  party: policyParty,
  agentId: z.nullable(objectId),
  downstreamEntityAssociationId: objectId,
  stateCode,
  productId: z.nullable(objectId),
  linesOfAuthority: stateRequirement.shape.linesOfAuthority,
  boundOn: day(),
  dueOn: z.nullable(day()),
  daysLeft: z.nullable(z.int()),
}));

export type AppointmentDue = z.output<typeof appointmentDue>;
