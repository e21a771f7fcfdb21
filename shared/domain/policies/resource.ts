import * as z from 'zod/mini';
import {
  confidence,
  count,
  isoDate,
  objectId,
  recordTimes,
  stateCode,
  textUpTo,
  usd,
} from '#platform/contract/primitives.ts';
import { sinceV2 } from '#platform/contract/v1.ts';
import { storedItem } from '#platform/data/stored.ts';
import { naicCode } from '../identifiers/identifiers.ts';

export const policyStatuses = ['bound', 'active', 'expired', 'cancelled', 'non renewed'] as const;
export const entityMatchStatuses = ['unmatched', 'auto matched', 'user confirmed', 'manual review'] as const;
export const productMatchStatuses = [
  'unmatched',
  'auto matched',
  'user confirmed',
  'needs clarification',
] as const;

const text = z.optional(z.string());
const date = z.optional(isoDate);
const amount = z.optional(usd);

/** Business fields that a policy and each of its transactions share. */
export const policyFields = z.object({
  agencyName: text,
  agencyNpn: text,
  agencyFein: text,
  agencyLicenseNumber: text,
  agencyLicensedStateCode: text,
  agentName: text,
  agentNpn: text,
  agentLicenseNumber: text,
  agentLicensedState: text,
  insuredEntityName: text,
  carrierName: text,
  carrierNaicCode: sinceV2(z.optional(naicCode)),
  lineOfBusiness: text,
  producerName: text,
  producerCode: text,
  productName: text,
  productCode: text,
  filingNumber: text,
  slaNumber: text,
  externalBillingId: text,
  licenseNumber: text,
  npn: text,
  uploadSource: text,
  effectiveDate: date,
  expiryDate: date,
  premiumAmountInUSD: amount,
  aggregateCoverageInUSD: amount,
  coveragePerClaimInUSD: amount,
});

export const policyNumber = textUpTo(200);

export const entityMatchStatus = z.enum(entityMatchStatuses);

/** A policy. Dates ISO 8601, amounts US dollars. */
export const policy = storedItem('policies/policy', {
  _id: objectId,
  policyNumber,
  currentStatus: z.enum(policyStatuses),
  riskStateCode: stateCode,
  entityMatchStatus,
  productMatchStatus: z.enum(productMatchStatuses),
  transactionCount: count,
  ...policyFields.shape,
  ...recordTimes.shape,
});

export type Policy = z.output<typeof policy>;

/** The seller of a policy: stored with it, shown by its transactions. */
export const policySellers = z.object({
  /** The agents who were matched or confirmed, each once; none of those who only may have sold it. */
  agentIds: z.array(objectId),
  /** Whether an agent is named, and none was matched. */
  isUnknown: z.boolean(),
});

export type PolicySellers = z.output<typeof policySellers>;

export const policyTransactionTypes = [
  'New',
  'Renewal',
  'Endorsement',
  'Cancellation',
  'Reinstatement',
  'Audit',
] as const;

export const matchedAgent = z.object({
  agentId: objectId,
  matchSource: z.enum(['npn', 'license', 'name', 'user']),
  matchConfidence: confidence,
  matchedAt: isoDate,
});

/** Fields of a transaction beyond those that it shares with its policy. */
export const policyTransactionFields = z.object({
  upstreamEntityId: objectId,
  policyNumber,
  policyTransactionType: z.enum(policyTransactionTypes),
  policyTransactionDate: isoDate,
  riskStateCode: stateCode,
  branchName: text,
  entityMatchStatus,
  matchedAgents: z.array(matchedAgent),
  agentMatchStatus: z.enum(entityMatchStatuses),
  transactionFingerprint: z.string(),
  columnMappingId: z.optional(objectId),
  entityId: z.optional(objectId),
  entityModel: text,
  isDeleted: z.boolean(),
  uniqueTransactionId: text,
  downstreamEntityId: z.optional(objectId),
  upstreamDownstreamAssociationId: z.optional(objectId),
  entityMatchConfidence: z.optional(confidence),
  dedupResult: z.enum(['new', 'duplicate', 'amended']),
});

/** A policy transaction. */
export const policyTransaction = storedItem('policies/transaction', {
  _id: objectId,
  policyId: objectId,
  ...policyTransactionFields.shape,
  ...policyFields.shape,
  ...recordTimes.shape,
});

export type PolicyTransaction = z.output<typeof policyTransaction>;
