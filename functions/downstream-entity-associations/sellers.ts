import { agentKeys, storedAgent } from '../../shared/domain/agents/stored.ts';
import { type Coverage, coverageOf } from '../../shared/domain/decision/coverage.ts';
import type { PolicyParty } from '../../shared/domain/decision/policy.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** An agent who sold policies. */
export interface Seller extends PolicyParty {
  readonly party: 'agent';
  readonly agentId: string;
  /** Whether the agent works under the association now. */
  readonly isStillThere: boolean;
}

/** Finds agents by their ids, each read once, with what is recorded of their licenses and appointments. */
export type SellersOf = (agentIds: Iterable<string>) => Promise<ReadonlyMap<string, Seller>>;

/** Agents whose records are read at once. */
const concurrency = 8;

/** For one request: an owner's agents as one association has them, as known at a moment. */
export type CreateSellersOf = (owner: string, associationId: string, knownAt: string) => SellersOf;

export const createSellersOf =
  (agentsTable: Table, recordedFacts: RecordedFacts): CreateSellersOf =>
  (owner, associationId, knownAt) => {
    const known = new Map<string, Seller>();
    const read = async (ids: readonly string[]): Promise<void> => {
      const keys = ids.map((id) => agentKeys.agent(owner, id));
      const agents = await agentsTable.getAll(storedAgent, keys, { consistent: false });
      await mapConcurrently(agents, concurrency, async (agent) => {
        const { _id: agentId, npn, isDeleted, downstreamEntityAssociationIds } = agent;
        const coverage: Coverage = coverageOf(await recordedFacts.factsOf(owner, npn), knownAt);
        const isStillThere = !isDeleted && downstreamEntityAssociationIds.includes(associationId);
        known.set(agentId, { party: 'agent', agentId, coverage, name: `Agent ${npn}`, isStillThere });
      });
    };
    return async (agentIds) => {
      const missing = new Set([...agentIds].filter((id) => !known.has(id)));
      if (missing.size > 0) await read([...missing]);
      return known;
    };
  };
