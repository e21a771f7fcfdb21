import * as z from 'zod/mini';
import {
  policyTransaction,
  policyTransactionFields,
} from '../../../shared/domain/policies/policy-transaction.ts';
import { policy, policyFields, policyNumber } from '../../../shared/domain/policies/resource.ts';
import { ownedFields } from '../common-fields.ts';

const { currentStatus, productMatchStatus, entityMatchStatus, riskStateCode } = policy.shape;

/** The fields of a `policy` line: those that the policy's transactions don't have. */
export const policyOwnFields = {
  ...ownedFields,
  policyNumber,
  currentStatus: z._default(currentStatus, 'bound'),
  productMatchStatus: z.optional(productMatchStatus),
  entityMatchStatus: z.optional(entityMatchStatus),
  riskStateCode: z.optional(riskStateCode),
  ...policyFields.shape,
};

export const policyRecord = z.strictObject({ type: z.literal('policy'), ...policyOwnFields });

export type PolicyRecord = z.output<typeof policyRecord>;

const { matchedAgents, agentMatchStatus, transactionFingerprint, dedupResult } = policyTransaction.shape;

/** One transaction; it names its policy by `policyNumber`. What it does not say of its agency, agents, and product is matched. */
export const policyTransactionRecord = z.strictObject({
  type: z.literal('policy-transaction'),
  ...policyTransactionFields.shape,
  ...policyFields.shape,
  ...ownedFields,
  isDeleted: z._default(z.boolean(), false),
  entityMatchStatus: z.optional(entityMatchStatus),
  matchedAgents: z.optional(matchedAgents),
  agentMatchStatus: z.optional(agentMatchStatus),
  transactionFingerprint: z.optional(transactionFingerprint),
  dedupResult: z.optional(dedupResult),
});

export type PolicyTransactionRecord = z.output<typeof policyTransactionRecord>;
