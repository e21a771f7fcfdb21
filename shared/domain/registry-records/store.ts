import * as z from 'zod/mini';
import { changedEntries } from '../../platform/changes/change-index.ts';
import { collect, mapPages } from '../../platform/data/concurrently.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { regulatoryAction } from '../registry/resources.ts';
import { createHeldRecords, recordsOf } from './facts.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './resources.ts';
import { npnOfPartition, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';

/** An organization's copy of registry records; those of an NPN are one partition, read in one query. */
export type RegistryRecords = ReturnType<typeof createRegistryRecords>;

/** What the index of changes has of a subscription. */
const changedSubscription = storedItem('registry-records/changed-subscription', () => ({ npn: z.string() }));

/** Subscriptions that a list reads at once; see the policies' store. */
const subscriptionsAtOnce = 500;

export function createRegistryRecords(table: Table<'by-license-number' | 'by-change'>) {
  return {
    ...createHeldRecords(table),

    /** A subscription, read consistently, so that a caller who requested a synchronization sees it under way. */
    findSubscription(owner: string, subscriptionId: string): Promise<RegistryDataSubscription | undefined> {
      const key = registryKeys.subscription(owner, subscriptionId);
      return table.get(registryDataSubscription, key);
    },

    /** Every subscription, one database page at a time, by id. */
    subscriptions(owner: string): AsyncIterable<RegistryDataSubscription[]> {
      const { pk } = registryKeys.subscription(owner, '');
      return table.query(registryDataSubscription, pk, { limit: subscriptionsAtOnce, leavesOut: true });
    },

    /** The owner's subscriptions of these NPNs, by NPN; one that breaks its schema is thrown when it is asked for. */
    async subscriptionsOf(owner: string, npns: readonly string[]) {
      const keyOf = (npn: string) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn));
      const keys = new Map(npns.map((npn) => [npn, keyOf(npn)]));
      const found = await table.getByKey(registryDataSubscription, [...keys.values()], { consistent: false });
      return {
        get(npn: string): RegistryDataSubscription | undefined {
          const key = keys.get(npn);
          return key && found(key);
        },
      };
    },

    /** The NPNs whose subscriptions changed at a time (`toISOString`) or later, one database page at a time. */
    npnsChangedSince: (owner: string, since: string): AsyncIterable<string[]> =>
      mapPages(changedEntries(table, changedSubscription, owner, since), (entries) => [
        ...new Set(entries.map(({ npn }) => npn)),
      ]),

    regulatoryActionsOf: (owner: string, npn: string) =>
      recordsOf(table, registryKeys.ofNpn(owner, npn, 'ACTION'), regulatoryAction),

    /** Who holds a license of that number in a state, each NPN once. */
    async npnsOfLicense(owner: string, stateCode: string, licenseNumber: string): Promise<string[]> {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const keys = await collect(table.query(itemKey, value, { index: 'by-license-number' }));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
