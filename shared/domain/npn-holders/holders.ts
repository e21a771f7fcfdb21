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
 * agent, the agency, or both, as a sole proprietor may be. An NPN that the carrier has nobody for, or nobody any more, is left out.
 */
export type PartiesOfNpns = (
  subscriptions: readonly SubscribedNpn[],
) => Promise<ReadonlyMap<string, readonly PartyOfNpn[]>>;

/** The associations with agencies of an NPN; see the associations table. Without any, the item has no set of them. */
export const associationsOfNpn = storedItem('associations/npn-holder-key', () => ({
  ...itemKey.shape,
  associationIds: z._default(z.set(objectId), new Set()),
}));

/** The holder of an NPN; see the agents table. */
const agentIdOfNpn = storedItem('agents/agent-of-npn-key', () => ({ ...itemKey.shape, agentId: objectId }));

type ItemKey = z.output<typeof itemKey>;

export function createPartiesOfNpns(tables: Tables<'agents' | 'associations'>): PartiesOfNpns {
  /** The holders that the items of subscriptions' NPNs name, by the ids of the subscriptions. */
  async function partiesBySubscription<Item extends ItemKey>(
    subscriptions: readonly SubscribedNpn[],
    keyOf: (owner: string, npn: string) => ItemKey,
    read: (keys: readonly ItemKey[]) => Promise<readonly Item[]>,
    holderOf: (item: Item) => PartyOfNpn | undefined,
  ): Promise<ReadonlyMap<string, PartyOfNpn>> {
    const items = await read(subscriptions.map(({ dataOwnerId, npn }) => keyOf(dataOwnerId, npn)));
    const holderByKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, holderOf(item)]));
    return new Map(
      subscriptions.flatMap(({ _id, dataOwnerId, npn }) => {
        const { pk, sk } = keyOf(dataOwnerId, npn);
        const holder = holderByKey.get(`${pk} ${sk}`);
        return holder === undefined ? [] : [[_id, holder] as const];
      }),
    );
  }

  return async (subscriptions) => {
    const partiesOfModels = await Promise.all([
      partiesBySubscription(
        subscriptions,
        agentKeys.npn,
        (keys) => tables.agents.getAll(agentIdOfNpn, keys),
        ({ agentId }) => ({ model: 'agent', agentId }),
      ),
      partiesBySubscription(
        subscriptions,
        (owner, npn) => evidenceKey(owner, 'NPN', npn),
        (keys) => tables.associations.getAll(associationsOfNpn, keys),
        ({ associationIds }) => {
          // An agency with branches has several associations of one NPN; the one with the lowest id represents all of them.
          const [downstreamEntityAssociationId] = [...associationIds].sort();
          return downstreamEntityAssociationId === undefined
            ? undefined
            : { model: 'downstreamEntity', downstreamEntityAssociationId };
        },
      ),
    ]);
    const holders = Map.groupBy(
      partiesOfModels.flatMap((ofModel) => [...ofModel]),
      ([_id]) => _id,
    );
    return new Map(Array.from(holders, ([_id, parties]) => [_id, parties.map(([, holder]) => holder)]));
  };
}
