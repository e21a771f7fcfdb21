import * as z from 'zod/mini';
import { agentNameKey, agentNameValues } from '../../../shared/domain/agents/names.ts';
import { agentKeys, npnHolder, type StoredAgent, storedAgent } from '../../../shared/domain/agents/stored.ts';
import { comparableNpn } from '../../../shared/domain/identifiers/npn.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { Table } from '../../../shared/platform/data/table.ts';
import type { NpnsOfLicense } from './licenses.ts';
import { given, type MatchedFields } from './transaction.ts';

/** The agents that the evidence of some transactions finds; those of a name are everywhere at the owner's agencies. */
export type FoundAgents = Awaited<ReturnType<typeof readAgents>>;

/** The agents that a name finds; none where the last one has left. */
const agentsOfName = storedItem('agents/agents-of-name', () => ({
  sk: z.string(),
  agentIds: z._default(z.set(objectId), new Set()),
}));

export const licenseOfAgent = (fields: MatchedFields) => ({
  number: fields.agentLicenseNumber,
  state: fields.agentLicensedState,
});

/** Reads what the evidence of transactions finds among an owner's live agents, by key: each piece of evidence once, in two rounds. */
export async function readAgents(
  table: Table,
  owner: string,
  transactions: readonly MatchedFields[],
  npnsOf: NpnsOfLicense,
) {
  const npns = transactions.flatMap((one) =>
    [given(one.agentNpn, comparableNpn) ?? [], npnsOf(licenseOfAgent(one))].flat(),
  );
  const names = transactions.flatMap(({ agentName }) => agentNameValues(agentName));
  const [holders, named] = await Promise.all([
    table.getAll(
      npnHolder,
      npns.map((npn) => agentKeys.npn(owner, npn)),
    ),
    table.getAll(
      agentsOfName,
      names.map((name) => agentNameKey(owner, name)),
    ),
  ]);
  const idOfNpn = new Map(holders.map(({ sk, agentId }) => [sk, agentId]));
  const idsOfName = new Map(named.map(({ sk, agentIds }) => [sk, agentIds]));
  const ids = new Set([...idOfNpn.values(), ...[...idsOfName.values()].flatMap((some) => [...some])]);
  const agents = await readAgentsOf(table, owner, ids);
  return {
    ofNpn: (written: string | undefined) =>
      agents.get(idOfNpn.get(given(written, comparableNpn) ?? '') ?? ''),
    ofName(written: string | undefined): readonly StoredAgent[] {
      const found = agentNameValues(written).flatMap((name) => [...(idsOfName.get(name) ?? [])]);
      return Array.from(new Set(found), (id) => agents.get(id) ?? []).flat();
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
  return new Map(agents.map((one) => [one._id, one]));
}
