import { type FindAll, remembering, valueByKey } from '#platform/data/caches.ts';
import { collect, mapConcurrently } from '#platform/data/concurrently.ts';
import type { Table } from '#platform/data/table.ts';
import { agentKeys, type StoredAgent, storedAgent } from '../agents/stored.ts';
import {
  associationKeys,
  associationsOfEntity,
  associationsOfNpn,
  isLive,
  type StoredAssociation,
  storedAssociation,
} from '../associations/stored.ts';
import type { Moment } from '../compliance/moment.ts';
import { coveragesOfHolders, type DecisionSources } from '../compliance/sources.ts';
import { npnOf } from '../compliance/status.ts';
import type { Coverage } from '../decision/coverage.ts';
import type { Policy } from '../policies/resource.ts';
import { type AgencyReference, agencyOfSort, agencySort, type StoredSale } from '../policies/stored.ts';
import type { Tables } from '../tables.ts';

/** A policy or a sale, as it is judged. */
export interface Sold extends Omit<StoredSale, 'soldOn' | 'sellers'> {
  readonly sellers?: StoredSale['sellers'] | undefined;
}

/** An agent who sold policies, as judged in a state. */
export type Seller = ReturnType<typeof sellerOf>;

/** An agency that is judged for its policies in a state, and the association with it. */
export type Agency = ReturnType<typeof agencyOf>;

/** A policy or a sale, and who is judged with it. */
export interface Parties<One extends Sold> {
  readonly policy: One;
  /** Undefined where it is not known. */
  readonly agency: Agency | undefined;
  /** Reason why no agency is judged, in a sentence for people. */
  readonly why?: string | undefined;
  /** The policy's agents who are on record. */
  readonly sellers: readonly Seller[];
  /** The live associations with the agency, of all branches; undefined where no agent works under another than the policy's. */
  readonly branchIds?: ReadonlySet<string> | undefined;
}

/** Sources of the parties to policies and sales. */
export interface PartySources extends DecisionSources {
  readonly tables: Tables<'agents' | 'associations'>;
}

/** Reasons why nothing is said of an agency that is not matched. */
const unmatchedAgencies: Readonly<Partial<Record<Policy['entityMatchStatus'], string>>> = {
  unmatched: 'The agency was not identified.',
  'manual review': 'The agency is in manual review.',
};

const agencyKeyOf = (sold: Sold): string => agencySort(agencyOfSort(sold.agencySort));

/** Associations under which an agent works. */
const associationIdsOf = (agent: StoredAgent): readonly string[] =>
  agent.isDeleted ? [] : agent.downstreamEntityAssociationIds;

/** Whether an agent works, and under other associations than this: nearly all work under that of the policy. */
const worksElsewhere =
  ({ _id }: StoredAssociation) =>
  (agent: StoredAgent): boolean => {
    const ids = associationIdsOf(agent);
    return ids.length > 0 && !ids.includes(_id);
  };

/**
 * Reads, for one request, who is judged for policies and sales: each association and agent once, and what is recorded of each of
 * them in the states in which they sold, once in a state.
 */
export function createPartiesOf(sources: PartySources, owner: string, { knownThen }: Moment) {
  const { agents, associations } = sources.tables;
  const associationsOf = associationsOfSorts(associations, owner);
  const agentsOf = remembering<StoredAgent>(async (ids) => {
    const keys = ids.map((id) => agentKeys.agent(owner, id));
    const agentItems = await agents.getAll(storedAgent, keys, { consistent: false });
    return agentItems.map((agent) => [agent._id, agent]);
  });
  const branchesOf = remembering<ReadonlySet<string>>(async (agencyIds) => {
    const keys = agencyIds.map((id) => associationKeys.ofEntity(owner, id));
    const entities = await associations.getAll(associationsOfEntity, keys, { consistent: false });
    return entities.map(({ downstreamEntityId, associationIds }) => [downstreamEntityId, associationIds]);
  });
  const coveragesOf = coveragesOfHolders(sources, owner, knownThen);
  return async (sold: readonly Sold[]): Promise<<One extends Sold>(policy: One) => Parties<One>> => {
    const matchedSales = sold.filter(({ entityMatchStatus }) => !(entityMatchStatus in unmatchedAgencies));
    const [associationsFound, agentsFound] = await Promise.all([
      associationsOf(matchedSales.map(agencyKeyOf)),
      agentsOf(sold.flatMap(({ sellers }) => sellers?.agentIds ?? [])),
    ]);
    const namesOf = (policy: Sold) => ({
      stateCode: policy.riskStateCode,
      agents: policy.sellers?.agentIds.flatMap((id) => agentsFound.get(id) ?? []) ?? [],
      ...agencyAmong(policy, associationsFound),
    });
    const names = sold.map(namesOf);
    const [coverageOf, branches] = await Promise.all([
      coveragesOf(
        names.flatMap(({ stateCode, association, agents: sellers }) =>
          [association?.agency, ...sellers].map((holder) => ({ npn: holder?.npn ?? null, stateCode })),
        ),
      ),
      branchesOf(
        names.flatMap(({ association, agents: sellers }) =>
          association !== undefined && sellers.some(worksElsewhere(association))
            ? association.downstreamEntityId
            : [],
        ),
      ),
    ]);
    // The same object each time, since judgments are remembered by object.
    const [agencies, sellers] = [new Map<string, Agency>(), new Map<string, Seller>()];
    return (policy) => {
      const { stateCode, association, why, agents: sellersOfPolicy } = namesOf(policy);
      const agencyIn = (of: StoredAssociation): Agency =>
        valueByKey(agencies, `${of._id} ${stateCode}`, () =>
          agencyOf(of, coverageOf(of.agency.npn, stateCode)),
        );
      const sellerIn = (agent: StoredAgent): Seller =>
        valueByKey(sellers, `${agent._id} ${stateCode}`, () =>
          sellerOf(agent, coverageOf(agent.npn, stateCode)),
        );
      return {
        policy,
        agency: association && agencyIn(association),
        why,
        sellers: sellersOfPolicy.map(sellerIn),
        branchIds: branches.get(association?.downstreamEntityId ?? ''),
      };
    };
  };
}

/** The association with the agency of a policy or a sale, or why nobody is judged. */
function agencyAmong(
  policy: Sold,
  associationsFound: ReadonlyMap<string, readonly StoredAssociation[]>,
): { readonly association?: StoredAssociation; readonly why?: string | undefined } {
  if (policy.entityMatchStatus in unmatchedAgencies) {
    return { why: unmatchedAgencies[policy.entityMatchStatus] };
  }
  const [association, ...otherMatches] = associationsFound.get(agencyKeyOf(policy)) ?? [];
  if (association === undefined) return { why: 'There is no association with the agency.' };
  const { downstreamEntityId = association.downstreamEntityId } = policy;
  if (downstreamEntityId !== association.downstreamEntityId)
    return { why: 'The association is with another agency now.' };
  return otherMatches.length === 0 ? { association } : { why: 'Several associations have the agency’s NPN.' };
}

function sellerOf(agent: StoredAgent, coverage: Coverage) {
  const { _id: agentId, npn, firstName, lastName, isArchived, authority } = agent;
  return {
    party: 'agent' as const,
    agentId,
    firstName,
    lastName,
    holderNpn: npn,
    coverage,
    name: `Agent ${npn}`,
    ownWord: { isArchived, authority },
    /** Associations under which the agent works now. */
    associationIds: associationIdsOf(agent),
  };
}

const agencyOf = (
  { _id: associationId, downstreamEntityId, status, agency }: StoredAssociation,
  coverage: Coverage,
) => ({
  associationId,
  downstreamEntityId,
  /** Whether the association is `active` now. */
  isActive: status === 'active',
  /** Null of an agency without one. */
  holderNpn: agency.npn,
  party: { party: 'agency' as const, coverage, npn: npnOf(agency) },
});

/** Reads, for one request, the live associations with the agencies of policies, by the beginnings of their `agencySort`s. */
function associationsOfSorts(
  associations: Table<'by-npn'>,
  owner: string,
): FindAll<readonly StoredAssociation[]> {
  return remembering(async (sorts) => {
    const references = sorts.map((sort) => [sort, agencyOfSort(sort)] as const);
    const keys = references.flatMap(([, reference]) =>
      'associationId' in reference ? [associationKeys.association(owner, reference.associationId)] : [],
    );
    const associationOf = await associations.getByKey(storedAssociation, keys, { consistent: false });
    const fittingOf = async (reference: AgencyReference): Promise<readonly StoredAssociation[]> => {
      if ('npn' in reference) return collect(associationsOfNpn(associations, owner, reference.npn));
      if (!('associationId' in reference)) return [];
      const association = associationOf(associationKeys.association(owner, reference.associationId));
      return association !== undefined && isLive(association) ? [association] : [];
    };
    return mapConcurrently(
      references,
      async ([sort, reference]) => [sort, await fittingOf(reference)] as const,
    );
  });
}
