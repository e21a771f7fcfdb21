import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { isoDate, objectId } from '../../platform/contract/primitives.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { agencySort, policyPartitions } from '../policies/keys.ts';
import { policy } from '../policies/resource.ts';
import { policySellers } from '../policies/sellers.ts';

/** What counts of a policy: whose it is, the product that matching or a person decided on, who sold it, and when it was bound. */
const matchedPolicy = storedItem(
  'policies/policy-of-agency',
  object(() => {
    const { _id, policyNumber, riskStateCode, entityMatchStatus, productCode, productName } = policy.shape;
    const { effectiveDate, premiumAmountInUSD } = policy.shape;
    return {
      _id,
      policyNumber,
      riskStateCode,
      entityMatchStatus,
      productCode,
      productName,
      effectiveDate,
      premiumAmountInUSD,
      agencySort: z.string(),
      productId: z.optional(objectId),
      sellers: z.optional(policySellers),
      /** `policyTransactionDate` of the latest transaction that begins a term. */
      boundOn: z.optional(isoDate),
    };
  }),
);

export type MatchedPolicy = z.output<typeof matchedPolicy>;

/** One carrier's live policies, agency by agency. */
export interface PoliciesByAgency {
  /** Those of an agency relationship, by policy number: first those that name it, then those that name none and have the NPN. */
  ofAgency(
    owner: string,
    association: { readonly associationId: string; readonly npn: string | null },
  ): AsyncIterable<MatchedPolicy[]>;
  /** Every policy, once; those of agency relationships come first, those of nobody last. */
  all(owner: string): AsyncIterable<MatchedPolicy[]>;
}

/** Policies read at once; see the policies' store. */
const policiesAtOnce = 500;

export function createPoliciesByAgency(policies: Table<'by-agency'>): PoliciesByAgency {
  const read = (owner: string, sort?: unknown) =>
    policies.query(matchedPolicy, policyPartitions.all(owner), {
      index: 'by-agency',
      limit: policiesAtOnce,
      only: Object.keys(matchedPolicy.shape),
      sort,
    });
  return {
    all: (owner) => read(owner),

    async *ofAgency(owner, { associationId, npn }) {
      yield* read(owner, startsWith(agencySort({ associationId })));
      if (npn !== null) yield* read(owner, startsWith(agencySort({ npn })));
    },
  };
}
