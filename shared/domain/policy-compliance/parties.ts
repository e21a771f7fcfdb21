import { lazily } from '#platform/contract/lazily.ts';
import { type FindAll, remembering } from '#platform/data/caches.ts';
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
import type { DecisionSources } from '../compliance/sources.ts';
import { npnOf } from '../compliance/status.ts';
import type { Coverage } from '../decision/coverage.ts';
import type { SaleParty } from '../decision/sale.ts';
import { type AgencyReference, agencyOfSort } from '../policies/keys.ts';
import type { License } from '../registry/resources.ts';
import { noCoverage } from '../registry-records/store.ts';

/** Associations that are read at once. */
const concurrency = 16;

/** An agent who sold policies. */
export interface Seller extends SaleParty, Pick<StoredAgent, 'firstName' | 'lastName'> {
  readonly party: 'agent';
  readonly agentId: string;
  readonly holderNpn: string;
  /** Associations under which the agent works now. */
  readonly associationIds: readonly string[];
}

/** Reads, for one request, what is recorded of an owner's NPNs, as known at a moment, in one state and at home, or in all. */
export const coveragesOfNpns = (
  { recordedHolders, classKindsOf }: DecisionSources,
  owner: string,
  { knownThen }: Pick<Moment, 'knownThen'>,
  stateCode?: License['stateCode'],
): FindAll<Coverage> => {
  const classKinds = lazily(() => classKindsOf(owner));
  const statesOf = () => (stateCode === undefined ? undefined : [stateCode]);
  return remembering(async (npns) =>
    npns.length === 0
      ? []
      : recordedHolders.coveragesOf(owner, npns, { knownAt: knownThen, classKinds: classKinds(), statesOf }),
  );
};

/** Reads, for one request, an owner's agents by their ids, with what is recorded of their licenses and appointments. */
export const sellersOfIds = (
  agentsTable: Table,
  owner: string,
  coverages: FindAll<Coverage>,
): FindAll<Seller> =>
  remembering<Seller>(async (ids) => {
    const keys = ids.map((id) => agentKeys.agent(owner, id));
    const agents = await agentsTable.getAll(storedAgent, keys, { consistent: false });
    const coverageOfNpn = await coverages(agents.map(({ npn }) => npn));
    return agents.map((agent) => {
      const { _id: agentId, npn, firstName, lastName, isDeleted, isArchived, authority } = agent;
      const seller: Seller = {
        party: 'agent',
        agentId,
        firstName,
        lastName,
        holderNpn: npn,
        coverage: coverageOfNpn.get(npn) ?? noCoverage,
        name: `Agent ${npn}`,
        ownWord: { isArchived, authority },
        associationIds: isDeleted ? [] : agent.downstreamEntityAssociationIds,
      };
      return [agentId, seller] as const;
    });
  });

/** An agency that is judged for its policies, and the association with it. */
export interface Agency {
  readonly associationId: string;
  readonly downstreamEntityId: string;
  /** Whether the association is `active` now. */
  readonly isActive: boolean;
  /** Null of an agency without one. */
  readonly holderNpn: string | null;
  readonly party: SaleParty;
}

/** The agency of a policy or a sale; undefined where it is not known, and why nobody is judged, in a sentence for people. */
export interface AgencyOfPolicy {
  readonly agency: Agency | undefined;
  readonly why?: string;
}

export const noAgency: AgencyOfPolicy = {
  agency: undefined,
  why: 'There is no association with the agency.',
};

/** Reads, for one request, the agencies of policies, by the beginnings of their `agencySort`s. */
export const agenciesOfSorts = (
  associations: Table<'by-npn'>,
  owner: string,
  coverages: FindAll<Coverage>,
): FindAll<AgencyOfPolicy> =>
  remembering<AgencyOfPolicy>(async (sorts) => {
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
    const matches = await mapConcurrently(references, concurrency, async ([sort, reference]) => ({
      sort,
      fitting: await fittingOf(reference),
    }));
    const coverageOfNpn = await coverages(
      matches.flatMap(({ fitting }) => fitting.flatMap(({ agency: { npn } }) => npn ?? [])),
    );
    return matches.map(({ sort, fitting }): [string, AgencyOfPolicy] => {
      const [association, ...otherMatches] = fitting;
      if (association === undefined) return [sort, noAgency];
      if (otherMatches.length > 0) {
        return [sort, { agency: undefined, why: 'Several associations have the agency’s NPN.' }];
      }
      const { _id: associationId, downstreamEntityId, status } = association;
      const isActive = status === 'active';
      const { npn: holderNpn } = association.agency;
      const coverage = coverageOfNpn.get(holderNpn ?? '') ?? noCoverage;
      const party = { party: 'agency', coverage, npn: npnOf(association.agency) } as const;
      return [sort, { agency: { associationId, downstreamEntityId, isActive, holderNpn, party } }];
    });
  });

/**
 * Reads, for one request, the live associations with the agencies of policies, by agency: only of agencies for which an agent may
 * work under another branch than the policy's, since nearly all agents work under that.
 */
export function branchesOfPolicies(associations: Table, owner: string) {
  const branchesOf = remembering<ReadonlySet<string>>(async (agencyIds) => {
    const keys = agencyIds.map((id) => associationKeys.ofEntity(owner, id));
    const entities = await associations.getAll(associationsOfEntity, keys, { consistent: false });
    return entities.map(
      ({ downstreamEntityId, associationIds }) => [downstreamEntityId, associationIds] as const,
    );
  });
  return (policies: readonly (AgencyOfPolicy & { readonly sellers: readonly Seller[] })[]) =>
    branchesOf(
      policies.flatMap(({ agency, sellers }) =>
        agency !== undefined &&
        sellers.some(({ associationIds: ids }) => ids.length > 0 && !ids.includes(agency.associationId))
          ? agency.downstreamEntityId
          : [],
      ),
    );
}
