import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable, comparableOrNull } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import { knownOn, never, writtenDate } from './dates.ts';
import type { RecordedStatement, StatedRow } from './records.ts';
import { type AppointmentRow, contentOf, type LicenseRow, type LineRow } from './rows.ts';
import type { DatedRow, IdentityPart, Statement } from './statements.ts';

// Rows as their days depend on them: what tells them apart, and their dates (OpenAPI, "How compliance is decided").

/** A license, or an appointment, with the row that states it. */
export interface DatedSource<Source> extends DatedRow {
  readonly source: Source;
}

const dateOf = (written: string | null): CalendarDate | null =>
  written === null ? null : writtenDate(written);

/** The day after the last day of a license. */
export function endsOf({
  nextRenewalDate,
  expirationDate,
}: Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>): CalendarDate {
  const [last] = [dateOf(nextRenewalDate), dateOf(expirationDate)].filter((day) => day !== null).sort();
  return last === undefined ? never : addDays(last, 1);
}

const unclear = (...names: readonly (string | null)[]): IdentityPart => ({
  names: names.map(comparableOrNull),
  unnamed: 'unclear',
});

const datedLine = ({ code, name, status, issueDate, statusDate }: LineRow): DatedRow => ({
  identity: [unclear(code, name)],
  status: statusKindOf(status, 'license'),
  begins: dateOf(issueDate),
  ends: never,
  since: dateOf(statusDate),
});

export const datedLicense = <Row extends LicenseRow>(source: StatedRow<Row>): DatedSource<Row> => ({
  source,
  identity: [unclear(source.licenseNumber), unclear(source.licenseClassCode, source.licenseClassName)],
  status: statusKindOf(source.status, 'license'),
  begins: dateOf(source.issueDate),
  ends: endsOf(source),
  since: dateOf(source.statusDate),
  ...(source.isDeleted === true ? { isDeleted: true } : {}),
  lines: source.linesOfAuthority.map(datedLine),
});

const allLines = new Set(['all', 'alllines']);

/** A line of an appointment as it is compared; null for all lines. */
const lineOrNull = (written: string | null): string | null =>
  allLines.has(comparable(written)) ? null : comparableOrNull(written);

export function datedAppointment<Row extends AppointmentRow>(source: StatedRow<Row>): DatedSource<Row> {
  const status = statusKindOf(source.status, 'appointment', source.terminationReason);
  const since = dateOf(source.statusChangeDate);
  const company = source.carrierName === null ? null : comparableOrNull(comparableName(source.carrierName));
  return {
    source,
    identity: [
      {
        names: [comparableOrNull(source.companyCode), comparableOrNull(source.ein), company],
        unnamed: 'unclear',
      },
      {
        names: [lineOrNull(source.lineOfAuthorityCode), lineOrNull(source.lineOfAuthorityName)],
        unnamed: 'all lines',
      },
      {
        names: [comparableOrNull(source.countyCode), comparableOrNull(source.countyName)],
        unnamed: 'whole state',
      },
    ],
    status,
    begins: dateOf(source.effectiveDate) ?? (status === 'live' ? since : null),
    ends: never,
    since,
    ...(source.isDeleted === true ? { isDeleted: true } : {}),
  };
}

/** Statements as the fold reads them; rows that state the same are the same row there. */
export function datedStatements<Row extends object, Dated extends DatedRow>(
  statements: readonly RecordedStatement<Row>[],
  dated: (row: StatedRow<Row>) => Dated,
): Statement<Dated>[] {
  const known = new Map<readonly StatedRow<Row>[], readonly Dated[]>();
  const byContent = new Map<string, Dated>();
  // Most rows come again as they are written, which is told faster.
  const byText = new Map<string, Dated>();
  const datedRow = (row: StatedRow<Row>): Dated => {
    const text = JSON.stringify(row);
    const written = byText.get(text);
    if (written !== undefined) return written;
    const content = contentOf(row);
    const same = byContent.get(content) ?? dated(row);
    byContent.set(content, same);
    byText.set(text, same);
    return same;
  };
  return statements.map(({ id, at, recordedAt, by, isComplete, rows }) => {
    const datedRows = known.get(rows) ?? rows.map(datedRow);
    known.set(rows, datedRows);
    return { id, at, recordedAt, knownOn: knownOn(at), by, isComplete, rows: datedRows };
  });
}
