import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { agentKeys } from '../agents/stored.ts';
import { associationPartitions } from '../associations/stored.ts';
import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';

/** The producer or agency that a carrier's event of an NPN is about. */
export type NpnHolder =
  | { readonly model: 'agent'; readonly agentId: string }
  | { readonly model: 'downstreamEntity'; readonly downstreamEntityAssociationId: string };

export type SubscribedNpn = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'npn' | 'entityModel'>;

/**
 * Finds for carriers' subscriptions, by their ids, whom their NPNs identify: as `entityModel` says, and where it does
 * not, the agent with that NPN if there is one, else an agency. An NPN that the carrier has nobody for, or nobody any
 * more, is left out.
 */
export type NpnHolders = (subscriptions: readonly SubscribedNpn[]) => Promise<ReadonlyMap<string, NpnHolder>>;

/** The holder of an NPN; see the agents table. */
const agentOfNpn = compatible(
  'agents/npn-holder-key',
  lazyObject(() => ({ pk: z.string(), sk: z.string(), agentId: objectId })),
);

export function createNpnHolders(
  client: DynamoDBClient,
  tables: { readonly agents: string; readonly associations: string },
): NpnHolders {
  async function agentsOf(subscriptions: readonly SubscribedNpn[]): Promise<ReadonlyMap<string, string>> {
    const keys = new Map(
      subscriptions.map(({ _id, dataOwnerId, npn }) => [_id, agentKeys.npn(dataOwnerId, npn)]),
    );
    const items = await batchGet(client, tables.agents, [...keys.values()], { consistent: false });
    const found = new Map(
      items
        .map((item) => parseStored(agentOfNpn, item))
        .map(({ pk, sk, agentId }) => [JSON.stringify({ pk, sk }), agentId]),
    );
    return new Map(
      Array.from(keys, ([id, key]) => [id, found.get(JSON.stringify(key))] as const).flatMap(
        ([id, agentId]) => (agentId === undefined ? [] : [[id, agentId] as const]),
      ),
    );
  }

  /** An agency with branches has several associations of one NPN; the one with the lowest id represents all of them. */
  async function associationOf({ dataOwnerId, npn }: SubscribedNpn): Promise<string | undefined> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.associations,
        IndexName: 'by-npn',
        KeyConditionExpression: 'npnKey = :partition',
        ExpressionAttributeValues: toItem({ ':partition': associationPartitions.ofNpn(dataOwnerId, npn) }),
        Limit: 1,
      }),
    );
    return Items[0]?.['sk']?.S;
  }

  return async (subscriptions) => {
    const mayBeAgents = subscriptions.filter(({ entityModel }) => entityModel !== 'downstreamEntity');
    const agents = mayBeAgents.length === 0 ? new Map<string, string>() : await agentsOf(mayBeAgents);
    const holderOf = async (subscription: SubscribedNpn): Promise<NpnHolder | undefined> => {
      const { _id, entityModel } = subscription;
      const agentId = agents.get(_id);
      if (agentId !== undefined) return { model: 'agent', agentId };
      if (entityModel === 'agent') return undefined;
      const downstreamEntityAssociationId = await associationOf(subscription);
      return downstreamEntityAssociationId === undefined
        ? undefined
        : { model: 'downstreamEntity', downstreamEntityAssociationId };
    };
    const found = await Promise.all(
      subscriptions.map(async (one) => [one._id, await holderOf(one)] as const),
    );
    return new Map(found.flatMap(([id, holder]) => (holder === undefined ? [] : [[id, holder] as const])));
  };
}
