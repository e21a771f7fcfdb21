import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored } from '../data/stored.ts';
import { type Appointment, appointment } from '../resources/appointment.ts';
import { type Licence, licence } from '../resources/licence.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../resources/registry-data-subscription.ts';
import { type RegulatoryAction, regulatoryAction } from '../resources/regulatory-action.ts';
import { registryKeys, subscriptionIdOf } from './stored.ts';

/** Filters of a licence list; they combine (contract, "Licence lists"). */
export interface LicenceFilters {
  readonly stateCode?: Licence['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** Filters of an appointment list; they combine (specification, "Upstream: associations, appointments, sync"). */
export type AppointmentFilters = LicenceFilters;

/** What an organization holds of the registry; all that is known of an NPN is one partition, read in one query. */
export interface RegistryRecords {
  /** The owner's subscriptions of these NPNs, by NPN; those that don't exist are left out. */
  subscriptionsOf(
    owner: string,
    npns: readonly string[],
  ): Promise<ReadonlyMap<string, RegistryDataSubscription>>;
  licencesOf(owner: string, npn: string, filters?: LicenceFilters): AsyncIterable<Licence[]>;
  appointmentsOf(owner: string, npn: string, filters?: AppointmentFilters): AsyncIterable<Appointment[]>;
  regulatoryActionsOf(owner: string, npn: string): AsyncIterable<RegulatoryAction[]>;
}

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
      yield items.map((item) => parseStored(schema, unmarshall(item))).filter(matches);
    }
  }

  return {
    async subscriptionsOf(owner, npns) {
      const keys = Array.from(new Set(npns), (npn) =>
        registryKeys.subscription(owner, subscriptionIdOf(owner, npn)),
      );
      const items = await batchGet(client, table, keys, { consistent: false });
      const found = items.map((item) => parseStored(registryDataSubscription, item));
      return new Map(found.map((subscription) => [subscription.npn, subscription]));
    },

    // An NPN has some dozens of records, so the status is picked out of what the key has selected.
    licencesOf: (owner, npn, { stateCode, status } = {}) =>
      recordsOf(
        registryKeys.ofNpn(owner, npn, 'LICENCE', stateCode),
        licence,
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
  };
}
