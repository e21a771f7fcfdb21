import * as z from 'zod/mini';
import { policyPartitions } from '../../shared/domain/policies/keys.ts';
import { policy } from '../../shared/domain/policies/resource.ts';
import { policySellers } from '../../shared/domain/policies/sellers.ts';
import { object } from '../../shared/platform/contract/object.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** A policy, the product that matching or a person decided on, and who sold it. */
const matchedPolicy = storedItem(
  'policies/policy-of-agency',
  object(() => ({
    ...policy.shape,
    productId: z.optional(objectId),
    sellers: z.optional(policySellers),
  })),
);

export type MatchedPolicy = z.output<typeof matchedPolicy>;

/**
 * The live policies of an agency relationship by policy number: first those that name the relationship, then those
 * that name none and have the agency's NPN.
 */
export type PoliciesOfAgency = (
  owner: string,
  association: { readonly associationId: string; readonly npn: string | null },
) => AsyncIterable<MatchedPolicy[]>;

/** Policies read at once; see the policies' store. */
const policiesAtOnce = 500;

export const createPoliciesOfAgency = (policies: Table<'by-agency'>): PoliciesOfAgency =>
  async function* (owner, { associationId, npn }) {
    const partitions = [
      policyPartitions.ofAssociation(owner, associationId),
      ...(npn === null ? [] : [policyPartitions.ofAgencyNpn(owner, npn)]),
    ];
    for (const partition of partitions) {
      yield* policies.query(matchedPolicy, partition, { index: 'by-agency', limit: policiesAtOnce });
    }
  };
