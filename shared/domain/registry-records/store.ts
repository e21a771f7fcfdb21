import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { changedEntries } from '../../platform/changes/change-index.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { chunks } from '../../platform/data/chunks.ts';
import { collect } from '../../platform/data/collect.ts';
import { keyPages } from '../../platform/data/common-keys.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { partitionQuery } from '../../platform/data/query-pages.ts';
import { recordPages } from '../../platform/data/record-pages.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { tableOf } from '../../platform/data/table.ts';
import { createHeldRecords, type HeldRecords, recordsOf } from './held-records.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './registry-data-subscription.ts';
import { type RegulatoryAction, regulatoryAction } from './regulatory-action.ts';
import { npnOfPartition, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';
import { registryRecordsTable } from './table.ts';

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

export function createRegistryRecords(client: DynamoDBClient, table: string): RegistryRecords {
  return {
    ...createHeldRecords(client, table),

    findSubscription(owner, subscriptionId) {
      const key = registryKeys.subscription(owner, subscriptionId);
      return getItem(client, table, key, registryDataSubscription, { consistent: true });
    },

    async *subscriptions(owner) {
      const { pk } = registryKeys.subscription(owner, '');
      const query = { ...partitionQuery(table, pk), Limit: subscriptionsAtOnce };
      yield* recordPages(client, registryDataSubscription, query);
    },

    async subscriptionsOf(owner, npns) {
      const keys = Array.from(new Set(npns), (npn) =>
        registryKeys.subscription(owner, subscriptionIdOf(owner, npn)),
      );
      const read = await Promise.all(
        chunks(keys, { count: batchGetKeys }).map((batch) =>
          batchGet(client, table, batch, { consistent: false }),
        ),
      );
      const found = read.flat().map((item) => parseStored(registryDataSubscription, item));
      return new Map(found.map((subscription) => [subscription.npn, subscription]));
    },

    npnsChangedSince(owner, since) {
      const handle = tableOf(registryRecordsTable, client, table);
      const pages = changedEntries(handle, changedSubscription, owner, since);
      return (async function* () {
        for await (const entries of pages) yield [...new Set(entries.map(({ npn }) => npn))];
      })();
    },

    regulatoryActionsOf: (owner, npn) =>
      recordsOf(client, table, registryKeys.ofNpn(owner, npn, 'ACTION'), regulatoryAction),

    async npnsOfLicense(owner, stateCode, licenseNumber) {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const partition = { index: 'by-license-number', attribute: 'licenseNumberKey', value };
      const keys = await collect(keyPages(client, table, partition));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
