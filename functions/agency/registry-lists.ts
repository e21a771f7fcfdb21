import * as z from 'zod/mini';
import type { DaysInForce } from '../../shared/domain/decision/held.ts';
import { type License, license } from '../../shared/domain/registry/resources.ts';
import { listedAppointment, listedLicense, shownOn } from '../../shared/domain/registry-records/listed.ts';
import {
  type LicenseSort,
  npnOfPartition,
  readLicenseSort,
  registryPartitions,
} from '../../shared/domain/registry-records/stored.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { below } from '../../shared/platform/data/expressions.ts';
import type { StoredSchema } from '../../shared/platform/data/stored.ts';
import { itemKey, storedItem } from '../../shared/platform/data/stored.ts';
import type { IndexPartition, PageOf, Table } from '../../shared/platform/data/table.ts';
import { addDays, type CalendarDate, newYorkDate } from '../../shared/platform/dates/dates.ts';

/** Filters of licenses and appointments; they combine. */
export interface RegistryFilters {
  readonly npn?: string | undefined;
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
  /** Of licenses: those that end before this day, by what ends first of their last term. */
  readonly expiresBefore?: CalendarDate | undefined;
}

/** The members of a license that its key contains. */
export interface LicenseKey extends LicenseSort {
  readonly pk: string;
  readonly sk: string;
}

type Kind = 'LICENSE' | 'APPOINTMENT';

type RegistryIndex = 'by-list' | 'by-npn' | 'by-state' | 'by-status';

/** The index partition of every filter that is given; that of the whole list without filters. */
function partitionsOf(
  owner: string,
  kind: Kind,
  { npn, stateCode, status, expiresBefore }: RegistryFilters,
): IndexPartition<RegistryIndex>[] {
  const partitions: (IndexPartition<RegistryIndex> | false)[] = [
    npn !== undefined && { index: 'by-npn', value: registryPartitions.ofNpn(owner, kind, npn) },
    stateCode !== undefined && {
      index: 'by-state',
      value: registryPartitions.ofState(owner, kind, stateCode),
    },
    status !== undefined && { index: 'by-status', value: registryPartitions.ofStatus(owner, kind, status) },
  ];
  const given = partitions.filter((partition) => partition !== false);
  const [first = { index: 'by-list' as const, value: registryPartitions.all(owner, kind) }, ...others] =
    given;
  // The sort key of licenses begins with the last day.
  const sort = expiresBefore === undefined ? undefined : below(expiresBefore);
  return [first, ...others].map((partition) => ({ ...partition, sort }));
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

/** A license's key, and what sorts its lists. */
const listedKey = storedItem('registry-records/key-of-license', () => ({
  pk: z.string(),
  sk: z.string(),
  listSort: z.string(),
}));

/** An organization's licenses and appointments across all NPNs. */
export function createRegistryLists(table: Table<RegistryIndex | 'by-license-number'>) {
  const listOf =
    <Row extends ListedRecord>(
      kind: Kind,
      schema: StoredSchema<Row & { readonly inForce: readonly DaysInForce[] }>,
    ) =>
    async (owner: string, filters: RegistryFilters, page: PageOf, now: Date) => {
      const { items, total } = await table.itemPage(schema, partitionsOf(owner, kind, filters), page);
      const today = newYorkDate(now);
      return { items: items.filter((one) => matches(one, filters)).map((one) => shownOn(one, today)), total };
    };

  return {
    licenses: listOf('LICENSE', listedLicense),
    appointments: listOf('APPOINTMENT', listedAppointment),

    /**
     * The keys of every license, page by page, the one that ends soonest first: some 5,000 per megabyte, and no items.
     * @param selection.until leaves out those that end later, or never.
     */
    async *licenseKeys(
      owner: string,
      { npn, until }: { readonly npn?: string | undefined; readonly until?: CalendarDate },
    ): AsyncIterable<LicenseKey[]> {
      const { index, value }: IndexPartition<RegistryIndex> =
        npn === undefined
          ? { index: 'by-list', value: registryPartitions.all(owner, 'LICENSE') }
          : { index: 'by-npn', value: registryPartitions.ofNpn(owner, 'LICENSE', npn) };
      // The sort key begins with the last day.
      const ending = until === undefined ? {} : { sort: below(addDays(until, 1)) };
      for await (const items of table.query(listedKey, value, { index, ...ending })) {
        yield items.map(({ pk, sk, listSort }) => ({ pk, sk, ...readLicenseSort(listSort) }));
      }
    },

    /** The licenses of these keys that exist, each to be had by its key. */
    licensesOf: (keys: readonly LicenseKey[]) => table.getByKey(license, keys, { consistent: false }),

    /** The NPNs that hold a license of that number in that state. */
    async holdersOf(owner: string, stateCode: License['stateCode'], licenseNumber: string) {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const keys = await collect(table.query(itemKey, value, { index: 'by-license-number' }));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
