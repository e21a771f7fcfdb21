import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../agents/stored.ts';
import { associationPartitions } from '../associations/stored.ts';
import { objectId } from '../contract/primitives.ts';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import type { RegistryDataSubscription } from '../resources/registry-data-subscription.ts';

/** The producer or agency that a carrier's event of an NPN is about; the id is null where the carrier has no such record. */
export type NpnHolder =
  | { readonly model: 'agent'; readonly agentId: string | null }
  | { readonly model: 'downstreamEntity'; readonly downstreamEntityAssociationId: string | null };

export type SubscribedNpn = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'npn' | 'entityModel'>;

/**
 * Finds for carriers' subscriptions, by their ids, whom their NPNs identify: as `entityModel` says, and where it does
 * not, the agent with that NPN if there is one, else an agency.
 */
export type NpnHolders = (subscriptions: readonly SubscribedNpn[]) => Promise<ReadonlyMap<string, NpnHolder>>;

/** The holder of an NPN; see the agents table. */
const agentOfNpn = z.object({ pk: z.string(), sk: z.string(), agentId: objectId });

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
  async function associationOf({ dataOwnerId, npn }: SubscribedNpn): Promise<string | null> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.associations,
        IndexName: 'by-npn',
        KeyConditionExpression: 'npnKey = :partition',
        ExpressionAttributeValues: toItem({ ':partition': associationPartitions.ofNpn(dataOwnerId, npn) }),
        Limit: 1,
      }),
    );
    return Items[0]?.['sk']?.S ?? null;
  }

  return async (subscriptions) => {
    const mayBeAgents = subscriptions.filter(({ entityModel }) => entityModel !== 'downstreamEntity');
    const agents = mayBeAgents.length === 0 ? new Map<string, string>() : await agentsOf(mayBeAgents);
    const holders = subscriptions.map(async (subscription): Promise<[string, NpnHolder]> => {
      const { _id, entityModel } = subscription;
      const agentId = agents.get(_id) ?? null;
      return entityModel === 'agent' || (entityModel === null && agentId !== null)
        ? [_id, { model: 'agent', agentId }]
        : [
            _id,
            {
              model: 'downstreamEntity',
              downstreamEntityAssociationId: await associationOf(subscription),
            },
          ];
    });
    return new Map(await Promise.all(holders));
  };
}
