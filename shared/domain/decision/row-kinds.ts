import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { appointmentKey, changeDate, changeKey, companiesOf } from './appointment-identity.ts';
import { type AppointmentRow, type Fact, type LicenseRow, type ListKind, rowsOf, termKey } from './facts.ts';
import { statementInForce } from './license-history.ts';

/** How rows of a kind are identified and compared. */
export interface RowKind<Row> {
  readonly kind: ListKind;
  /** Tells the term or the status change that a row is of, among rows some of which may have another key for it. */
  readonly identityAmong: (rows: readonly Row[]) => (row: Row, validFrom: CalendarDate | null) => string;
  readonly keyOf: (row: Row, validFrom: CalendarDate | null) => string;
  /** The rows that count among the facts of a key, where a new one would count from `validFrom`, or from when they do. */
  readonly inForce: (
    facts: readonly Fact<Row>[],
    validFrom: CalendarDate | null,
    day: CalendarDate,
  ) => { readonly rows: readonly Row[] } | undefined;
}

export const placeOf = ({ stateCode, key }: { readonly stateCode: string; readonly key: string }): string =>
  `${stateCode} ${key}`;

export const licenseRows = <Row extends LicenseRow>(): RowKind<Row> => ({
  kind: 'license',
  keyOf: termKey,
  identityAmong: () => (row) => placeOf({ ...row, key: termKey(row) }),
  inForce: statementInForce,
});

export const appointmentRows = <Row extends AppointmentRow>(): RowKind<Row> => ({
  kind: 'appointment',
  keyOf: changeKey,
  identityAmong(rows) {
    const companies = new Map(
      Array.from(
        groupBy(rows, ({ stateCode }) => stateCode),
        ([state, ofState]) => [state, companiesOf(ofState)],
      ),
    );
    return (row, validFrom) =>
      JSON.stringify([
        row.stateCode,
        appointmentKey(row, companies.get(row.stateCode)?.(row).key),
        changeDate(row, validFrom),
      ]);
  },
  inForce(facts) {
    const last = facts.at(-1);
    return last?.what === 'stated'
      ? { rows: rowsOf(facts.filter(({ commandId }) => commandId === last.commandId)) }
      : undefined;
  },
});
