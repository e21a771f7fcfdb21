import * as z from 'zod/mini';
import { asOfQuery } from '#platform/contract/list-queries.ts';
import { count, isoDate, objectId, stateCode, usd } from '#platform/contract/primitives.ts';
import { ofPolicy, policyVerdict, statusesOnDays, statusOfAgent } from '../compliance/status.ts';
import {
  appointmentStatus,
  complianceBasis,
  complianceStatuses,
  configBasis,
  licenseStatus,
  stateRequirement,
} from '../decision/compliance-config.ts';
import { reason, warning } from '../decision/reasons.ts';
import { naicCode, npn, producerNames } from '../identifiers/identifiers.ts';
import { policy } from '../policies/resource.ts';

const date = z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' }));

/** A compliance status of policies, as a filter: the third stands for null. */
export const policyVerdictFilter = z.enum([...complianceStatuses, 'NOT_KNOWN']);

/** Filters of the list of all policies' compliance, and of its summary; they combine. */
export const bookQuery = z.object({
  complianceStatus: z.optional(policyVerdictFilter),
  atEffectiveDate: z.optional(policyVerdictFilter),
  atSale: z.optional(policyVerdictFilter),
  stateCode: z.optional(stateCode),
  productId: z.optional(objectId),
  effectiveFrom: date,
  effectiveUntil: date,
  inForceOn: date,
  ...asOfQuery.shape,
});

/** An agent of a policy or a sale, by what reports name them by. */
export const namedAgent = z.object({
  agentId: statusOfAgent.shape.agentId,
  npn,
  firstName: producerNames.shape.firstName,
  lastName: producerNames.shape.lastName,
  licenseNumber: z.nullable(z.string()),
  ...z.omit(statusOfAgent, { agentId: true }).shape,
});

/** A policy of the carrier, whosever it is, and whether its agency may service it. */
export const bookRow = z.object({
  ...ofPolicy.shape,
  currentStatus: policy.shape.currentStatus,
  /** Sum of several transactions: it may be more than one amount may be. */
  premiumAmountInUSD: z.nullable(z.number()),
  effectiveDate: z.nullable(isoDate),
  expiryDate: z.nullable(isoDate),
  soldOn: z.nullable(z.iso.date()),
  upstreamDownstreamAssociationId: z.nullable(objectId),
  downstreamEntityId: z.nullable(objectId),
  complianceStatus: policyVerdict,
  licenseStatus: z.nullable(licenseStatus),
  appointmentStatus: z.nullable(appointmentStatus),
  basis: z.nullable(complianceBasis),
  configBasis: z.nullable(configBasis),
  statusMessages: z.optional(z.array(z.string())),
  warnings: z.array(warning),
  agents: z.array(namedAgent),
  ...statusesOnDays.shape,
});

export type BookRow = z.output<typeof bookRow>;

const totals = z.object({
  policies: count,
  /** Sum of many policies: it may be more than one amount may be. */
  premiumAmountInUSD: z.number(),
});

export const bookGroup = z.object({
  complianceStatus: policyVerdict,
  atEffectiveDate: policyVerdict,
  atSale: policyVerdict,
  stateCode,
  productId: z.nullable(objectId),
  ...totals.shape,
});

/** Number of policies of each verdict, state, and product, and their premium. */
export const bookSummary = z.object({ ...totals.shape, groups: z.array(bookGroup) });

export type BookSummary = z.output<typeof bookSummary>;

const day = () => z.iso.date();

export const dueParty = z.enum(['agent', 'agency']);

export const dueStatus = z.enum(['due', 'overdue', 'late']);

export type DueStatus = z.output<typeof dueStatus>;

export const dueCompany = z.object({
  carrierNaicCode: z.nullable(naicCode),
  name: z.nullable(z.string()),
});

/** A party that the carrier is to appoint since it bound what they sold, or appointed late. */
export const appointmentDue = z.object({
  dueStatus,
  party: dueParty,
  agentId: z.nullable(objectId),
  downstreamEntityAssociationId: objectId,
  company: z.nullable(dueCompany),
  stateCode,
  linesOfAuthority: stateRequirement.shape.linesOfAuthority,
  productId: z.nullable(objectId),
  policyId: objectId,
  policyNumber: z.string(),
  soldOn: day(),
  dueOn: z.nullable(day()),
  daysLeft: z.nullable(z.int()),
  appointedOn: z.nullable(day()),
});

export type AppointmentDue = z.output<typeof appointmentDue>;

/** The transactions that begin a term. */
export const saleType = z.enum(['New', 'Renewal']);

/** Filters of the list of sales, and of its summary; they combine. */
export const salesQuery = z.object({
  complianceStatus: z.optional(policyVerdictFilter),
  policyTransactionType: z.optional(saleType),
  soldFrom: date,
  soldUntil: date,
  stateCode: z.optional(stateCode),
  productId: z.optional(objectId),
  agentId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
  knownAt: asOfQuery.shape.knownAt,
});

/** A New or a Renewal, and whether those who sold it could on that day. */
export const saleRow = z.object({
  transactionId: objectId,
  policyId: objectId,
  policyNumber: z.string(),
  insuredName: z.nullable(z.string()),
  policyTransactionType: saleType,
  soldOn: day(),
  effectiveDate: z.nullable(isoDate),
  stateCode,
  productId: ofPolicy.shape.productId,
  productName: ofPolicy.shape.productName,
  carrierNaicCode: z.nullable(naicCode),
  premiumAmountInUSD: z.nullable(usd),
  upstreamDownstreamAssociationId: z.nullable(objectId),
  downstreamEntityId: z.nullable(objectId),
  agents: z.array(namedAgent),
  complianceStatus: policyVerdict,
  licenseStatus: z.nullable(licenseStatus),
  appointmentStatus: z.nullable(appointmentStatus),
  reasons: z.array(reason),
  warnings: z.array(warning),
  appointmentDueOn: z.nullable(day()),
  appointedOn: z.nullable(day()),
  basis: complianceBasis,
  configBasis,
});

export type SaleRow = z.output<typeof saleRow>;

const salesTotals = z.object({ sales: count, premiumAmountInUSD: totals.shape.premiumAmountInUSD });

export const salesGroup = z.object({
  complianceStatus: policyVerdict,
  stateCode,
  productId: z.nullable(objectId),
  year: z.int(),
  ...salesTotals.shape,
});

/** Number of sales of each verdict, state, product, and year, and their premium. */
export const salesSummary = z.object({ ...salesTotals.shape, groups: z.array(salesGroup) });

export type SalesSummary = z.output<typeof salesSummary>;
