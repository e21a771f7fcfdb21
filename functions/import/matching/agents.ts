import * as z from 'zod/mini';
import { agentKeys, agentOfNpn, type StoredAgent, storedAgent } from '#domain/agents/stored.ts';
import { comparablePeople, mayBeSamePerson } from '#domain/identifiers/comparable-names.ts';
import { comparableNpn } from '#domain/identifiers/identifiers.ts';
import { type AgentEvidence, agentRules } from '#domain/matching/rules.ts';
import type { PolicyTransaction } from '#domain/policies/resource.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import {
  type Candidate,
  decide,
  differs,
  type Evidence,
  type MatchedFields,
  type NpnsOfLicense,
  textOf,
} from './decide.ts';

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
