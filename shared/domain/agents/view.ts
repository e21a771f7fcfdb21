import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import type { AgentItem } from './resource.ts';
import type { StoredAgent } from './stored.ts';

/** An agent as callers see it, with its owner's registry subscription for the NPN; the response drops what its schema does not name. */
export const agentView = (
  { downstreamEntityAssociationIds, ...stored }: StoredAgent,
  subscription: RegistryDataSubscription | undefined,
): AgentItem => ({
  ...stored,
  agent: { ...stored, downstreamEntityAgentAssociationIds: downstreamEntityAssociationIds },
  registryDataSubscription: subscription ?? null,
});
