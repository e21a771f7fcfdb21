import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { batchGetKeys } from '../aws/limits.ts';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { getItem } from '../data/get-item.ts';
import { partitionQuery, queryPages } from '../data/query-pages.ts';
import { recordPages } from '../data/record-pages.ts';
import { parseStored } from '../data/stored.ts';
import { type Appointment, appointment } from '../resources/appointment.ts';
import { type License, license } from '../resources/license.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../resources/registry-data-subscription.ts';
import { type RegulatoryAction, regulatoryAction } from '../resources/regulatory-action.ts';
import { npnOfPartition, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';

/** Filters of a license list; they combine. */
export interface LicenseFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** Filters of an appointment list; they combine. */
export type AppointmentFilters = LicenseFilters;

/** An organization's copy of registry records; those of an NPN are one partition, read in one query. */
export interface RegistryRecords {
  /** A subscription, read consistently, so that a caller who requested a synchronization sees it under way. */
  findSubscription(owner: string, subscriptionId: string): Promise<RegistryDataSubscription | undefined>;
  /** Every subscription, one database page at a time, by id. */
  subscriptions(owner: string): AsyncIterable<RegistryDataSubscription[]>;
  /** The owner's subscriptions of these NPNs, by NPN; those that don't exist are left out. */
  subscriptionsOf(
    owner: string,
    npns: readonly string[],
  ): Promise<ReadonlyMap<string, RegistryDataSubscription>>;
  licensesOf(owner: string, npn: string, filters?: LicenseFilters): AsyncIterable<License[]>;
  appointmentsOf(owner: string, npn: string, filters?: AppointmentFilters): AsyncIterable<Appointment[]>;
  regulatoryActionsOf(owner: string, npn: string): AsyncIterable<RegulatoryAction[]>;
  /** Who holds a license of that number in a state, each NPN once. */
  npnsOfLicense(owner: string, stateCode: string, licenseNumber: string): Promise<string[]>;
}

/** Subscriptions that a list reads at once; see the policies' store. */
const subscriptionsAtOnce = 500;

export function createRegistryRecords(client: DynamoDBClient, table: string): RegistryRecords {
  async function* recordsOf<Schema extends z.core.$ZodType>(
    { pk, skPrefix }: ReturnType<typeof registryKeys.ofNpn>,
    schema: Schema,
    matches: (record: z.output<Schema>) => boolean,
  ): AsyncGenerator<z.output<Schema>[]> {
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: toItem({ ':partition': pk, ':prefix': skPrefix }),
    };
    for await (const items of queryPages(client, query)) {
      yield items
        .map((item) => unmarshall(item))
        .filter(({ isDeleted }) => isDeleted !== true)
        .map((item) => parseStored(schema, item))
        .filter(matches);
    }
  }

  return {
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
      const batches = Array.from({ length: Math.ceil(keys.length / batchGetKeys) }, (_, index) =>
        keys.slice(index * batchGetKeys, (index + 1) * batchGetKeys),
      );
      const read = await Promise.all(
        batches.map((batch) => batchGet(client, table, batch, { consistent: false })),
      );
      const found = read.flat().map((item) => parseStored(registryDataSubscription, item));
      return new Map(found.map((subscription) => [subscription.npn, subscription]));
    },

    // An NPN has some dozens of records, so the status is filtered after the key has selected them.
    licensesOf: (owner, npn, { stateCode, status } = {}) =>
      recordsOf(
        registryKeys.ofNpn(owner, npn, 'LICENSE', stateCode),
        license,
        (one) => status === undefined || one.status === status,
      ),

    appointmentsOf: (owner, npn, { stateCode, status } = {}) =>
      recordsOf(
        registryKeys.ofNpn(owner, npn, 'APPOINTMENT', stateCode),
        appointment,
        (one) => status === undefined || one.status === status,
      ),

    regulatoryActionsOf: (owner, npn) =>
      recordsOf(registryKeys.ofNpn(owner, npn, 'ACTION'), regulatoryAction, () => true),

    async npnsOfLicense(owner, stateCode, licenseNumber) {
      const query = {
        TableName: table,
        IndexName: 'by-license-number',
        KeyConditionExpression: 'licenseNumberKey = :partition',
        ExpressionAttributeValues: toItem({
          ':partition': registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber),
        }),
      };
      const npns = new Set<string>();
      for await (const items of queryPages(client, query)) {
        for (const { pk } of items) npns.add(npnOfPartition(pk?.S ?? ''));
      }
      return [...npns];
    },
  };
}
