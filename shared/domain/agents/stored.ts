import * as z from 'zod/mini';
import { changeMark } from '#platform/changes/change-index.ts';
import { objectId, storedText } from '#platform/contract/primitives.ts';
import { collect } from '#platform/data/concurrently.ts';
import { sortText } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { npn } from '../identifiers/identifiers.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import { type AgentItem, agentItem, email } from './resource.ts';

const { agent, registryDataSubscription: _, ...ownFields } = agentItem.shape;
const { downstreamEntityAgentAssociationIds, ...personFields } = agent.shape;

/** An agent's item; its keys are described in `shared/domain/tables.ts`. */
export const storedAgent = storedItem('agents/agent', {
  ...ownFields,
  ...personFields,
  /** Further addresses, each with what it is for. */
  labeledEmails: z.array(z.object({ label: z.string(), email })),
  /** Associations that the agent works under. */
  downstreamEntityAssociationIds: downstreamEntityAgentAssociationIds,
  /** The agency's own entities that the agent works for. */
  downstreamEntityIds: z.array(objectId),
});

export type StoredAgent = z.output<typeof storedAgent>;

export const agentKeys = {
  agent: (owner: string, agentId: string) => ({ pk: `${owner}#AGENT`, sk: agentId }),
  npn: (owner: string, number: string) => ({ pk: `${owner}#NPN`, sk: number }),
  byEmail: (owner: string, address: string, agentId: string) => ({
    pk: `${owner}#EMAIL#${address.toLowerCase()}`,
    sk: agentId,
  }),
  /** Several agents may have one external id: it is whatever the organization gave them. */
  byExternalId: (owner: string, id: string, agentId: string) => ({
    pk: `${owner}#EXTERNAL_ID#${storedText(id)}`,
    sk: agentId,
  }),
  atAssociation: (owner: string, associationId: string, agentId: string) => ({
    pk: `${owner}#ASSOCIATION#${associationId}`,
    sk: agentId,
  }),
  atEntity: (owner: string, downstreamEntityId: string, agentId: string) => ({
    pk: `${owner}#ENTITY#${downstreamEntityId}`,
    sk: agentId,
  }),
};

/** Partitions of the table's indexes. */
export const agentPartitions = {
  all: (owner: string) => owner,
  ofEntity: (owner: string, downstreamEntityId: string) => `${owner}#${downstreamEntityId}`,
  ofNpn: (owner: string, number: string) => `${owner}#${number}`,
};

/** The holder of an NPN, which is in its key. */
export const agentOfNpn = storedItem('agents/agent-of-npn', { sk: z.string(), agentId: objectId });

/** The members of a link other than its key: enough to read the agent and its subscription at the same time. */
export const agentLink = storedItem('agents/link', { sk: objectId, npn });

/** The link of an external id: enough to check a sale without reading the agent. */
export const sellerLink = storedItem(
  'agents/seller-link',
  z.pick(storedAgent, {
    _id: true,
    npn: true,
    firstName: true,
    lastName: true,
    downstreamEntityAssociationIds: true,
    isArchived: true,
    authority: true,
  }).shape,
);

export type SellerLink = z.output<typeof sellerLink>;

const listSort = ({ _id, firstName, lastName }: StoredAgent): string =>
  `${sortText(`${lastName} ${firstName}`)}#${_id}`;

/** The item of an agent that changes now; a soft-deleted one is in no index but that of changes. */
export const itemOfAgent = (owner: string, agent: StoredAgent, now: Date): Record<string, unknown> => ({
  ...agentKeys.agent(owner, agent._id),
  ...(agent.isDeleted
    ? {}
    : {
        listKey: agentPartitions.all(owner),
        listSort: listSort(agent),
        npnKey: agentPartitions.ofNpn(owner, agent.npn),
      }),
  ...agent,
  ...changeMark(owner, agent._id, now),
});

/** The additional items that an agent is found by; a soft-deleted one has none. */
export function agentLinks(
  owner: string,
  agent: StoredAgent,
): ({ readonly pk: string; readonly sk: string } & Readonly<Record<string, unknown>>)[] {
  if (agent.isDeleted) return [];
  const { _id, externalId, firstName, lastName, downstreamEntityAssociationIds, isArchived, authority } =
    agent;
  const ofSeller = { _id, firstName, lastName, downstreamEntityAssociationIds, isArchived, authority };
  return [
    ...Array.from(addressesOf(agent), (address) => agentKeys.byEmail(owner, address, _id)),
    ...(externalId === null ? [] : [{ ...agentKeys.byExternalId(owner, externalId, _id), ...ofSeller }]),
    ...Array.from(new Set(downstreamEntityAssociationIds), (id) => agentKeys.atAssociation(owner, id, _id)),
    ...Array.from(new Set(agent.downstreamEntityIds), (id) => ({
      ...agentKeys.atEntity(owner, id, _id),
      listKey: agentPartitions.ofEntity(owner, id),
      listSort: listSort(agent),
    })),
  ].map((link) => ({ ...link, npn: agent.npn }));
}

/** An agent's addresses as they are compared: primary and labeled, in lower case. */
const addressesOf = ({
  email: primary,
  labeledEmails,
}: Pick<StoredAgent, 'email' | 'labeledEmails'>): ReadonlySet<string> =>
  new Set(
    [primary, ...labeledEmails.map(({ email: labeled }) => labeled)]
      .filter((address) => address !== null)
      .map((address) => address.toLowerCase()),
  );

/** An owner's agents with an NPN; they are few. */
export const agentsOfNpn = (agents: Table<'by-npn'>, owner: string, npn: string): Promise<StoredAgent[]> =>
  collect(agents.query(storedAgent, agentPartitions.ofNpn(owner, npn), { index: 'by-npn' }));

/**
 * An agent as callers see it, with its owner's registry subscription for the NPN; the response drops what its schema does not name.
 */
export const agentView = (
  { downstreamEntityAssociationIds, ...stored }: StoredAgent,
  subscription: RegistryDataSubscription | undefined,
): AgentItem => ({
  ...stored,
  agent: { ...stored, downstreamEntityAgentAssociationIds: downstreamEntityAssociationIds },
  registryDataSubscription: subscription ?? null,
});
