import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { toItem } from '../data/dynamo.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored } from '../data/stored.ts';
import type { CalendarDate } from '../dates/calendar.ts';
import type { Appointment } from '../resources/appointment.ts';
import type { License } from '../resources/license.ts';
import { asOf } from './as-of.ts';
import { registryKeys } from './stored.ts';
import { appointmentKind, licenseKind, type VersionedKind } from './versioned-kinds.ts';
import { historyOf, type RecordHistory } from './versions.ts';

/** Filters of a license list; they combine. */
export interface LicenseFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
  /** Only the records that were live on that day, as they were then. */
  readonly asOf?: CalendarDate | undefined;
}

/** Filters of an appointment list; they combine. */
export type AppointmentFilters = LicenseFilters;

/** What an NPN holds, on which its compliance depends: one query each. */
export interface HeldRecords {
  licensesOf(owner: string, npn: string, filters?: LicenseFilters): AsyncIterable<License[]>;
  appointmentsOf(owner: string, npn: string, filters?: AppointmentFilters): AsyncIterable<Appointment[]>;
  /** The versions of each record, deleted ones included: the same items as those of the records themselves. */
  licenseHistoriesOf(
    owner: string,
    npn: string,
    filters?: Pick<LicenseFilters, 'stateCode'>,
  ): AsyncIterable<RecordHistory<License>[]>;
  appointmentHistoriesOf(
    owner: string,
    npn: string,
    filters?: Pick<AppointmentFilters, 'stateCode'>,
  ): AsyncIterable<RecordHistory<Appointment>[]>;
}

type Partition = ReturnType<typeof registryKeys.ofNpn>;

async function* itemsOf(
  client: DynamoDBClient,
  table: string,
  { pk, skPrefix }: Partition,
): AsyncGenerator<Record<string, unknown>[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: toItem({ ':partition': pk, ':prefix': skPrefix }),
  };
  for await (const items of queryPages(client, query)) yield items.map((item) => unmarshall(item));
}

/** The records of one kind of an NPN, one database page at a time, without deleted ones. */
export async function* recordsOf<Schema extends z.core.$ZodType>(
  client: DynamoDBClient,
  table: string,
  partition: Partition,
  schema: Schema,
): AsyncGenerator<z.output<Schema>[]> {
  for await (const items of itemsOf(client, table, partition)) {
    yield items.filter(({ isDeleted }) => isDeleted !== true).map((item) => parseStored(schema, item));
  }
}

export function createHeldRecords(client: DynamoDBClient, table: string): HeldRecords {
  async function* histories<Item>(
    kind: VersionedKind<Item>,
    partition: Partition,
  ): AsyncGenerator<RecordHistory<Item>[]> {
    for await (const items of itemsOf(client, table, partition)) {
      yield items.map((item) => historyOf(kind, item));
    }
  }

  async function* liveOn<Item>(
    day: CalendarDate,
    kind: VersionedKind<Item>,
    partition: Partition,
  ): AsyncGenerator<Item[]> {
    for await (const page of histories(kind, partition)) {
      yield page
        .map((history) => asOf(history, day))
        .flatMap(({ isLive, record }) => (isLive && record !== undefined ? [record] : []));
    }
  }

  /** An NPN has some dozens of records, so the status is filtered after the key has selected them. */
  async function* held<Item extends { readonly status: string }>(
    name: 'LICENSE' | 'APPOINTMENT',
    kind: VersionedKind<Item>,
    [owner, npn, { stateCode, status, asOf: day } = {}]: Parameters<HeldRecords['licensesOf']>,
  ): AsyncGenerator<Item[]> {
    const partition = registryKeys.ofNpn(owner, npn, name, stateCode);
    const pages =
      day === undefined ? recordsOf(client, table, partition, kind.schema) : liveOn(day, kind, partition);
    for await (const page of pages) {
      yield page.filter((one) => status === undefined || one.status === status);
    }
  }

  return {
    licensesOf: (...selection) => held('LICENSE', licenseKind, selection),
    appointmentsOf: (...selection) => held('APPOINTMENT', appointmentKind, selection),
    licenseHistoriesOf: (owner, npn, { stateCode } = {}) =>
      histories(licenseKind, registryKeys.ofNpn(owner, npn, 'LICENSE', stateCode)),
    appointmentHistoriesOf: (owner, npn, { stateCode } = {}) =>
      histories(appointmentKind, registryKeys.ofNpn(owner, npn, 'APPOINTMENT', stateCode)),
  };
}
