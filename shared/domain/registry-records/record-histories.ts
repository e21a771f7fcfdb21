import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { Appointment } from './appointment.ts';
import { asOf } from './as-of.ts';
import {
  type AppointmentFilters,
  createHeldRecords,
  type HeldRecords,
  itemsOf,
  type LicenseFilters,
} from './held-records.ts';
import type { License } from './license.ts';
import { registryKeys } from './stored.ts';
import { appointmentKind, licenseKind, type VersionedKind } from './versioned-kinds.ts';
import { historyOf, type RecordHistory } from './versions.ts';

/** Only the records that were live on that day, as they were then; without a day, all that there are now. */
interface OfDay {
  readonly asOf?: CalendarDate | undefined;
}

/** What an NPN holds now and held earlier: one query each, of the same items. */
export interface RecordHistories extends HeldRecords {
  licensesOf(owner: string, npn: string, filters?: LicenseFilters & OfDay): AsyncIterable<License[]>;
  appointmentsOf(
    owner: string,
    npn: string,
    filters?: AppointmentFilters & OfDay,
  ): AsyncIterable<Appointment[]>;
  /** The versions of each license, deleted ones included. */
  licenseHistoriesOf(
    owner: string,
    npn: string,
    stateCode?: License['stateCode'],
  ): AsyncIterable<RecordHistory<License>[]>;
  /** The versions of each appointment, deleted ones included. */
  appointmentHistoriesOf(
    owner: string,
    npn: string,
    stateCode?: License['stateCode'],
  ): AsyncIterable<RecordHistory<Appointment>[]>;
}

export function createRecordHistories(client: DynamoDBClient, table: string): RecordHistories {
  const held = createHeldRecords(client, table);

  async function* histories<Item>(
    kind: VersionedKind<Item>,
    partition: ReturnType<typeof registryKeys.ofNpn>,
  ): AsyncGenerator<RecordHistory<Item>[]> {
    for await (const items of itemsOf(client, table, partition)) {
      yield items.map((item) => historyOf(kind, item));
    }
  }

  async function* liveOn<Item extends { readonly status: string }>(
    pages: AsyncIterable<RecordHistory<Item>[]>,
    day: CalendarDate,
    status: string | undefined,
  ): AsyncGenerator<Item[]> {
    for await (const page of pages) {
      yield page
        .map((history) => asOf(history, day))
        .flatMap(({ isLive, record }) => (isLive && record !== undefined ? [record] : []))
        .filter((record) => status === undefined || record.status === status);
    }
  }

  const licenses = (owner: string, npn: string, stateCode?: License['stateCode']) =>
    histories(licenseKind, registryKeys.ofNpn(owner, npn, 'LICENSE', stateCode));
  const appointments = (owner: string, npn: string, stateCode?: License['stateCode']) =>
    histories(appointmentKind, registryKeys.ofNpn(owner, npn, 'APPOINTMENT', stateCode));

  return {
    licensesOf: (owner, npn, { asOf: day, ...filters } = {}) =>
      day === undefined
        ? held.licensesOf(owner, npn, filters)
        : liveOn(licenses(owner, npn, filters.stateCode), day, filters.status),
    appointmentsOf: (owner, npn, { asOf: day, ...filters } = {}) =>
      day === undefined
        ? held.appointmentsOf(owner, npn, filters)
        : liveOn(appointments(owner, npn, filters.stateCode), day, filters.status),
    licenseHistoriesOf: licenses,
    appointmentHistoriesOf: appointments,
  };
}
