import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod/mini';
import { type Appointment, appointment } from '../../shared/domain/registry-records/appointment.ts';
import { type License, license } from '../../shared/domain/registry-records/license.ts';
import {
  type LicenseSort,
  npnOfPartition,
  readLicenseSort,
  registryPartitions,
} from '../../shared/domain/registry-records/stored.ts';
import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import type { IndexPartition } from '../../shared/platform/data/common-keys.ts';
import { itemKey } from '../../shared/platform/data/common-keys.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { itemPage, type PageOf } from '../../shared/platform/data/item-page.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { addDays, type CalendarDate } from '../../shared/platform/dates/calendar.ts';
import type { Page } from './store.ts';

/** Filters of licenses and appointments; they combine. */
export interface RegistryFilters {
  readonly npn?: string | undefined;
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** The members of a row of a license that its key contains. */
export interface LicenseKey extends LicenseSort {
  readonly pk: string;
  readonly sk: string;
}

/** An organization's licenses and appointments across all NPNs. */
export interface RegistryLists {
  licenses(owner: string, filters: RegistryFilters, page: PageOf): Promise<Page<License>>;
  appointments(owner: string, filters: RegistryFilters, page: PageOf): Promise<Page<Appointment>>;
  /**
   * The keys of the rows of every license, page by page, the one that ends soonest first: some 5,000 per megabyte, and no items.
   * @param selection.until leaves out rows that end later, or never.
   */
  licenseKeys(
    owner: string,
    selection: { readonly npn?: string | undefined; readonly until?: CalendarDate },
  ): AsyncIterable<LicenseKey[]>;
  /** The licenses of these keys that exist. */
  licensesOf(keys: readonly LicenseKey[]): Promise<ReadonlyMap<LicenseKey, License>>;
  /** The NPNs that hold a license of that number in that state. */
  holdersOf(owner: string, stateCode: License['stateCode'], licenseNumber: string): Promise<string[]>;
}

type Kind = 'LICENSE' | 'APPOINTMENT';

/** The index partition of every filter that is given; that of the whole list without filters. */
function partitionsOf(
  owner: string,
  kind: Kind,
  { npn, stateCode, status }: RegistryFilters,
): IndexPartition[] {
  const partitions = [
    npn !== undefined && {
      index: 'by-npn',
      attribute: 'npnKey',
      value: registryPartitions.ofNpn(owner, kind, npn),
    },
    stateCode !== undefined && {
      index: 'by-state',
      attribute: 'stateKey',
      value: registryPartitions.ofState(owner, kind, stateCode),
    },
    status !== undefined && {
      index: 'by-status',
      attribute: 'statusKey',
      value: registryPartitions.ofStatus(owner, kind, status),
    },
  ].filter((partition) => partition !== false);
  const everything = { index: 'by-list', attribute: 'listKey', value: registryPartitions.all(owner, kind) };
  return (partitions.length > 0 ? partitions : [everything]).map((partition) => ({
    ...partition,
    sort: 'listSort',
  }));
}

/** What both kinds of records can be filtered by. */
interface ListedRecord {
  readonly npn: string;
  readonly stateCode: string;
  readonly status: string;
}

/** Indexes lag: a record may have changed since it was found, and must not appear under its old filter. */
const matches = (record: ListedRecord, { npn, stateCode, status }: RegistryFilters): boolean =>
  (npn ?? record.npn) === record.npn &&
  (stateCode ?? record.stateCode) === record.stateCode &&
  (status ?? record.status) === record.status;

export function createRegistryLists(client: DynamoDBClient, table: string): RegistryLists {
  const listOf =
    <Schema extends CompatibleSchema<ListedRecord>>(kind: Kind, schema: Schema) =>
    async (owner: string, filters: RegistryFilters, page: PageOf): Promise<Page<z.output<Schema>>> => {
      const { items, total } = await itemPage(client, table, partitionsOf(owner, kind, filters), page);
      const found = items.map((item) => parseStored(schema, item));
      return { items: found.filter((one) => matches(one, filters)), total };
    };

  return {
    licenses: listOf('LICENSE', license),
    appointments: listOf('APPOINTMENT', appointment),

    async *licenseKeys(owner, { npn, until }) {
      const [index, attribute, value] =
        npn === undefined
          ? ['by-list', 'listKey', registryPartitions.all(owner, 'LICENSE')]
          : ['by-npn', 'npnKey', registryPartitions.ofNpn(owner, 'LICENSE', npn)];
      const query = {
        TableName: table,
        IndexName: index,
        ...(until === undefined
          ? {
              KeyConditionExpression: `${attribute} = :partition`,
              ExpressionAttributeValues: toItem({ ':partition': value }),
            }
          : {
              // The sort key begins with the last day.
              KeyConditionExpression: `${attribute} = :partition AND listSort < :after`,
              ExpressionAttributeValues: toItem({ ':partition': value, ':after': addDays(until, 1) }),
            }),
      };
      for await (const items of queryPages(client, query)) {
        yield items.map(({ pk, sk, listSort }) => ({
          pk: pk?.S ?? '',
          sk: sk?.S ?? '',
          ...readLicenseSort(listSort?.S ?? ''),
        }));
      }
    },

    async licensesOf(keys) {
      const items = await batchGet(client, table, keys.map(itemKey), { consistent: false });
      const byKey = new Map(items.map((item) => [`${item['pk']} ${item['sk']}`, item]));
      return new Map(
        keys.flatMap((key) => {
          const item = byKey.get(`${key.pk} ${key.sk}`);
          return item === undefined ? [] : [[key, parseStored(license, item)] as const];
        }),
      );
    },

    async holdersOf(owner, stateCode, licenseNumber) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'by-license-number',
          KeyConditionExpression: 'licenseNumberKey = :license',
          ExpressionAttributeValues: toItem({
            ':license': registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber),
          }),
        }),
      );
      return [...new Set(Items.map(({ pk }) => npnOfPartition(pk?.S ?? '')))];
    },
  };
}
