import * as z from 'zod/mini';
import { fields, object, without } from '../../platform/contract/object.ts';
import { confidence, isoDate, objectId, recordTimes, stateCode } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { entityMatchStatus, entityMatchStatuses, policyFields, policyNumber } from './resource.ts';

const text = z.optional(z.string());

export const policyTransactionTypes = [
  'New',
  'Renewal',
  'Endorsement',
  'Cancellation',
  'Reinstatement',
  'Audit',
] as const;

export const matchedAgent = object(() => ({
  agentId: objectId,
  matchSource: z.enum(['npn', 'license', 'name', 'user']),
  matchConfidence: confidence,
  matchedAt: isoDate,
}));

/** What a transaction carries beyond the fields it shares with its policy. */
export const policyTransactionFields = fields(() => ({
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
}));

/** A policy transaction. */
export const policyTransaction = storedItem(
  'policies/transaction',
  object(() => ({
    _id: objectId,
    policyId: objectId,
    ...policyTransactionFields.shape,
    ...policyFields.shape,
    ...recordTimes.shape,
  })),
);

/** A transaction as v1 has it. */
export const policyTransactionV1 = without(policyTransaction, 'carrierNaicCode');

export type PolicyTransaction = z.output<typeof policyTransaction>;
