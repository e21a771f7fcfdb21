import * as z from 'zod/mini';
import { agentKeys, agentOfNpn, type StoredAgent, storedAgent } from '#domain/agents/stored.ts';
import { type AgencyEvidenceKind, evidenceKey, evidenceValues } from '#domain/associations/match-evidence.ts';
import {
  associationKeys,
  associationsOfEntity,
  codeOwner,
  isLive,
  type StoredAssociation,
  storedAssociation,
} from '#domain/associations/stored.ts';
import {
  comparableName,
  comparablePeople,
  mayBeSameCompany,
  mayBeSamePerson,
} from '#domain/identifiers/comparable-names.ts';
import { comparableNpn } from '#domain/identifiers/identifiers.ts';
import { type AgencyEvidence, type AgentEvidence, agencyRules, agentRules } from '#domain/matching/rules.ts';
import type { PolicyTransaction } from '#domain/policies/resource.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Key, Table } from '#platform/data/table.ts';
import {
  type Candidate,
  decide,
  differs,
  type Evidence,
  type MatchedFields,
  type NamedAgency,
  type NpnsOfLicense,
  textOf,
} from './decide.ts';

/**
 * The associations that the evidence of some transactions finds. All of an agency are found by its evidence, but for the producer
 * code.
 */
type FoundAgencies = Awaited<ReturnType<typeof readAgencies>>;

/** The live associations of a carrier that a value finds; none where the last one has left. */
const storedEvidence = storedItem('associations/evidence', {
  associationIds: z._default(z.set(objectId), new Set()),
});

/** The evidence by which agencies are found, of one transaction. */
const writtenEvidence = (
  fields: MatchedFields,
  npnsOf: NpnsOfLicense,
): readonly (readonly [AgencyEvidenceKind, string | undefined])[] => [
  ['NPN', fields.agencyNpn],
  ...npnsOf(licenseOfAgency(fields)).map((npn) => ['NPN', npn] as const),
  ['EIN', fields.agencyFein],
  ['NAME', fields.agencyName],
];

export const licenseOfAgency = (fields: MatchedFields) => ({
  number: fields.agencyLicenseNumber,
  state: fields.agencyLicensedStateCode,
});

/**
 * Reads what the evidence of transactions finds among an owner's live associations, by key: each piece of evidence once, in two
 * rounds.
 */
export async function readAgencies(
  table: Table,
  owner: string,
  transactions: readonly (MatchedFields & NamedAgency)[],
  npnsOf: NpnsOfLicense,
) {
  const keysOf = (kind: AgencyEvidenceKind, text: string | undefined) =>
    evidenceValues(kind, text).map((value) => evidenceKey(owner, kind, value));
  const codeKeysOf = (text: string | undefined) => {
    const code = textOf(text);
    return code === undefined ? [] : [associationKeys.producerCode(owner, code)];
  };
  const evidenceKeys = transactions.flatMap((transaction) =>
    writtenEvidence(transaction, npnsOf).flatMap(([kind, value]) => keysOf(kind, value)),
  );
  const codeKeys = transactions.flatMap(({ producerCode }) => codeKeysOf(producerCode));
  const namedIds = transactions.flatMap(({ downstreamEntityId }) => downstreamEntityId ?? []);
  const [evidenceAt, holderAt, entities] = await Promise.all([
    table.getByKey(storedEvidence, evidenceKeys),
    table.getByKey(codeOwner, codeKeys),
    table.getAll(
      associationsOfEntity,
      namedIds.map((id) => associationKeys.ofEntity(owner, id)),
    ),
  ]);
  const idsAt = (key: Key): readonly string[] => [
    ...(evidenceAt(key)?.associationIds ?? []),
    ...[holderAt(key)?.associationId ?? []].flat(),
  ];
  const ids = new Set([
    ...[...evidenceKeys, ...codeKeys].flatMap(idsAt),
    ...entities.flatMap(({ associationIds }) => [...associationIds]),
    ...transactions.flatMap(({ upstreamDownstreamAssociationId: id }) => id ?? []),
  ]);
  const keys = Array.from(ids, (id) => associationKeys.association(owner, id));
  const live = (await table.getAll(storedAssociation, keys)).filter(isLive);
  const byId = new Map(live.map((association) => [association._id, association]));
  const byAgency = Map.groupBy(live, ({ downstreamEntityId }) => downstreamEntityId);
  const associationsAt = (keys: readonly Key[]): StoredAssociation[] =>
    Array.from(new Set(keys.flatMap(idsAt)), (id) => byId.get(id) ?? []).flat();
  return {
    ofCode: (text: string | undefined): readonly StoredAssociation[] => associationsAt(codeKeysOf(text)),
    ofEvidence: (kind: AgencyEvidenceKind, text: string | undefined): readonly StoredAssociation[] =>
      associationsAt(keysOf(kind, text)),
    /** The association that a record names. */
    ofId: (id: string | undefined) => (id === undefined ? undefined : byId.get(id)),
    /** Associations of an agency, found by any evidence. */
    ofAgency: (id: string): readonly StoredAssociation[] => byAgency.get(id) ?? [],
  };
}

/** Fields of a transaction about its matched agency. */
export type AgencyMatch = Pick<
  PolicyTransaction,
  'entityMatchStatus' | 'downstreamEntityId' | 'upstreamDownstreamAssociationId' | 'entityMatchConfidence'
>;

const agenciesOf = (associations: readonly StoredAssociation[]): ReadonlySet<string> =>
  new Set(associations.map(({ downstreamEntityId }) => downstreamEntityId));

function evidenceOf(
  fields: MatchedFields,
  foundAgencies: FoundAgencies,
  npnsOf: NpnsOfLicense,
): Evidence<AgencyEvidence>[] {
  const ofLicense = npnsOf(licenseOfAgency(fields)).flatMap((npn) => foundAgencies.ofEvidence('NPN', npn));
  const associations: Readonly<Record<AgencyEvidence, readonly StoredAssociation[]>> = {
    producerCode: foundAgencies.ofCode(fields.producerCode),
    npn: foundAgencies.ofEvidence('NPN', fields.agencyNpn),
    fein: foundAgencies.ofEvidence('EIN', fields.agencyFein),
    license: ofLicense,
    name: foundAgencies.ofEvidence('NAME', fields.agencyName),
  };
  const names = Object.keys(agencyRules) as AgencyEvidence[];
  return names.map((name) => ({
    name,
    confidence: agencyRules[name].confidence,
    fits: agenciesOf(associations[name]),
  }));
}

/** Decides which of an owner's agencies and associations a transaction is about (OpenAPI, "Matching"). */
export function matchAgency(
  fields: MatchedFields & NamedAgency,
  foundAgencies: FoundAgencies,
  npnsOf: NpnsOfLicense,
): AgencyMatch {
  const { downstreamEntityId, upstreamDownstreamAssociationId } = fields;
  if (upstreamDownstreamAssociationId !== undefined) {
    const association = foundAgencies.ofId(upstreamDownstreamAssociationId);
    const isKnown =
      association !== undefined &&
      (downstreamEntityId ?? association.downstreamEntityId) === association.downstreamEntityId;
    return isKnown
      ? matchOf(association.downstreamEntityId, association, 1)
      : { entityMatchStatus: 'manual review', ...namedIdsOf(fields) };
  }
  if (downstreamEntityId !== undefined) {
    return foundAgencies.ofAgency(downstreamEntityId).length === 0
      ? { entityMatchStatus: 'manual review', ...namedIdsOf(fields) }
      : matchOf(downstreamEntityId, associationAt(downstreamEntityId, fields, foundAgencies), 1);
  }
  const isDisputed = (id: string): boolean => {
    const agencyName = textOf(fields.agencyName);
    return foundAgencies
      .ofAgency(id)
      .some(
        ({ agency: { npn, ein, legalName } }) =>
          differs(fields.agencyNpn, npn, comparableNpn) ||
          differs(fields.agencyFein, ein) ||
          (agencyName !== undefined && !mayBeSameCompany(agencyName, legalName)),
      );
  };
  const { sure, candidates } = decide(evidenceOf(fields, foundAgencies, npnsOf), isDisputed);
  if (sure !== undefined)
    return matchOf(sure.id, associationAt(sure.id, fields, foundAgencies), sure.confidence);
  const [best] = candidates;
  return best === undefined
    ? { entityMatchStatus: 'unmatched' }
    : { entityMatchStatus: 'manual review', entityMatchConfidence: best.confidence };
}

/** The ids that a record names itself. */
const namedIdsOf = ({ downstreamEntityId, upstreamDownstreamAssociationId }: NamedAgency): NamedAgency => ({
  ...(downstreamEntityId === undefined ? {} : { downstreamEntityId }),
  ...(upstreamDownstreamAssociationId === undefined ? {} : { upstreamDownstreamAssociationId }),
});

/** An agency that is sure; whether its association is, too, decides about the review. */
const matchOf = (
  downstreamEntityId: string,
  association: StoredAssociation | undefined,
  entityMatchConfidence: number,
): AgencyMatch => ({
  entityMatchStatus: association === undefined ? 'manual review' : 'auto matched',
  downstreamEntityId,
  ...(association === undefined ? {} : { upstreamDownstreamAssociationId: association._id }),
  entityMatchConfidence,
});

/** The agency's association that a transaction is about: that of its code, else of its branch, else the one without a branch. */
function associationAt(
  downstreamEntityId: string,
  { producerCode, branchName }: MatchedFields,
  foundAgencies: FoundAgencies,
): StoredAssociation | undefined {
  const isOfAgency = (association: StoredAssociation) =>
    association.downstreamEntityId === downstreamEntityId;
  const [ofCode] = foundAgencies.ofCode(producerCode).filter(isOfAgency);
  if (ofCode !== undefined) return ofCode;
  const associations = foundAgencies.ofAgency(downstreamEntityId);
  const branches = associations.filter(
    (association) => textOf(association.branchName ?? undefined) !== undefined,
  );
  const writtenBranch = textOf(branchName);
  const candidates =
    writtenBranch === undefined || branches.length === 0
      ? associations.filter((association) => !branches.includes(association))
      : branches.filter(
          (branch) => comparableName(branch.branchName ?? '') === comparableName(writtenBranch),
        );
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** The key of the agents that a name finds. */
export const agentNameKey = (owner: string, value: string) => ({ pk: `${owner}#NAME`, sk: value });

/** The keys by which agents of a name are found: several for a name with hyphens, none for one without letters. */
const agentNameValues = (name: string | undefined): string[] =>
  comparablePeople(name ?? '')
    .map((value) => value.slice(0, longestName))
    .filter((value) => value !== '');

/** The names that find an agent. Spaces within the first or the last name count as hyphens, in place of which people write them. */
export const namesOfAgent = ({
  firstName,
  lastName,
}: Pick<StoredAgent, 'firstName' | 'lastName'>): string[] =>
  agentNameValues([firstName, lastName].map((name) => name.trim().replace(/\s+/g, '-')).join(' '));

/** A name is a sort key of at most 1,024 bytes. */
const longestName = 200;

/** The agents that the evidence of some transactions finds; those of a name are everywhere at the owner's agencies. */
type FoundAgents = Awaited<ReturnType<typeof readAgents>>;

/** The agents that a name finds; none where the last one has left. */
const agentsOfName = storedItem('agents/agents-of-name', {
  sk: z.string(),
  agentIds: z._default(z.set(objectId), new Set()),
});

export const licenseOfAgent = (fields: MatchedFields) => ({
  number: fields.agentLicenseNumber,
  state: fields.agentLicensedState,
});

/**
 * Reads what the evidence of transactions finds among an owner's live agents, by key: each piece of evidence once, in two rounds.
 */
export async function readAgents(
  table: Table,
  owner: string,
  transactions: readonly MatchedFields[],
  npnsOf: NpnsOfLicense,
) {
  const npns = transactions.flatMap((transaction) =>
    [textOf(transaction.agentNpn, comparableNpn) ?? [], npnsOf(licenseOfAgent(transaction))].flat(),
  );
  const names = transactions.flatMap(({ agentName }) => agentNameValues(agentName));
  const [holders, nameItems] = await Promise.all([
    table.getAll(
      agentOfNpn,
      npns.map((npn) => agentKeys.npn(owner, npn)),
    ),
    table.getAll(
      agentsOfName,
      names.map((name) => agentNameKey(owner, name)),
    ),
  ]);
  const idOfNpn = new Map(holders.map(({ sk, agentId }) => [sk, agentId]));
  const idsOfName = new Map(nameItems.map(({ sk, agentIds }) => [sk, agentIds]));
  const ids = new Set([...idOfNpn.values(), ...[...idsOfName.values()].flatMap((itemIds) => [...itemIds])]);
  const agents = await readAgentsOf(table, owner, ids);
  return {
    ofNpn: (text: string | undefined) => agents.get(idOfNpn.get(textOf(text, comparableNpn) ?? '') ?? ''),
    ofName(text: string | undefined): readonly StoredAgent[] {
      const foundIds = agentNameValues(text).flatMap((name) => [...(idsOfName.get(name) ?? [])]);
      return Array.from(new Set(foundIds), (id) => agents.get(id) ?? []).flat();
    },
    ofId: (id: string) => agents.get(id),
  };
}

/** The live agents of an owner among these ids, by id. */
export async function readAgentsOf(
  table: Table,
  owner: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, StoredAgent>> {
  const keys = Array.from(ids, (id) => agentKeys.agent(owner, id));
  const agents = (await table.getAll(storedAgent, keys)).filter(({ isDeleted }) => !isDeleted);
  return new Map(agents.map((agent) => [agent._id, agent]));
}

/** Fields of a transaction about its matched agents. */
export type AgentMatch = Pick<PolicyTransaction, 'agentMatchStatus' | 'matchedAgents'>;

/** People of one name that a transaction lists for a person to decide among. */
const mostCandidates = 10;

/**
 * Decides which of an owner's agents sold a policy (OpenAPI, "Matching").
 * @param atAgency whether an agent works at the matched agency; by name alone, nobody else is found.
 */
export function matchAgents(
  fields: MatchedFields,
  foundAgents: FoundAgents,
  npnsOf: NpnsOfLicense,
  atAgency: (agent: StoredAgent) => boolean,
  matchedAt: string,
): AgentMatch {
  const agents: Readonly<Record<AgentEvidence, readonly (StoredAgent | undefined)[]>> = {
    npn: [foundAgents.ofNpn(fields.agentNpn)],
    license: npnsOf(licenseOfAgent(fields)).map((npn) => foundAgents.ofNpn(npn)),
    name: foundAgents.ofName(fields.agentName).filter(atAgency),
  };
  const evidence = (Object.keys(agentRules) as AgentEvidence[]).map(
    (name): Evidence<AgentEvidence> => ({
      name,
      confidence: agentRules[name].confidence,
      fits: new Set(agents[name].flatMap((agent) => agent?._id ?? [])),
    }),
  );
  const isDisputed = (id: string): boolean => {
    const [agentName, agent] = [textOf(fields.agentName), foundAgents.ofId(id)];
    return (
      agent !== undefined &&
      (differs(fields.agentNpn, agent.npn, comparableNpn) ||
        (agentName !== undefined && !mayBeSamePerson(agentName, agent)))
    );
  };
  const { sure, candidates } = decide(evidence, isDisputed);
  const listEntry = ({ id, evidence, confidence }: Candidate<AgentEvidence>) => ({
    agentId: id,
    matchSource: evidence,
    matchConfidence: confidence,
    matchedAt,
  });
  if (sure !== undefined) return { agentMatchStatus: 'auto matched', matchedAgents: [listEntry(sure)] };
  return {
    agentMatchStatus: candidates.length === 0 ? 'unmatched' : 'manual review',
    matchedAgents: candidates.slice(0, mostCandidates).map(listEntry),
  };
}
