import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AgentItem } from '../../shared/domain/agents/resource.ts';
import {
  agentKeys,
  agentLink,
  agentPartitions,
  npnHolder,
  type StoredAgent,
  storedAgent,
} from '../../shared/domain/agents/stored.ts';
import { agentView } from '../../shared/domain/agents/view.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import {
  changedSince,
  isUnchangedSince,
  keysOf,
  tombstone,
} from '../../shared/platform/changes/change-index.ts';
import type { DeletedRecord } from '../../shared/platform/contract/updated-since.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { itemsInOrder } from '../../shared/platform/data/item-page.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';

/** Filters of an agent list; `npn`, license and `email` exclude each other, and the association combines with each. */
export interface AgentFilters {
  readonly downstreamEntityAssociationId?: string | undefined;
  readonly npn?: string | undefined;
  readonly license?: { readonly stateCode: string; readonly licenseNumber: string } | undefined;
  readonly email?: string | undefined;
}

/** Reads of one owner's agents; those of another organization cannot even be addressed. */
export interface AgentStore {
  /** Every agent that matches, one database page at a time, each with the owner's subscription of its NPN. */
  list(owner: string, filters: AgentFilters): AsyncIterable<AgentItem[]>;
  /**
   * The agents that changed at a time (`toISOString`) or later, deleted ones too, and those whose subscription did, one
   * database page at a time.
   */
  changedSince(owner: string, since: string): AsyncIterable<(AgentItem | DeletedRecord)[]>;
  /** An agent that is not soft-deleted. */
  find(owner: string, agentId: string): Promise<StoredAgent | undefined>;
}

/** Agents read at once by a list; see the policies' store. */
const agentsAtOnce = 400;

/** Links read at once: what they lead to is one batch. */
const linksAtOnce = batchGetKeys;

export function createAgentStore(
  client: DynamoDBClient,
  table: string,
  registryRecords: RegistryRecords,
): AgentStore {
  async function* pages(
    query: Omit<QueryCommandInput, 'TableName'>,
  ): AsyncGenerator<Record<string, unknown>[]> {
    for await (const items of queryPages(client, { TableName: table, ...query })) {
      yield items.map((item) => unmarshall(item));
    }
  }

  const partition = (pk: string, Limit: number) =>
    pages({ Limit, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: toItem({ ':pk': pk }) });

  const live = (items: readonly Record<string, unknown>[]): StoredAgent[] =>
    items.map((item) => parseStored(storedAgent, item)).filter(({ isDeleted }) => !isDeleted);

  /** Returns agents after reading their subscriptions. */
  async function shown(owner: string, agents: readonly StoredAgent[]): Promise<AgentItem[]> {
    const subscriptions = await registryRecords.subscriptionsOf(
      owner,
      agents.map(({ npn }) => npn),
    );
    return agents.map((agent) => agentView(agent, subscriptions.get(agent.npn)));
  }

  /** All agents, by id. Only an agent's item contains its NPN, so its subscription takes a second read. */
  async function* all(owner: string): AsyncGenerator<AgentItem[]> {
    for await (const items of partition(agentKeys.agent(owner, '').pk, agentsAtOnce))
      yield shown(owner, live(items));
  }

  /** The agents of a partition of links; a link has the NPN, so agents and subscriptions are read at once. */
  async function* linked(owner: string, pk: string): AsyncGenerator<AgentItem[]> {
    for await (const items of partition(pk, linksAtOnce)) {
      const links = items.map((item) => parseStored(agentLink, item));
      const keys = links.map(({ sk }) => agentKeys.agent(owner, sk));
      const [agents, subscriptions] = await Promise.all([
        batchGet(client, table, keys, { consistent: false }),
        registryRecords.subscriptionsOf(
          owner,
          links.map(({ npn }) => npn),
        ),
      ]);
      yield live(agents)
        .sort((one, other) => (one._id < other._id ? -1 : 1))
        .map((agent) => agentView(agent, subscriptions.get(agent.npn)));
    }
  }

  /** The agent with an NPN, of which there is at most one, and its subscription, read at once. */
  async function ofNpn(owner: string, npn: string): Promise<AgentItem[]> {
    const query = {
      IndexName: 'by-npn',
      KeyConditionExpression: 'npnKey = :npn',
      ExpressionAttributeValues: toItem({ ':npn': agentPartitions.ofNpn(owner, npn) }),
    };
    const subscribed = registryRecords.subscriptionsOf(owner, [npn]);
    const [subscriptions, items] = await Promise.all([subscribed, collect(pages(query))]);
    return live(items).map((agent) => agentView(agent, subscriptions.get(npn)));
  }

  /** Agents of the NPNs that hold a license of that number in that state. */
  async function* ofLicense(
    owner: string,
    { stateCode, licenseNumber }: NonNullable<AgentFilters['license']>,
  ): AsyncGenerator<AgentItem[]> {
    const npns = await registryRecords.npnsOfLicense(owner, stateCode, licenseNumber);
    for (const npn of npns) yield ofNpn(owner, npn);
  }

  /** The items of the agents that hold these NPNs. */
  async function holdersOf(owner: string, npns: readonly string[]): Promise<Record<string, unknown>[]> {
    const keys = npns.map((npn) => agentKeys.npn(owner, npn));
    const holders = await batchGet(client, table, keys, { consistent: false });
    const ids = holders.map((holder) => parseStored(npnHolder, holder).agentId);
    return itemsInOrder(
      client,
      table,
      ids.map((agentId) => agentKeys.agent(owner, agentId)),
    );
  }

  async function* selected(owner: string, filters: AgentFilters): AsyncGenerator<AgentItem[]> {
    const { npn, license, email, downstreamEntityAssociationId } = filters;
    if (npn !== undefined) yield ofNpn(owner, npn);
    else if (license !== undefined) yield* ofLicense(owner, license);
    else if (email !== undefined) yield* linked(owner, agentKeys.byEmail(owner, email, '').pk);
    else if (downstreamEntityAssociationId === undefined) yield* all(owner);
    else yield* linked(owner, agentKeys.atAssociation(owner, downstreamEntityAssociationId, '').pk);
  }

  return {
    async *list(owner, filters) {
      const { downstreamEntityAssociationId: associationId } = filters;
      for await (const items of selected(owner, filters)) {
        yield associationId === undefined
          ? items
          : items.filter(({ agent }) => agent.downstreamEntityAgentAssociationIds.includes(associationId));
      }
    },

    async *changedSince(owner, since) {
      const agents = changedSince(client, table, owner, since);
      const npns = registryRecords.npnsChangedSince(owner, since);
      for await (const entries of agents) {
        const items = await itemsInOrder(client, table, keysOf(entries));
        const gone = items.filter(({ isDeleted }) => isDeleted === true);
        yield [...(await shown(owner, live(items))), ...gone.map(tombstone)];
      }
      for await (const some of npns) {
        const items = (await holdersOf(owner, some)).filter(isUnchangedSince(since));
        yield shown(owner, live(items));
      }
    },

    async find(owner, agentId) {
      const key = agentKeys.agent(owner, agentId);
      const found = await getItem(client, table, key, storedAgent, { consistent: false });
      return found?.isDeleted === true ? undefined : found;
    },
  };
}
