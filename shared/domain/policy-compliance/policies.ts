import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { allOf, atLeast, atMost, startsWith } from '../../platform/data/expressions.ts';
import type { Query } from '../../platform/data/query-pages.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { agencySort, policyPartitions } from '../policies/keys.ts';
import { type Policy, policy, policySellers } from '../policies/resource.ts';
import { storedSale } from '../policies/sale.ts';

/** What counts of a policy: whose it is, the product that matching or a person decided on, who sold it, who writes it, and its latest sale. */
export const matchedPolicy = storedItem(
  'policies/policy-of-agency',
  object(() => {
    const { _id, policyNumber, riskStateCode, entityMatchStatus, productCode, productName } = policy.shape;
    const { effectiveDate, premiumAmountInUSD, carrierName, carrierNaicCode } = policy.shape;
    return {
      _id,
      policyNumber,
      riskStateCode,
      entityMatchStatus,
      productCode,
      productName,
      effectiveDate,
      premiumAmountInUSD,
      carrierName,
      carrierNaicCode,
      agencySort: z.string(),
      productId: z.optional(objectId),
      sellers: z.optional(policySellers),
      /** The New or the Renewal that began the latest term. */
      sale: z.optional(storedSale),
    };
  }),
);

export type MatchedPolicy = z.output<typeof matchedPolicy>;

/** Filters of policies; they combine. Both days are included. */
export interface PolicyFilters {
  readonly stateCode?: Policy['riskStateCode'] | undefined;
  readonly effectiveFrom?: CalendarDate | undefined;
  readonly effectiveUntil?: CalendarDate | undefined;
}

/**
 * What DynamoDB is to leave out after it has read it: 150 units for a thousand policies, and nothing is sent or parsed. In the index
 * of states, policies are in no agency's order, so that every page would read other agencies and agents again.
 */
function filterOf({ stateCode, effectiveFrom, effectiveUntil }: PolicyFilters): Pick<Query, 'filter'> {
  const filter = allOf(
    stateCode === undefined ? undefined : { riskStateCode: stateCode },
    effectiveFrom === undefined ? undefined : { effectiveDate: atLeast(effectiveFrom) },
    // A time of a day is its date and more, of which nothing comes after a tilde.
    effectiveUntil === undefined ? undefined : { effectiveDate: atMost(`${effectiveUntil}~`) },
  );
  return filter === undefined ? {} : { filter };
}

/** Policies read at once; see the policies' store. */
const policiesAtOnce = 500;

/** One carrier's live policies, agency by agency. */
export function createPoliciesByAgency(policies: Table<'by-agency'>) {
  const read = (owner: string, selection: Pick<Query, 'sort' | 'filter'>) =>
    policies.query(matchedPolicy, policyPartitions.all(owner), {
      index: 'by-agency',
      limit: policiesAtOnce,
      only: ['pk', 'sk', ...Object.keys(matchedPolicy.shape)],
      leavesOut: true,
      ...selection,
    });
  return {
    /** Every policy that passes the filters, once; those of agency relationships come first, those of nobody last. */
    all: (owner: string, filters: PolicyFilters) => read(owner, filterOf(filters)),

    /** Those of an agency relationship, by policy number: first those that name it, then those that name none and have the NPN. */
    async *ofAgency(
      owner: string,
      { associationId, npn }: { readonly associationId: string; readonly npn: string | null },
    ) {
      yield* read(owner, { sort: startsWith(agencySort({ associationId })) });
      if (npn !== null) yield* read(owner, { sort: startsWith(agencySort({ npn })) });
    },
  };
}
