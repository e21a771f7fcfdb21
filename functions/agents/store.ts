import type { AgentItem } from '#domain/agents/resource.ts';
import {
  agentKeys,
  agentLink,
  agentOfNpn,
  agentsOfNpn,
  agentView,
  type StoredAgent,
  storedAgent,
} from '#domain/agents/stored.ts';
import type { RegistryRecords } from '#domain/registry-records/store.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { isUnchangedSince, itemsChangedSince, tombstone } from '#platform/changes/change-index.ts';
import { type DeletedRecord, given, type updatedSinceQuery } from '#platform/contract/list-queries.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { ApiRequest } from '#platform/request/endpoint.ts';
import type { agentRoutes } from './routes.ts';

/**
 * Filters of an agent list; `npn`, license, `email` and `externalId` exclude each other, and the association combines with each.
 */
export type AgentFilters = Omit<
  ApiRequest<typeof agentRoutes.routes.listAgents>['query'],
  keyof typeof updatedSinceQuery.shape
>;

/** Agents read at once by a list; see the policies' store. */
const agentsAtOnce = 400;

/** An agent, and when it changed last. */
const changedAgent = storedItem('agents/changed-agent', { ...storedAgent.shape, changedAt: timestamp });

/** Links read at once: what they lead to is one batch. */
const linksAtOnce = batchGetKeys;

/** Reads of one owner's agents; those of another organization cannot even be addressed. */
export function createAgentStore(table: Table<'by-npn' | 'by-change'>, registryRecords: RegistryRecords) {
  const live = (agents: readonly StoredAgent[]): StoredAgent[] =>
    agents.filter(({ isDeleted }) => !isDeleted);

  /** Returns agents after reading their subscriptions. */
  async function shownAgents(owner: string, agents: readonly StoredAgent[]): Promise<AgentItem[]> {
    const subscriptions = await registryRecords.subscriptionsOf(
      owner,
      agents.map(({ npn }) => npn),
    );
    return agents.map((agent) => agentView(agent, subscriptions.get(agent.npn)));
  }

  /** All agents, by id. Only an agent's item contains its NPN, so its subscription takes a second read. */
  async function* allAgents(owner: string): AsyncGenerator<AgentItem[]> {
    const { pk } = agentKeys.agent(owner, '');
    for await (const agents of table.query(storedAgent, pk, { limit: agentsAtOnce }))
      yield shownAgents(owner, live(agents));
  }

  /** The agents of a partition of links; a link has the NPN, so agents and subscriptions are read at once. */
  async function* linkedAgents(owner: string, pk: string): AsyncGenerator<AgentItem[]> {
    for await (const links of table.query(agentLink, pk, { limit: linksAtOnce })) {
      const keys = links.map(({ sk }) => agentKeys.agent(owner, sk));
      const [agents, subscriptions] = await Promise.all([
        table.getAll(storedAgent, keys, { consistent: false }),
        registryRecords.subscriptionsOf(
          owner,
          links.map(({ npn }) => npn),
        ),
      ]);
      const inOrder = live(agents).sort((first, second) => (first._id < second._id ? -1 : 1));
      yield inOrder.map((agent) => agentView(agent, subscriptions.get(agent.npn)));
    }
  }

  /** The agent with an NPN, of which there is at most one, and its subscription, read at once. */
  async function* ofNpn(owner: string, npn: string): AsyncGenerator<AgentItem[]> {
    const [subscriptions, agents] = await Promise.all([
      registryRecords.subscriptionsOf(owner, [npn]),
      agentsOfNpn(table, owner, npn),
    ]);
    yield live(agents).map((agent) => agentView(agent, subscriptions.get(npn)));
  }

  /** Agents of the NPNs that hold a license of that number in that state. */
  async function* ofLicense(
    owner: string,
    stateCode: string,
    licenseNumber: string,
  ): AsyncGenerator<AgentItem[]> {
    const npns = await registryRecords.npnsOfLicense(owner, stateCode, licenseNumber);
    for (const npn of npns) yield* ofNpn(owner, npn);
  }

  /** The agents that hold these NPNs; deleted ones hold none. */
  async function holdersOf(owner: string, npns: readonly string[]) {
    const keys = npns.map((npn) => agentKeys.npn(owner, npn));
    const holders = await table.getAll(agentOfNpn, keys, { consistent: false });
    return table.getInOrder(
      changedAgent,
      holders.map(({ agentId }) => agentKeys.agent(owner, agentId)),
    );
  }

  /** The agents that the first of the given filters selects; a filter that selects nothing does not compile. */
  function selectedAgents(owner: string, filters: AgentFilters): AsyncIterable<AgentItem[]> {
    const { npn, licenseNumber, stateCode, email, externalId, downstreamEntityAssociationId } = filters;
    const selections: Record<keyof AgentFilters, AsyncIterable<AgentItem[]> | undefined> = {
      npn: given(npn, (value) => ofNpn(owner, value)),
      licenseNumber: given(licenseNumber, (number) =>
        given(stateCode, (state) => ofLicense(owner, state, number)),
      ),
      // It comes with the number of a license.
      stateCode: undefined,
      email: given(email, (address) => linkedAgents(owner, agentKeys.byEmail(owner, address, '').pk)),
      externalId: given(externalId, (id) => linkedAgents(owner, agentKeys.byExternalId(owner, id, '').pk)),
      downstreamEntityAssociationId: given(downstreamEntityAssociationId, (id) =>
        linkedAgents(owner, agentKeys.atAssociation(owner, id, '').pk),
      ),
    };
    return Object.values(selections).find((agents) => agents !== undefined) ?? allAgents(owner);
  }

  return {
    /** Every agent that matches, one database page at a time, each with the owner's subscription of its NPN. */
    async *list(owner: string, filters: AgentFilters): AsyncIterable<AgentItem[]> {
      const { downstreamEntityAssociationId: associationId } = filters;
      for await (const items of selectedAgents(owner, filters)) {
        yield associationId === undefined
          ? items
          : items.filter(({ agent }) => agent.downstreamEntityAgentAssociationIds.includes(associationId));
      }
    },

    /**
     * The agents that changed at a time (`toISOString`) or later, deleted ones too, and those whose subscription did, one
     * database page at a time.
     */
    async *itemsChangedSince(owner: string, since: string): AsyncIterable<(AgentItem | DeletedRecord)[]> {
      const changedKeys = itemsChangedSince(table, owner, since);
      const npns = registryRecords.npnsChangedSince(owner, since);
      for await (const keys of changedKeys) {
        const agents = await table.getInOrder(changedAgent, keys);
        const deletedAgents = agents.filter(({ isDeleted }) => isDeleted);
        yield [...(await shownAgents(owner, live(agents))), ...deletedAgents.map(tombstone)];
      }
      for await (const npnsOfPage of npns) {
        const agents = (await holdersOf(owner, npnsOfPage)).filter(isUnchangedSince(since));
        yield shownAgents(owner, live(agents));
      }
    },

    /** An agent that is not soft-deleted. */
    async find(owner: string, agentId: string): Promise<StoredAgent | undefined> {
      const key = agentKeys.agent(owner, agentId);
      const agent = await table.get(storedAgent, key, { consistent: false });
      return agent?.isDeleted === true ? undefined : agent;
    },
  };
}
