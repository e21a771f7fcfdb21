import * as z from 'zod/mini';
import type { StateRequirement } from '../../shared/domain/decision/compliance-config.ts';
import {
  type AgencyReference,
  agencyOfSort,
  agencySort,
  policyPartitions,
} from '../../shared/domain/policies/keys.ts';
import { policy, policySellers } from '../../shared/domain/policies/resource.ts';
import { object } from '../../shared/platform/contract/object.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { ofReadable } from '../../shared/platform/data/left-out.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** What decides whose a policy is, and of which product. */
const countedPolicy = storedItem(
  'policies/counted-policy',
  object(() => ({
    agencySort: z.string(),
    entityMatchStatus: policy.shape.entityMatchStatus,
    productId: z.optional(objectId),
    productCode: policy.shape.productCode,
    productName: policy.shape.productName,
    sellers: z.optional(policySellers),
  })),
);

export type CountedPolicy = z.output<typeof countedPolicy>;

type StateCode = StateRequirement['stateCode'];

/** An association, its agency, and the NPN by which policies may name the agency. */
export interface AgencyOfPolicies {
  readonly associationId: string;
  readonly downstreamEntityId: string;
  readonly npn: string | null;
}

/** Counts an owner's live policies of some states that pass a test: only numbers are kept of them. */
export async function countPolicies(
  policies: Table<'by-state'>,
  owner: string,
  states: readonly StateCode[],
  isCounted: (policy: CountedPolicy) => boolean,
) {
  const counts = new Map<string, number>();
  const add = (...parts: readonly string[]) => {
    const name = nameOf(...parts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const state of states) {
    const pages = policies.query(countedPolicy, policyPartitions.ofState(owner, state), {
      index: 'by-state',
      only: ['pk', 'sk', ...Object.keys(countedPolicy.shape)],
      leavesOut: true,
    });
    for await (const page of pages) {
      for (const one of ofReadable(page, (policy) => (isCounted(policy) ? [policy] : [])).flat()) {
        const agency = agencySort(agencyOfSort(one.agencySort));
        add(state, agency);
        for (const agentId of one.sellers?.agentIds ?? []) add(state, agency, agentId);
      }
    }
  }
  const sum = (state: StateCode, agencies: readonly AgencyOfPolicies[], ...agent: readonly string[]) => {
    // Branches share the policies that only their NPN names.
    const names = new Set(
      agencies.flatMap(referencesOf).map((one) => nameOf(state, agencySort(one), ...agent)),
    );
    return Array.from(names, (name) => counts.get(name) ?? 0).reduce((total, count) => total + count, 0);
  };
  return {
    /** Those of an agency that name the association, and those that name none and have the NPN. */
    ofAgency: (state: StateCode, agency: AgencyOfPolicies) => sum(state, [agency]),
    /** Of those, the ones that the agent sold for agencies that the agent still works for. */
    ofAgent: (state: StateCode, agentId: string, agencies: readonly AgencyOfPolicies[]) =>
      sum(state, agencies, agentId),
  };
}

const nameOf = (...parts: readonly string[]): string => parts.join(' ');

const referencesOf = ({ associationId, npn }: AgencyOfPolicies): AgencyReference[] => [
  { associationId },
  ...(npn === null ? [] : [{ npn }]),
];
