import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Appointment } from './appointment.ts';
import { createHeldRecords, type HeldRecords, itemsOf } from './held-records.ts';
import type { License } from './license.ts';
import { registryKeys } from './stored.ts';
import { appointmentKind, licenseKind, type VersionedKind } from './versioned-kinds.ts';
import { historyOf, type RecordHistory } from './versions.ts';

/** What an NPN holds now and held earlier: one query each, of the same items. */
export interface RecordHistories extends HeldRecords {
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

  const licenses = (owner: string, npn: string, stateCode?: License['stateCode']) =>
    histories(licenseKind, registryKeys.ofNpn(owner, npn, 'LICENSE', stateCode));
  const appointments = (owner: string, npn: string, stateCode?: License['stateCode']) =>
    histories(appointmentKind, registryKeys.ofNpn(owner, npn, 'APPOINTMENT', stateCode));

  return {
    ...held,
    licenseHistoriesOf: licenses,
    appointmentHistoriesOf: appointments,
  };
}
