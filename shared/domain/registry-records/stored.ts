import { changeMark } from '../../platform/changes/change-index.ts';
import { derivedObjectId, shardAmong, sortText } from '../../platform/data/keys.ts';
import type { IndexPartition } from '../../platform/data/table.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { datedAppointment, datedLicense } from '../decision/dated.ts';
import { always, never, writtenDate } from '../decision/dates.ts';
import type { DaysInForce } from '../decision/held.ts';
import { identityKey } from '../decision/identity.ts';
import { type RenewalRow, renewalDateOf, renewalRowOf } from '../decision/renewal.ts';
import { comparable } from '../identifiers/identifiers.ts';
import type { Appointment, License, RegulatoryAction } from '../registry/resources.ts';
import type { RegistryDataSubscription } from './resources.ts';

// Keys and items of the registry records table, described in `shared/domain/table-designs.ts`. Each item is the
// resource itself with its keys; the resource's own schema parses it when it is read.

/** An organization has one subscription for an NPN, whose id is derived from both. */
export const subscriptionIdOf = (owner: string, npn: string): string =>
  derivedObjectId(owner, 'registry-data-subscription', npn);

export const partitionOf = (owner: string, npn: string): string => `${owner}#NPN#${npn}`;

type ActionKey = Pick<RegulatoryAction, 'npn' | 'actionId'> & { readonly stateCode: string };

export const registryKeys = {
  subscription: (owner: string, subscriptionId: string) => ({
    pk: `${owner}#SUBSCRIPTION`,
    sk: subscriptionId,
  }),
  /** @param of the key of what is held. */
  license: (owner: string, { npn, stateCode }: Pick<License, 'npn' | 'stateCode'>, of: string) => ({
    pk: partitionOf(owner, npn),
    sk: `LICENSE#${stateCode}#${derivedObjectId(of)}`,
  }),
  /** @param of the key of what is held. */
  appointment: (owner: string, { npn, stateCode }: Appointment, of: string) => ({
    pk: partitionOf(owner, npn),
    sk: `APPOINTMENT#${stateCode}#${derivedObjectId(of)}`,
  }),
  action: (owner: string, { npn, stateCode, actionId }: ActionKey) => ({
    pk: partitionOf(owner, npn),
    sk: `ACTION#${stateCode}#${actionId}`,
  }),
  /**
   * The number of the last change of what is recorded of an NPN: each transaction raises it, so that writers notice each
   * other. It sorts before everything else of its partition: what a query reads after it is no older than it says.
   */
  version: (owner: string, npn: string) => ({ pk: partitionOf(owner, npn), sk: '#VERSION' }),
  nextChange: (owner: string, npn: string) => ({ pk: partitionOf(owner, npn), sk: 'NEXT-CHANGE' }),
  dueDay: (owner: string, npn: string, day: CalendarDate) => ({
    pk: partitionOf(owner, npn),
    sk: `DUE#${day}`,
  }),
  /** All records of one kind of an NPN, in one state if one is given. */
  ofNpn: (owner: string, npn: string, kind: 'LICENSE' | 'APPOINTMENT' | 'ACTION', stateCode?: string) => ({
    pk: partitionOf(owner, npn),
    skPrefix: stateCode === undefined ? `${kind}#` : `${kind}#${stateCode}#`,
  }),
  /**
   * The renewal date for which a boundary of a license was reported: an item of its own, since licenses are rewritten.
   * @param license the key of its item.
   */
  swept: (boundary: string, { pk, sk }: { readonly pk: string; readonly sk: string }) => ({
    pk,
    sk: sk.replace('LICENSE', `SWEPT#${boundary}`),
  }),
  /** Likewise what was last reported for a regulatory action. */
  reported: (owner: string, action: ActionKey) => {
    const { pk, sk } = registryKeys.action(owner, action);
    return { pk, sk: sk.replace('ACTION', 'REPORTED') };
  },
  sweepState: () => ({ pk: 'SWEEP', sk: 'STATE' }),
  sweepYear: (year: number) => ({ pk: 'SWEEP', sk: `YEAR#${year}` }),
  sweepDay: (day: CalendarDate) => ({ pk: 'SWEEP', sk: `DAY#${day}` }),
  /** An NPN that anybody subscribes to. */
  npn: (npn: string) => ({ pk: `NPN#${npn}`, sk: 'NPN' }),
  /** A first poll of an NPN that is due, since the owner's producer or agency was added. */
  firstPoll: (npn: string, owner: string) => ({ pk: `NPN#${npn}`, sk: `FIRST#${owner}` }),
  /** When the next poll of the registry may begin. */
  pace: () => ({ pk: 'POLLS', sk: 'PACE' }),
  /** How many calls of the registry visits made until the license sweep of a day. */
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
export const pollShard = (of: PollReason | 'FIRST', shard: number): string => `${of}#${shard}`;

/** A partition of the index of licenses to be renewed on a day; those of one NPN are together. */
export const renewalShard = (date: CalendarDate, shard: number): string => `${date}#${shard}`;

/** Likewise a partition of the NPNs whose compliance may change on a day, since a record begins or ended the day before. */
export const changeShard = (day: CalendarDate, shard: number): string => `CHANGE#${day}#${shard}`;

/** Partitions of the table's indexes. */
export const renewalPartition = (value: string): IndexPartition<'by-renewal'> => ({
  index: 'by-renewal',
  value,
});

export const registryPartitions = {
  all: (owner: string, kind: 'LICENSE' | 'APPOINTMENT') => `${owner}#${kind}`,
  ofNpn: (owner: string, kind: 'LICENSE' | 'APPOINTMENT', npn: string) => `${owner}#${kind}#${npn}`,
  ofState: (owner: string, kind: 'LICENSE' | 'APPOINTMENT', stateCode: string) =>
    `${owner}#${kind}#${stateCode}`,
  ofStatus: (owner: string, kind: 'LICENSE' | 'APPOINTMENT', status: string) => `${owner}#${kind}#${status}`,
  subscribersOf: (npn: string) => `SUBSCRIBERS#${npn}`,
  ofLicenseNumber: (owner: string, stateCode: string, licenseNumber: string) =>
    `${owner}#${stateCode}#${comparable(licenseNumber)}`,
};

const listed = (
  owner: string,
  kind: 'LICENSE' | 'APPOINTMENT',
  record: { readonly npn: string; readonly stateCode: string; readonly status: string },
) => ({
  listKey: registryPartitions.all(owner, kind),
  npnKey: registryPartitions.ofNpn(owner, kind, record.npn),
  stateKey: registryPartitions.ofState(owner, kind, record.stateCode),
  statusKey: registryPartitions.ofStatus(owner, kind, record.status),
});

/** The members of a license that its `listSort` contains; a summary needs no more. */
export interface LicenseSort extends RenewalRow {
  readonly stateCode: string;
  readonly npn: string;
}

/** A license without an end comes last. */
function licenseSort(
  { stateCode, npn }: License,
  sk: string,
  { ownEnd, begins, status }: RenewalRow,
): string {
  return [ownEnd, begins, stateCode, sortText(status).replaceAll('#', ' '), npn, sk].join('#');
}

/** Parses `listSort` of a license. */
export function readLicenseSort(sort: string): LicenseSort {
  const [ownEnd = never, begins = always, stateCode = '', status = '', npn = ''] = sort.split('#');
  return { ownEnd, begins, stateCode, status, npn };
}

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

/** The renewal key of a license with this renewal date. */
const licenseRenewalKey = (owner: string, npn: string, renewalDate: string): string =>
  renewalShard(writtenDate(renewalDate), shardOf(partitionOf(owner, npn)));

/** What lists show of a license or an appointment besides its row. */
interface Listed {
  /** The key of what is held. */
  readonly of?: string;
  readonly inForce?: readonly DaysInForce[];
}

/**
 * The item of a license.
 * @param listed its renewal: the date by which it is to be renewed, and that by which the sweep finds it; null for none.
 */
export function licenseItem(
  owner: string,
  license: License,
  {
    of = identityKey(datedLicense(license).identity),
    inForce = [],
    renewal = renewalRowOf(license),
    renewalDate = renewalDateOf(license),
    sweptBy = renewalDate,
  }: Listed & {
    readonly renewal?: RenewalRow;
    readonly renewalDate?: string | null;
    readonly sweptBy?: string | null;
  } = {},
) {
  const key = registryKeys.license(owner, license, of);
  return {
    ...key,
    ...listed(owner, 'LICENSE', license),
    listSort: licenseSort(license, key.sk, renewal),
    ...(comparable(license.licenseNumber) === ''
      ? {}
      : {
          licenseNumberKey: registryPartitions.ofLicenseNumber(
            owner,
            license.stateCode,
            license.licenseNumber,
          ),
        }),
    ...(renewalDate === null || sweptBy === null
      ? {}
      : { renewalDate, renewalKey: licenseRenewalKey(owner, license.npn, sweptBy) }),
    ...license,
    inForce,
  };
}

/** The item of an appointment. */
export function appointmentItem(
  owner: string,
  appointment: Appointment,
  { of = identityKey(datedAppointment(appointment).identity), inForce = [] }: Listed = {},
) {
  const key = registryKeys.appointment(owner, appointment, of);
  const { stateCode, carrierName, npn } = appointment;
  return {
    ...key,
    ...listed(owner, 'APPOINTMENT', appointment),
    listSort: `${stateCode}#${sortText(carrierName ?? '')}#${npn}#${key.sk}`,
    ...appointment,
    inForce,
  };
}

/** The item that says on which day the compliance of an NPN may change next: the sweep has it checked then. */
export function nextChangeItem(owner: string, npn: string, day: CalendarDate) {
  const key = registryKeys.nextChange(owner, npn);
  return { ...key, renewalKey: changeShard(day, shardOf(key.pk)), day };
}

/**
 * The item that says that an appointment of an NPN may be overdue from a day on: the sweep has its compliance checked then, too.
 */
export function dueDayItem(owner: string, npn: string, day: CalendarDate) {
  const key = registryKeys.dueDay(owner, npn, day);
  return { ...key, renewalKey: changeShard(day, shardOf(key.pk)) };
}

export const actionItem = (owner: string, action: RegulatoryAction) => ({
  ...registryKeys.action(owner, action),
  ...action,
});

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
