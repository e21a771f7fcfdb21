import * as z from 'zod/mini';
import { changedEntries } from '../../platform/changes/change-index.ts';
import { collect } from '../../platform/data/collect.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { createHeldRecords, type HeldRecords, recordsOf } from './held-records.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './registry-data-subscription.ts';
import { type RegulatoryAction, regulatoryAction } from './regulatory-action.ts';
import { npnOfPartition, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';

/** An organization's copy of registry records; those of an NPN are one partition, read in one query. */
export interface RegistryRecords extends HeldRecords {
  /** A subscription, read consistently, so that a caller who requested a synchronization sees it under way. */
  findSubscription(owner: string, subscriptionId: string): Promise<RegistryDataSubscription | undefined>;
  /** Every subscription, one database page at a time, by id. */
  subscriptions(owner: string): AsyncIterable<RegistryDataSubscription[]>;
  /** The owner's subscriptions of these NPNs, by NPN; those that don't exist are left out. */
  subscriptionsOf(
    owner: string,
    npns: readonly string[],
  ): Promise<ReadonlyMap<string, RegistryDataSubscription>>;
  /** The NPNs whose subscriptions changed at a time (`toISOString`) or later, one database page at a time. */
  npnsChangedSince(owner: string, since: string): AsyncIterable<string[]>;
  regulatoryActionsOf(owner: string, npn: string): AsyncIterable<RegulatoryAction[]>;
  /** Who holds a license of that number in a state, each NPN once. */
  npnsOfLicense(owner: string, stateCode: string, licenseNumber: string): Promise<string[]>;
}

/** What the index of changes has of a subscription. */
const changedSubscription = storedItem('registry-records/changed-subscription', () => ({ npn: z.string() }));

/** Subscriptions that a list reads at once; see the policies' store. */
const subscriptionsAtOnce = 500;

export function createRegistryRecords(table: Table<'by-license-number' | 'by-change'>): RegistryRecords {
  return {
    ...createHeldRecords(table),

    findSubscription(owner, subscriptionId) {
      const key = registryKeys.subscription(owner, subscriptionId);
      return table.get(registryDataSubscription, key);
    },

    async *subscriptions(owner) {
      const { pk } = registryKeys.subscription(owner, '');
      yield* table.query(registryDataSubscription, pk, { limit: subscriptionsAtOnce });
    },

    async subscriptionsOf(owner, npns) {
      const keys = npns.map((npn) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn)));
      const found = await table.getAll(registryDataSubscription, keys, { consistent: false });
      return new Map(found.map((subscription) => [subscription.npn, subscription]));
    },

    npnsChangedSince(owner, since) {
      const pages = changedEntries(table, changedSubscription, owner, since);
      return (async function* () {
        for await (const entries of pages) yield [...new Set(entries.map(({ npn }) => npn))];
      })();
    },

    regulatoryActionsOf: (owner, npn) =>
      recordsOf(table, registryKeys.ofNpn(owner, npn, 'ACTION'), regulatoryAction),

    async npnsOfLicense(owner, stateCode, licenseNumber) {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const keys = await collect(table.query(itemKey, value, { index: 'by-license-number' }));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
