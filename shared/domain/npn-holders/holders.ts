import * as z from 'zod/mini';
import { objectId } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { agentKeys } from '../agents/stored.ts';
import { evidenceKey } from '../associations/evidence.ts';
import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import type { Tables } from '../tables.ts';

/** The producer or agency that a carrier's event of an NPN is about. */
export type NpnHolder =
  | { readonly model: 'agent'; readonly agentId: string }
  | { readonly model: 'downstreamEntity'; readonly downstreamEntityAssociationId: string };

export type SubscribedNpn = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'npn' | 'entityModel'>;

/**
 * Finds for carriers' subscriptions, by their ids, whom their NPNs identify at this moment, without an index: as `entityModel` says, and where it does
 * not, the agent with that NPN if there is one, else an agency. An NPN that the carrier has nobody for, or nobody any
 * more, is left out.
 */
export type NpnHolders = (subscriptions: readonly SubscribedNpn[]) => Promise<ReadonlyMap<string, NpnHolder>>;

/** The associations with agencies of an NPN; see the associations table. Without any, the item has no set of them. */
const associationsOfNpn = storedItem('associations/npn-holder-key', () => ({
  pk: z.string(),
  sk: z.string(),
  associationIds: z._default(z.set(objectId), new Set()),
}));

/** The holder of an NPN; see the agents table. */
const agentOfNpn = storedItem('agents/npn-holder-key', () => ({
  pk: z.string(),
  sk: z.string(),
  agentId: objectId,
}));

export function createNpnHolders(tables: Tables<'agents' | 'associations'>): NpnHolders {
  async function agentsOf(subscriptions: readonly SubscribedNpn[]): Promise<ReadonlyMap<string, string>> {
    const keys = new Map(
      subscriptions.map(({ _id, dataOwnerId, npn }) => [_id, agentKeys.npn(dataOwnerId, npn)]),
    );
    const holders = await tables.agents.getAll(agentOfNpn, [...keys.values()]);
    const found = new Map(holders.map(({ pk, sk, agentId }) => [JSON.stringify({ pk, sk }), agentId]));
    return new Map(
      Array.from(keys, ([id, key]) => [id, found.get(JSON.stringify(key))] as const).flatMap(
        ([id, agentId]) => (agentId === undefined ? [] : [[id, agentId] as const]),
      ),
    );
  }

  /** An agency with branches has several associations of one NPN; the one with the lowest id represents all of them. */
  async function associationsOf(
    subscriptions: readonly SubscribedNpn[],
  ): Promise<ReadonlyMap<string, string>> {
    const keys = new Map(
      subscriptions.map(({ _id, dataOwnerId, npn }) => [_id, evidenceKey(dataOwnerId, 'NPN', npn)]),
    );
    const holders = await tables.associations.getAll(associationsOfNpn, [...keys.values()]);
    const found = new Map(
      holders.map(({ pk, sk, associationIds }) => [
        JSON.stringify({ pk, sk }),
        [...associationIds].sort()[0],
      ]),
    );
    return new Map(
      Array.from(keys, ([id, key]) => [id, found.get(JSON.stringify(key))] as const).flatMap(
        ([id, associationId]) => (associationId === undefined ? [] : [[id, associationId] as const]),
      ),
    );
  }

  return async (subscriptions) => {
    const mayBeAgents = subscriptions.filter(({ entityModel }) => entityModel !== 'downstreamEntity');
    const agents = mayBeAgents.length === 0 ? new Map<string, string>() : await agentsOf(mayBeAgents);
    const mayBeAgencies = subscriptions.filter(
      ({ _id, entityModel }) => entityModel !== 'agent' && !agents.has(_id),
    );
    const agencies = mayBeAgencies.length === 0 ? [] : await associationsOf(mayBeAgencies);
    return new Map<string, NpnHolder>([
      ...Array.from(agents, ([id, agentId]) => [id, { model: 'agent', agentId }] as const),
      ...Array.from(
        agencies,
        ([id, downstreamEntityAssociationId]) =>
          [id, { model: 'downstreamEntity', downstreamEntityAssociationId }] as const,
      ),
    ]);
  };
}
