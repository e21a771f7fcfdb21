import type { CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import type { Coverage, LicenseHolding } from './coverage.ts';
import { type DatedSource, identityOfLine } from './dated.ts';
import { by, markOn } from './days.ts';
import { type Holding, stateOn } from './holdings.ts';
import type { LicenseRow, LineRow, RowsOfKinds } from './records.ts';
import { isSame } from './statements.ts';

// Licenses and appointments as lists show them: each once, by one of its rows.

/** A license or an appointment on a day. */
export interface RecordOnDay<Row> {
  /** The row that says what it is: that of the day's mark, else of the last one before, else of the first one after, else the last. */
  readonly row: Row;
  readonly isInForce: boolean;
}

/** The row that says what a license or an appointment is on a day, as `RecordOnDay` has it; nothing where no row of it counts. */
export function shownRows<Row>({ days, said }: Holding<DatedSource<Row>>, day: CalendarDate): Row[] {
  const markedSpans = days.filter(({ mark }) => mark !== undefined);
  const { mark } = markedSpans.findLast(({ from }) => from <= day) ?? markedSpans[0] ?? {};
  const row = (mark ?? said.at(-1))?.row;
  return row === undefined ? [] : [row.source];
}

/**
 * Finds the row that says what a license is on a day. A license that is live has the lines, too, that other rows of it alone name
 * and that nothing has ended: many files have a row for each line.
 */
export const shownLicenses = <Row extends LicenseRow>(
  holding: LicenseHolding<Row>,
  day: CalendarDate,
): Row[] =>
  shownRows(holding, day).map((row) => {
    if (statusKindOf(row.status, 'license') !== 'live') return row;
    const ownLines = row.linesOfAuthority.map(identityOfLine);
    const otherLines = holding.lines.flatMap(({ days, said }) => {
      const is = markOn(days, day)?.is;
      const identities = said.map((one) => one.row.identity);
      const isNamed = ownLines.some((one) => identities.some((identity) => isSame(one, identity)));
      if (isNamed || is === 'ended' || is === 'left out') return [];
      const isOfIt = (line: LineRow) => identities.some((one) => isSame(one, identityOfLine(line)));
      const lines = holding.said.flatMap((one) => one.row.source.linesOfAuthority.filter(isOfIt));
      return lines.slice(-1);
    });
    return otherLines.length === 0
      ? row
      : { ...row, linesOfAuthority: [...row.linesOfAuthority, ...otherLines] };
  });

/** A license or an appointment as it is on a day. */
export const recordOnDay = <Row>(
  holding: Holding<DatedSource<Row>>,
  day: CalendarDate,
  shownRow: readonly Row[] = shownRows(holding, day),
): RecordOnDay<Row>[] => shownRow.map((row) => ({ row, isInForce: stateOn(holding, day) === 'in force' }));

/** Every license and appointment that is known of a holder, in force or not, as it is on a day. */
export function recordsOnDay<Rows extends RowsOfKinds>(coverage: Coverage<Rows>, day: CalendarDate) {
  const states = [...coverage.values()];
  const licenses = states.flatMap((state) =>
    state.licenses.flatMap((license) => recordOnDay(license, day, shownLicenses(license, day))),
  );
  const appointments = states.flatMap((state) =>
    state.appointments.flatMap((appointment) => recordOnDay(appointment, day)),
  );
  return {
    licenses: licenses.sort(
      by(({ row: { stateCode, licenseNumber, licenseClassCode, licenseClassName } }) =>
        [stateCode, comparable(licenseNumber), licenseClassCode ?? licenseClassName].join('\0'),
      ),
    ),
    appointments: appointments.sort(
      by(({ row: { stateCode, carrierName, companyCode, lineOfAuthorityCode, lineOfAuthorityName } }) =>
        [stateCode, carrierName ?? companyCode, lineOfAuthorityCode ?? lineOfAuthorityName].join('\0'),
      ),
    ),
  };
}
