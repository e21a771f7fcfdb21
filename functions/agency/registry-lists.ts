import * as z from 'zod/mini';
import { recordsOnDay } from '#domain/decision/held.ts';
import {
  type HeldAppointment,
  type HeldLicense,
  meetsFilters,
  type RegistryFilters,
} from '#domain/registry/resources.ts';
import { type LicenseSort, readLicenseSort } from '#domain/registry-records/license-entries.ts';
import { noCoverage, type RecordedHolders } from '#domain/registry-records/store.ts';
import { npnOfPartition, registryPartitions } from '#domain/registry-records/stored.ts';
import { appointmentsOfHead, type HolderCoverage } from '#domain/registry-records/stored-records.ts';
import { below, startsWith } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import { type IndexPartition, type PageOf, pageAmong, type Table } from '#platform/data/table.ts';
import { addDays, type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';

/** Filters of appointments; they combine. */
export interface AppointmentFilters extends RegistryFilters {
  readonly npn?: string | undefined;
}

/** Filters of licenses, likewise. */
interface LicenseFilters extends AppointmentFilters {
  /** Day before which a license ends, by what ends first of its last term. */
  readonly expiresBefore?: CalendarDate | undefined;
}

/** The members of a license that its key contains. */
export interface LicenseKey extends LicenseSort {
  readonly pk: string;
  readonly sk: string;
}

type RegistryIndex = 'by-list' | 'by-npn' | 'by-state' | 'by-status';

/** The index partition of every filter of licenses that is given; that of the whole list without filters. */
function partitionsOf(
  owner: string,
  { npn, stateCode, status, expiresBefore }: LicenseFilters,
): IndexPartition<RegistryIndex>[] {
  const partitions: (IndexPartition<RegistryIndex> | false)[] = [
    npn !== undefined && { index: 'by-npn', value: registryPartitions.licensesOfNpn(owner, npn) },
    stateCode !== undefined && {
      index: 'by-state',
      value: registryPartitions.licensesOfState(owner, stateCode),
    },
    status !== undefined && {
      index: 'by-status',
      value: registryPartitions.licensesOfStatus(owner, status),
    },
  ];
  const givenPartitions = partitions.filter((partition) => partition !== false);
  const [
    first = { index: 'by-list' as const, value: registryPartitions.licenses(owner) },
    ...otherPartitions
  ] = givenPartitions;
  // The sort key begins with the last day.
  const sort = expiresBefore === undefined ? undefined : below(expiresBefore);
  return [first, ...otherPartitions].map((partition) => ({ ...partition, sort }));
}

/** A license's key, and what sorts its lists. */
const listedKey = storedItem('registry-records/key-of-license', {
  pk: z.string(),
  sk: z.string(),
  listSort: z.string(),
});

/** Appointments of a holder in a state that a page shows: from which to which of them, the last one excluded. */
interface ShownAppointments {
  readonly npn: string;
  readonly stateCode: string;
  readonly from: number;
  readonly until: number;
}

/** An organization's licenses and appointments across all NPNs, by keys of entries and of heads; what is shown is read from heads. */
export function createRegistryLists(
  table: Table<RegistryIndex>,
  { licensesOf, coverageOf, coveragesOf }: RecordedHolders,
) {
  /** The appointments of a page, as far as keys tell, and how many there are on all pages. */
  async function appointmentPage(
    owner: string,
    { stateCode, status }: RegistryFilters,
    { page, limit }: PageOf,
  ) {
    const first = (page - 1) * limit;
    const shownAppointments: ShownAppointments[] = [];
    let total = 0;
    const heads = table.query(appointmentsOfHead, registryPartitions.appointments(owner), {
      index: 'by-list',
      ...(stateCode === undefined ? {} : { sort: startsWith(`${stateCode}#`) }),
    });
    for await (const headPage of heads) {
      for (const { pk, listSort, counts } of headPage) {
        const statusCounts = Object.entries(counts).filter(([name]) => name === (status ?? name));
        const count = statusCounts.reduce((sum, [, ofStatus]) => sum + ofStatus, 0);
        const [from, until] = [Math.max(0, first - total), Math.min(count, first + limit - total)];
        const [state = ''] = listSort.split('#');
        if (from < until) shownAppointments.push({ npn: npnOfPartition(pk), stateCode: state, from, until });
        total += count;
      }
    }
    return { shownAppointments, total };
  }

  return {
    /** A page of licenses, the one that ends soonest first. */
    async licenses(owner: string, filters: LicenseFilters, page: PageOf, now: Date) {
      const { keys, total } = await table.keyPage(partitionsOf(owner, filters), page);
      const today = newYorkDate(now);
      const licenseOf = await licensesOf(owner, keys, today);
      // Indexes lag: a license may have changed since it was found, and must not appear under its old status.
      const items = keys.flatMap((key): HeldLicense[] => {
        const license = licenseOf(key);
        return license !== undefined && meetsFilters(license.row, filters)
          ? [{ ...license.row, isInForce: license.isInForce }]
          : [];
      });
      return { items, total };
    },

    /** A page of appointments, by state and holder. */
    async appointments(owner: string, filters: AppointmentFilters, page: PageOf, now: Date) {
      const today = newYorkDate(now);
      const { npn } = filters;
      const matching = (coverage: HolderCoverage, stateCode: string | undefined = filters.stateCode) =>
        recordsOnDay(coverage, today)
          .appointments.filter(({ row }) => meetsFilters(row, { ...filters, stateCode }))
          .map(({ row, isInForce }): HeldAppointment => ({ ...row, isInForce }));
      if (npn !== undefined) {
        const appointments = matching(await coverageOf(owner, npn, { classKinds: [] }));
        return { items: pageAmong(appointments, page), total: appointments.length };
      }
      const { shownAppointments, total } = await appointmentPage(owner, filters, page);
      const ofNpn = Map.groupBy(shownAppointments, (appointment) => appointment.npn);
      const coverages = await coveragesOf(owner, [...ofNpn.keys()], {
        classKinds: [],
        statesOf: (holderNpn) => ofNpn.get(holderNpn)?.map((appointment) => appointment.stateCode),
      });
      const items = shownAppointments.flatMap((appointment) =>
        matching(coverages.get(appointment.npn) ?? noCoverage, appointment.stateCode).slice(
          appointment.from,
          appointment.until,
        ),
      );
      return { items, total };
    },

    /**
     * The keys of every license, page by page, the one that ends soonest first: some 5,000 per megabyte, and no items.
     * @param selection.until leaves out those that end later, or never.
     */
    async *licenseKeys(
      owner: string,
      { npn, until }: { readonly npn?: string | undefined; readonly until?: CalendarDate },
    ): AsyncIterable<LicenseKey[]> {
      const [partition] = partitionsOf(owner, { npn, expiresBefore: until && addDays(until, 1) });
      if (partition === undefined) return;
      const { value, ...query } = partition;
      for await (const items of table.query(listedKey, value, query)) {
        yield items.map(({ pk, sk, listSort }) => ({ pk, sk, ...readLicenseSort(listSort) }));
      }
    },
  };
}
