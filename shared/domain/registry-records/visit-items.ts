import { unlessSet } from '../../platform/data/expressions.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';
import { registryKeys, shardOf, visitShard } from './stored.ts';

/** The transaction item with which an NPN is visited from now on; it changes nothing for one that is already. */
export const npnRegistration = (items: TableItems, npn: string, now: Date): TransactionItem =>
  items.update(registryKeys.npn(npn), {
    visitKey: unlessSet(visitShard('NPN', shardOf(npn))),
    visitSort: unlessSet(now.toISOString()),
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
  items: TableItems,
  { npn, owner, entityModel, isQuiet }: FirstVisit,
  now: Date,
): TransactionItem =>
  items.put({
    ...registryKeys.firstVisit(npn, owner.dataOwnerId),
    npn,
    owner: { dataOwnerId: owner.dataOwnerId, dataOwnerModel: owner.dataOwnerModel },
    entityModel,
    isQuiet,
    since: now.toISOString(),
    visitKey: visitShard('FIRST', shardOf(npn)),
    visitSort: now.toISOString(),
  });
