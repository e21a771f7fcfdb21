import { toItem } from '../../platform/data/dynamo.ts';
import { type TransactionItem, unconditional } from '../../platform/data/transact.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';
import { registryKeys, shardOf, visitShard } from './stored.ts';

/** The transaction item with which an NPN is visited from now on; it changes nothing for one that is already. */
export const npnRegistration = (table: string, npn: string, now: Date): TransactionItem =>
  unconditional({
    Update: {
      TableName: table,
      Key: toItem(registryKeys.npn(npn)),
      UpdateExpression:
        'SET visitKey = if_not_exists(visitKey, :shard), visitSort = if_not_exists(visitSort, :now)',
      ExpressionAttributeValues: toItem({
        ':shard': visitShard('NPN', shardOf(npn)),
        ':now': now.toISOString(),
      }),
    },
  });

/** A first visit that is due: somebody came in with an NPN. */
export interface FirstVisit {
  readonly npn: string;
  readonly owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>;
  readonly entityModel: NonNullable<RegistryDataSubscription['entityModel']>;
  /** Whether it sends no events: what an operator imports sends none. */
  readonly isQuiet: boolean;
}

/** The first visit of an agency organization's own entity. */
export const firstVisitOfOwnEntity = (organization: string, npn: string, isQuiet: boolean): FirstVisit => ({
  npn,
  owner: { dataOwnerId: organization, dataOwnerModel: 'downstreamEntity' },
  entityModel: 'downstreamEntity',
  isQuiet,
});

/** The first visit of a carrier's agency. */
export const firstVisitOfAgency = (carrier: string, npn: string, isQuiet: boolean): FirstVisit => ({
  npn,
  owner: { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' },
  entityModel: 'downstreamEntity',
  isQuiet,
});

/**
 * The transaction item that queues a first visit, for the transaction in which somebody comes in: a schedule finds it, so
 * neither a crash nor a queue that is down loses it.
 */
export const firstVisitItem = (
  table: string,
  { npn, owner, entityModel, isQuiet }: FirstVisit,
  now: Date,
): TransactionItem =>
  unconditional({
    Put: {
      TableName: table,
      Item: toItem({
        ...registryKeys.firstVisit(npn, owner.dataOwnerId),
        npn,
        owner: { dataOwnerId: owner.dataOwnerId, dataOwnerModel: owner.dataOwnerModel },
        entityModel,
        isQuiet,
        since: now.toISOString(),
        visitKey: visitShard('FIRST', shardOf(npn)),
        visitSort: now.toISOString(),
      }),
    },
  });
