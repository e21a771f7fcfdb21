import * as z from 'zod/mini';
import { compiledObject } from '../contract/object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { sortText } from '../data/sort-text.ts';
import { agentItem, email } from '../resources/agent.ts';
import { npn } from '../resources/registry-data-subscription.ts';

const { creationPath, isUploadedByUpstreamEntity, isArchived, authority, isDeliverable, externalId } =
  agentItem.shape;

/** An agent's item; its key design stands in `shared/data/tables.ts`. */
export const storedAgent = compiledObject({
  _id: objectId,
  npn,
  firstName: z.string(),
  middleName: z.nullable(z.string()),
  lastName: z.string(),
  email: z.nullable(email),
  /** Further addresses, each with what it is for. */
  labeledEmails: z.array(z.object({ label: z.string(), email })),
  isDeliverable,
  externalId,
  authority,
  /** Agency relationships that the agent works under. */
  downstreamEntityAssociationIds: z.array(objectId),
  /** Entities of an agency's own that the agent works for. */
  downstreamEntityIds: z.array(objectId),
  creationPath,
  isUploadedByUpstreamEntity,
  isArchived,
  isDeleted: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type StoredAgent = z.output<typeof storedAgent>;

export const agentKeys = {
  agent: (owner: string, agentId: string) => ({ pk: `${owner}#AGENT`, sk: agentId }),
  byEmail: (owner: string, address: string, agentId: string) => ({
    pk: `${owner}#EMAIL#${address.toLowerCase()}`,
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

/** Every item of a live agent: itself, and what it is found by. */
export function agentItems(owner: string, agent: StoredAgent): Record<string, unknown>[] {
  const { _id, firstName, lastName } = agent;
  const listSort = `${sortText(`${lastName} ${firstName}`)}#${_id}`;
  const addresses = new Set(
    [agent.email, ...agent.labeledEmails.map(({ email: labeled }) => labeled)]
      .filter((address) => address !== null)
      .map((address) => address.toLowerCase()),
  );
  return [
    {
      ...agentKeys.agent(owner, _id),
      listKey: agentPartitions.all(owner),
      listSort,
      npnKey: agentPartitions.ofNpn(owner, agent.npn),
      ...agent,
    },
    ...Array.from(addresses, (address) => agentKeys.byEmail(owner, address, _id)),
    ...agent.downstreamEntityAssociationIds.map((id) => agentKeys.atAssociation(owner, id, _id)),
    ...agent.downstreamEntityIds.map((id) => ({
      ...agentKeys.atEntity(owner, id, _id),
      listKey: agentPartitions.ofEntity(owner, id),
      listSort,
    })),
  ];
}
