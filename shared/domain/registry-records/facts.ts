import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { collect } from '../../platform/data/collect.ts';
import { changeKey, type Fact, type HolderFacts, noFacts, termKey } from '../decision/facts.ts';
import type { Appointment } from './appointment.ts';
import type { License } from './license.ts';
import { createRecordHistories } from './record-histories.ts';
import type { RecordHistory } from './versions.ts';

/** What is recorded of a holder's licenses and appointments, with all that was recorded earlier. */
export interface RecordedFacts {
  /** The facts of an NPN, in one state or in all; none for an agency without an NPN. */
  factsOf(
    owner: string,
    npn: string | null,
    stateCode?: License['stateCode'],
  ): Promise<HolderFacts<License, Appointment>>;
}

/** The facts that the versions of a record state. What a list no longer named was complete with it. */
function factsOfHistory<Row extends License | Appointment>(
  history: RecordHistory<Row>,
  keyOf: (row: Row, validFrom: string | null) => string,
): Fact<Row>[] {
  return history.flatMap(
    ({ record, isDeleted, isDated, validFrom, changedBy, recordedAt }, index): Fact<Row>[] => {
      const given = isDated ? validFrom : null;
      const fact = {
        stateCode: record.stateCode,
        key: keyOf(record, given),
        commandId: `${changedBy} ${recordedAt}`,
        commandAt: recordedAt,
        recordedAt,
      };
      if (isDeleted) return [{ ...fact, what: changedBy === 'import' ? 'retracted' : 'left out' }];
      const before = history[index - 1];
      const former = before === undefined || before.isDeleted ? fact.key : keyOf(before.record, null);
      const isLeftOut = former !== fact.key && changedBy !== 'import';
      return [
        { ...fact, what: 'stated', rows: [record], validFrom: given },
        ...(isLeftOut ? [{ ...fact, key: former, what: 'left out' as const }] : []),
      ];
    },
  );
}

export function createRecordedFacts(client: DynamoDBClient, table: string): RecordedFacts {
  const records = createRecordHistories(client, table);
  return {
    async factsOf(owner, npn, stateCode) {
      if (npn === null) return noFacts;
      const [licenseHistories, appointmentHistories] = await Promise.all([
        collect(records.licenseHistoriesOf(owner, npn, stateCode)),
        collect(records.appointmentHistoriesOf(owner, npn, stateCode)),
      ]);
      const licenses = licenseHistories.flatMap((history) => factsOfHistory(history, termKey));
      const appointments = appointmentHistories.flatMap((history) => factsOfHistory(history, changeKey));
      const closings = [
        ...licenses.map((fact) => ({ ...fact, kind: 'license' as const })),
        ...appointments.map((fact) => ({ ...fact, kind: 'appointment' as const })),
      ].filter(({ what }) => what === 'left out');
      return { licenses, appointments, closings };
    },
  };
}
