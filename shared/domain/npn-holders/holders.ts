import * as z from 'zod/mini';
import { objectId } from '#platform/contract/primitives.ts';
import { itemKey, storedItem } from '#platform/data/stored.ts';
import { agentKeys } from '../agents/stored.ts';
import { evidenceKey } from '../associations/match-evidence.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import type { Tables } from '../tables.ts';

/** The producer or agency that a carrier's event of an NPN is about. */
export type PartyOfNpn =
  | { readonly model: 'agent'; readonly agentId: string }
  | { readonly model: 'downstreamEntity'; readonly downstreamEntityAssociationId: string };

export type SubscribedNpn = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'npn'>;

/**
 * Finds the parties that the NPNs of carriers' subscriptions identify at this moment, by the ids of these, without an index: the
 * agent, the agency, or both, as a sole proprietor may be. Nobody, where the carrier has nobody for an NPN, or nobody any more.
 */
export type PartiesOfNpns = (
  subscriptions: readonly SubscribedNpn[],
) => Promise<ReadonlyMap<string, readonly PartyOfNpn[]>>;

/** The associations with agencies of an NPN; see the associations table. Without any, the item has no set of them. */
export const associationsOfNpn = storedItem('associations/npn-holder-key', {
  ...itemKey.shape,
  associationIds: z._default(z.set(objectId), new Set()),
});

/** The holder of an NPN; see the agents table. */
const agentIdOfNpn = storedItem('agents/agent-of-npn-key', { ...itemKey.shape, agentId: objectId });

export const createPartiesOfNpns =
  ({ agents, associations }: Tables<'agents' | 'associations'>): PartiesOfNpns =>
  async (subscriptions) => {
    const agentKeyOf = ({ dataOwnerId, npn }: SubscribedNpn) => agentKeys.npn(dataOwnerId, npn);
    const agencyKeyOf = ({ dataOwnerId, npn }: SubscribedNpn) => evidenceKey(dataOwnerId, 'NPN', npn);
    const [agentAt, agencyAt] = await Promise.all([
      agents.getByKey(agentIdOfNpn, subscriptions.map(agentKeyOf)),
      associations.getByKey(associationsOfNpn, subscriptions.map(agencyKeyOf)),
    ]);
    const partiesOf = (subscription: SubscribedNpn): readonly PartyOfNpn[] => {
      const agentId = agentAt(agentKeyOf(subscription))?.agentId;
      // An agency with branches has several associations of one NPN; the one with the lowest id represents all of them.
      const [associationId] = [...(agencyAt(agencyKeyOf(subscription))?.associationIds ?? [])].sort();
      return [
        ...(agentId === undefined ? [] : [{ model: 'agent', agentId } as const]),
        ...(associationId === undefined
          ? []
          : [{ model: 'downstreamEntity', downstreamEntityAssociationId: associationId } as const]),
      ];
    };
    return new Map(subscriptions.map((subscription) => [subscription._id, partiesOf(subscription)]));
  };
