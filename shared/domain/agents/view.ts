import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import type { AgentItem } from './resource.ts';
import type { StoredAgent } from './stored.ts';

/** An agent as callers see it, with its owner's registry subscription for the NPN. */
export const agentView = (
  stored: StoredAgent,
  subscription: RegistryDataSubscription | undefined,
): AgentItem => ({
  agent: {
    _id: stored._id,
    npn: stored.npn,
    firstName: stored.firstName,
    middleName: stored.middleName,
    lastName: stored.lastName,
    downstreamEntityAgentAssociationIds: stored.downstreamEntityAssociationIds,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  },
  creationPath: stored.creationPath,
  registryDataSubscription: subscription ?? null,
  isUploadedByUpstreamEntity: stored.isUploadedByUpstreamEntity,
  isDeleted: stored.isDeleted,
  isArchived: stored.isArchived,
  authority: stored.authority,
  email: stored.email,
  isDeliverable: stored.isDeliverable,
  externalId: stored.externalId,
});
