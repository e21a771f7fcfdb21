import type { CalendarDate } from '#platform/dates/dates.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable, comparableOrNull } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import { dayAfter, knownOn, never, writtenDate } from './dates.ts';
import type { RecordedStatement, StatedRow } from './records.ts';
import { type AppointmentRow, contentOf, type LicenseRow, type LineRow } from './rows.ts';
import type { DatedRow, Identity, IdentityPart, Statement } from './statements.ts';

// Rows as their days depend on them: what tells them apart, and their dates (OpenAPI, "How compliance is decided").

/** A license, or an appointment, with the row that states it. */
export interface DatedSource<Source> extends DatedRow {
  readonly source: Source;
}

const dateOf = (date: string | null): CalendarDate | null => (date === null ? null : writtenDate(date));

/** The day after the last day of a license. */
export function endsOf({
  nextRenewalDate,
  expirationDate,
}: Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>): CalendarDate {
  const [last] = [dateOf(nextRenewalDate), dateOf(expirationDate)].filter((day) => day !== null).sort();
  return last === undefined ? never : dayAfter(last);
}

const unclear = (...names: readonly (string | null)[]): IdentityPart => ({
  names: names.map(comparableOrNull),
  unnamed: 'unclear',
});

/** Identity that tells a line of authority apart from others on its license. */
export const identityOfLine = ({ code, name }: Pick<LineRow, 'code' | 'name'>): Identity => [
  unclear(code, name),
];

const datedLine = (line: LineRow): DatedRow => ({
  identity: identityOfLine(line),
  status: statusKindOf(line.status, 'license'),
  begins: dateOf(line.issueDate),
  ends: never,
  since: dateOf(line.statusDate),
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
const lineOrNull = (date: string | null): string | null =>
  allLines.has(comparable(date)) ? null : comparableOrNull(date);

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

/** The row that follows one in a statement. */
interface Place<Row, Dated> {
  next?: KnownRow<Row, Dated> | undefined;
}

/** A row that was stated, as the fold reads it, and the one that followed it where it was stated last. */
interface KnownRow<Row, Dated> extends Place<Row, Dated> {
  readonly row: Row;
  readonly dated: Dated;
}

/** Whether two values are written alike, to the order of members at most. */
function isWrittenAlike(value: unknown, otherValue: unknown): boolean {
  if (value === otherValue) return true;
  if (typeof value !== 'object' || typeof otherValue !== 'object' || value === null || otherValue === null)
    return false;
  const names = Object.keys(value);
  if (names.length !== Object.keys(otherValue).length) return false;
  for (const name of names)
    if (!isWrittenAlike(value[name as never], otherValue[name as never])) return false;
  return true;
}

/** Statements as the fold reads them; rows that state the same are the same row there. */
export function datedStatements<Row extends object, Dated extends DatedRow>(
  statements: readonly RecordedStatement<Row>[],
  dated: (row: StatedRow<Row>) => Dated,
): Statement<Dated>[] {
  type Known = KnownRow<StatedRow<Row>, Dated>;
  const byRows = new Map<readonly StatedRow<Row>[], readonly Dated[]>();
  const byContent = new Map<string, Known>();
  const start: Place<StatedRow<Row>, Dated> = {};
  const knownRow = (row: StatedRow<Row>, expectedRow: Known | undefined): Known => {
    // Most rows come again as they are written, after the one that they came after, or the next one: that is seen faster.
    for (const value of [expectedRow, expectedRow?.next])
      if (value !== undefined && isWrittenAlike(value.row, row)) return value;
    const content = contentOf(row);
    const known = byContent.get(content) ?? { row, dated: dated(row), next: expectedRow?.next };
    byContent.set(content, known);
    return known;
  };
  const datedRows = (rows: readonly StatedRow<Row>[]): Dated[] => {
    let before = start;
    return rows.map((row) => {
      const known = knownRow(row, before.next);
      before.next = known;
      before = known;
      return known.dated;
    });
  };
  return statements.map(({ id, at, recordedAt, writtenAt, by, isComplete, rows }) => {
    const datedOfStatement = byRows.get(rows) ?? datedRows(rows);
    byRows.set(rows, datedOfStatement);
    return { id, at, recordedAt, writtenAt, knownOn: knownOn(at), by, isComplete, rows: datedOfStatement };
  });
}
