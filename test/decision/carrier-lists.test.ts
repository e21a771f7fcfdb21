import * as fc from 'fast-check';
import { appointmentList, licenseList } from '#domain/carrier-lists/rows.ts';
import { coverageOf, rowsInForce } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import type { StoredRecords } from '#domain/registry-records/stored-records.ts';
import { recordedBy } from './commands.ts';
import { commands, holds, someDay } from './histories.ts';

test('What a carrier’s own lists show in force on a day is what the decision counts on it', () =>
  holds(
    fc.property(commands, someDay, (history, day) => {
      // Whose the rows are, nothing here asks.
      const records = recordedBy(history) as object as StoredRecords;
      const coverage = coverageOf(records, never);
      const listed = (list: typeof licenseList | typeof appointmentList) =>
        [...coverage.values()].flatMap((state) =>
          list.entriesOf(state, day).flatMap(({ row, isInForce }) => (isInForce ? row : [])),
        );
      const states = [...coverage.values()];
      expect(listed(licenseList)).toEqual(states.flatMap(({ licenses }) => rowsInForce(licenses, day)));
      expect(listed(appointmentList)).toEqual(
        states.flatMap(({ appointments }) => rowsInForce(appointments, day)),
      );
    }),
    100,
  ));
