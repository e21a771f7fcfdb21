import { changeMark } from '#platform/changes/change-index.ts';
import { derivedObjectId, shardAmong } from '#platform/data/keys.ts';
import type { IndexPartition } from '#platform/data/table.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import type { RegistryDataSubscription } from './resources.ts';

// Keys and items of the registry records table, described in `shared/domain/tables.ts`.

/** An organization has one subscription for an NPN, whose id is derived from both. */
export const subscriptionIdOf = (owner: string, npn: string): string =>
  derivedObjectId(owner, 'registry-data-subscription', npn);

export const partitionOf = (owner: string, npn: string): string => `${owner}#NPN#${npn}`;

export const registryKeys = {
  subscription: (owner: string, subscriptionId: string) => ({
    pk: `${owner}#SUBSCRIPTION`,
    sk: subscriptionId,
  }),
  checkDay: (owner: string, npn: string, day: CalendarDate) => ({
    pk: partitionOf(owner, npn),
    sk: `CHECK#${day}`,
  }),
  /**
   * The renewal date for which a boundary of a license was reported: an item of its own, since entries are rewritten.
   * @param license the key of its entry.
   */
  swept: (boundary: string, { pk, sk }: { readonly pk: string; readonly sk: string }) => ({
    pk,
    sk: sk.replace('LICENSE', `SWEPT#${boundary}`),
  }),
  /** The last report of a regulatory action. */
  reported: (
    owner: string,
    { npn, stateCode, actionId }: Pick<RegulatoryAction, 'npn' | 'stateCode' | 'actionId'>,
  ) => ({ pk: partitionOf(owner, npn), sk: `REPORTED#${stateCode}#${actionId}` }),
  sweepState: () => ({ pk: 'SWEEP', sk: 'STATE' }),
  sweepDay: (day: CalendarDate) => ({ pk: 'SWEEP', sk: `DAY#${day}` }),
  /** An NPN that anybody subscribes to. */
  npn: (npn: string) => ({ pk: `NPN#${npn}`, sk: 'NPN' }),
  /** A first poll of an NPN that is due, since the owner's producer or agency was added. */
  firstPoll: (npn: string, owner: string) => ({ pk: `NPN#${npn}`, sk: `FIRST#${owner}` }),
  /** Number of calls of the registry by visits until the license sweep of a day. */
  calls: (sweptOn: CalendarDate) => ({ pk: 'POLLS', sk: `CALLS#${sweptOn}` }),
};

/** The NPN in a partition of registry records, as an index that projects keys alone shows it. */
export const npnOfPartition = (pk: string): string => pk.slice(pk.lastIndexOf('#') + 1);

/** The owner of a partition of registry records. */
export const ownerOfPartition = (pk: string): string => pk.slice(0, pk.indexOf('#'));

/** The key of the subscription through which an owner has the records of a partition. */
export const subscriptionKeyOf = (pk: string) => {
  const owner = ownerOfPartition(pk);
  return registryKeys.subscription(owner, subscriptionIdOf(owner, npnOfPartition(pk)));
};

/** Partitions of the indexes that workers read for every owner, so that no single partition carries everything. */
export const shards = 16;

export const shardOf = (text: string): number => shardAmong(text, shards);

/** Why an NPN is polled, the most urgent first: it never was, somebody asked for it, or it was not for long. */
export const pollReasons = ['NEW', 'ASKED', 'NPN'] as const;

export type PollReason = (typeof pollReasons)[number];

/** A partition of the index of NPNs by why and since when they wait for a poll, or of first polls that are due. */
export const pollShard = (reason: PollReason | 'FIRST', shard: number): string => `${reason}#${shard}`;

/** A partition of the index of licenses to be renewed on a day; those of one NPN are together. */
export const renewalShard = (date: CalendarDate, shard: number): string => `${date}#${shard}`;

/** A partition of the NPNs whose compliance may change on a day, since a record begins or ended the day before. */
export const changeShard = (day: CalendarDate, shard: number): string => `CHANGE#${day}#${shard}`;

/** Partitions of the table's indexes. */
export const renewalPartition = (value: string): IndexPartition<'by-renewal'> => ({
  index: 'by-renewal',
  value,
});

export const registryPartitions = {
  licenses: (owner: string) => `${owner}#LICENSE`,
  licensesOfNpn: (owner: string, npn: string) => `${owner}#LICENSE#${npn}`,
  licensesOfState: (owner: string, stateCode: string) => `${owner}#LICENSE#${stateCode}`,
  licensesOfStatus: (owner: string, status: string) => `${owner}#LICENSE#${status}`,
  /** Heads with appointments. */
  appointments: (owner: string) => `${owner}#APPOINTMENT`,
  subscribersOf: (npn: string) => `SUBSCRIBERS#${npn}`,
  ofLicenseNumber: (owner: string, stateCode: string, licenseNumber: string) =>
    `${owner}#${stateCode}#${comparable(licenseNumber)}`,
};

/** The attributes by which a subscription is found among the subscribers of its NPN. */
const subscriberIndex = (owner: string, npn: string) => ({
  npnKey: registryPartitions.subscribersOf(npn),
  listSort: owner,
});

/** The item of a subscription that is created now; `shownChanges` are those of it. */
export const subscriptionItem = (owner: string, subscription: RegistryDataSubscription, now: Date) => ({
  ...registryKeys.subscription(owner, subscription._id),
  ...subscriberIndex(owner, subscription.npn),
  ...subscription,
  ...changeMark(owner, subscription._id, now),
});

/**
 * The item that has the sweep of a day check the compliance of an NPN: it may change then, or an appointment may be overdue from then
 * on. One whose day another change has moved is left: it costs a comparison.
 */
export function checkDayItem(owner: string, npn: string, day: CalendarDate) {
  const key = registryKeys.checkDay(owner, npn, day);
  return { ...key, renewalKey: changeShard(day, shardOf(key.pk)) };
}

/** The id of a regulatory action whose record has none. */
export const regulatoryActionIdOf = (
  owner: string,
  { npn, stateCode, actionId }: Pick<RegulatoryAction, 'npn' | 'stateCode' | 'actionId'>,
): string => derivedObjectId(owner, 'regulatory-action', npn, stateCode, actionId);

/** A subscription that was never synchronized. */
export const newSubscription = (
  owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>,
  npn: string,
  entityModel: RegistryDataSubscription['entityModel'],
): RegistryDataSubscription => ({
  _id: subscriptionIdOf(owner.dataOwnerId, npn),
  ...owner,
  entityModel,
  entityInfo: { status: 'not started', jobId: null, message: null, rawEntityInfoId: null },
  npn,
  lastSynchronizationDate: null,
  pdbAlertsSubscriptionStatus: null,
  pdbAlertsPausedAt: null,
});
