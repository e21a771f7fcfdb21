import { present, unlessSet } from '../../platform/data/expressions.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TableWrites } from '../../platform/data/table-writes.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { realTime } from '../../platform/dates/clock.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';
import { pollShard, registryKeys, shardOf } from './stored.ts';

/** The transaction item with which an NPN is polled from now on; it changes nothing for one that is already. */
export const npnRegistration = (items: TableItems, npn: string, now: Date): TransactionItem =>
  items.update(registryKeys.npn(npn), {
    pollKey: unlessSet(pollShard('NEW', shardOf(npn))),
    pollSort: unlessSet(realTime(now).toISOString()),
  });

/** What says of an NPN that something of it changed. */
export const namedNpn = (npn: string, at: Date) => ({
  pollKey: pollShard('CHANGED', shardOf(npn)),
  pollSort: realTime(at).toISOString(),
  namedAt: realTime(at).toISOString(),
});

/**
 * Has an NPN polled in the next reconciliation, since something of it changed.
 * @returns false where nobody subscribes to it.
 */
export const nameNpn = (table: Pick<TableWrites, 'update'>, npn: string, at: Date): Promise<boolean> =>
  table.update(registryKeys.npn(npn), namedNpn(npn, at), { pollKey: present });

/** A first poll that is due: somebody came in with an NPN. */
export interface FirstPoll {
  readonly npn: string;
  readonly owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>;
  readonly entityModel: NonNullable<RegistryDataSubscription['entityModel']>;
  /** Whether it sends no events: what an operator imports sends none, unless a first poll that sends them waits already. */
  readonly isSilent: boolean;
}

/** The first poll of an agency organization's own entity. */
export const firstPollOfOwnEntity = (organization: string, npn: string, isSilent: boolean): FirstPoll => ({
  npn,
  owner: { dataOwnerId: organization, dataOwnerModel: 'downstreamEntity' },
  entityModel: 'downstreamEntity',
  isSilent,
});

/** The first poll of a carrier's agency. */
export const firstPollOfAgency = (carrier: string, npn: string, isSilent: boolean): FirstPoll => ({
  npn,
  owner: { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' },
  entityModel: 'downstreamEntity',
  isSilent,
});

/**
 * The transaction item that queues a first poll, for the transaction in which somebody comes in: a schedule finds it, so
 * neither a crash nor a queue that is down loses it.
 */
export const firstPollItem = (
  items: TableItems,
  { npn, owner, entityModel, isSilent }: FirstPoll,
  now: Date,
): TransactionItem =>
  items.update(registryKeys.firstPoll(npn, owner.dataOwnerId), {
    npn,
    owner: { dataOwnerId: owner.dataOwnerId, dataOwnerModel: owner.dataOwnerModel },
    entityModel,
    // One that waits to send events still sends them.
    isSilent: isSilent ? unlessSet(true) : false,
    since: now.toISOString(),
    pollKey: pollShard('FIRST', shardOf(npn)),
    pollSort: realTime(now).toISOString(),
  });
