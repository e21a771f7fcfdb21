import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import type { Coverage, LicenseHolding } from './coverage.ts';
import { type DatedSource, identityOfLine } from './dated.ts';
import { markOn } from './days.ts';
import { type Holding, stateOn } from './holdings.ts';
import type { AppointmentRow, LicenseRow, LineRow } from './records.ts';
import { isSame } from './statements.ts';

// Licenses and appointments as lists show them: each once, by one of its rows.

/** Days on which something is in force, both included; until null: it has no end. */
export interface DaysInForce {
  readonly from: CalendarDate;
  readonly until: CalendarDate | null;
}

/** A license or an appointment on a day. */
export interface RecordOnDay<Row> {
  /** The row that says what it is: that of the day's mark, else of the last one before, else of the first one after, else the last. */
  readonly row: Row;
  readonly inForce: readonly DaysInForce[];
}

export const isInForceOn = (inForce: readonly DaysInForce[], day: CalendarDate): boolean =>
  inForce.some(({ from, until }) => from <= day && (until === null || day <= until));

/** The days on which a license or an appointment is in force. */
function daysInForceOf(holding: Holding): DaysInForce[] {
  const starts = [holding, ...holding.lines].flatMap(({ days }) => days.map(({ from }) => from));
  const daysInForce: { from: CalendarDate; until: CalendarDate | null }[] = [];
  for (const day of [...new Set(starts)].sort(compare)) {
    const open = daysInForce.at(-1);
    const isOpen = open?.until === null;
    const isInForce = stateOn(holding, day) === 'in force';
    if (isInForce && !isOpen) daysInForce.push({ from: day, until: null });
    if (!isInForce && isOpen) open.until = addDays(day, -1);
  }
  return daysInForce;
}

/** The row that says what a license or an appointment is on a day, as `Held` has it; nothing where no row of it counts. */
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
): RecordOnDay<Row>[] => shownRow.map((row) => ({ row, inForce: daysInForceOf(holding) }));

const byTexts =
  <Row>(...texts: ((row: Row) => string | null)[]) =>
  ({ row }: RecordOnDay<Row>, { row: otherHeld }: RecordOnDay<Row>): number =>
    texts.map((text) => compare(text(row) ?? '', text(otherHeld) ?? '')).find((order) => order !== 0) ?? 0;

/** Every license and appointment that is known of a holder, in force or not, as it is on a day. */
export function recordsOnDay<License extends LicenseRow, Appointment extends AppointmentRow>(
  coverage: Coverage<License, Appointment>,
  day: CalendarDate,
): {
  readonly licenses: readonly RecordOnDay<License>[];
  readonly appointments: readonly RecordOnDay<Appointment>[];
} {
  const states = [...coverage.values()];
  return {
    licenses: states
      .flatMap(({ licenses }) =>
        licenses.flatMap((license) => recordOnDay(license, day, shownLicenses(license, day))),
      )
      .sort(
        byTexts(
          ({ stateCode }) => stateCode,
          ({ licenseNumber }) => comparable(licenseNumber),
          ({ licenseClassCode, licenseClassName }) => licenseClassCode ?? licenseClassName,
        ),
      ),
    appointments: states
      .flatMap(({ appointments }) => appointments.flatMap((appointment) => recordOnDay(appointment, day)))
      .sort(
        byTexts(
          ({ stateCode }) => stateCode,
          ({ carrierName, companyCode }) => carrierName ?? companyCode,
          ({ lineOfAuthorityCode, lineOfAuthorityName }) => lineOfAuthorityCode ?? lineOfAuthorityName,
        ),
      ),
  };
}
