import type { CalendarDate } from '../../platform/dates/dates.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable, comparableOrNull } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import { dayAfter, knownOn, never, writtenDate } from './dates.ts';
import { identityKey } from './identity.ts';
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
  return last === undefined ? never : dayAfter(last);
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

/** A row that was stated, as the fold reads it. */
interface KnownRow<Row, Dated> {
  readonly row: Row;
  readonly dated: Dated;
  /** The one that followed it where it was stated last. */
  next?: KnownRow<Row, Dated>;
}

/** Whether two values are written alike, to the order of members at most. */
function isWrittenAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isWrittenAlike(one[name as never], other[name as never]))
  );
}

/** Statements as the fold reads them; rows that state the same are the same row there. */
export function datedStatements<Row extends object, Dated extends DatedRow>(
  statements: readonly RecordedStatement<Row>[],
  dated: (row: StatedRow<Row>) => Dated,
): Statement<Dated>[] {
  type Known = KnownRow<StatedRow<Row>, Dated>;
  const known = new Map<readonly StatedRow<Row>[], readonly Dated[]>();
  const bySign = new Map<string, readonly Known[]>();
  const knownRow = (row: StatedRow<Row>): Known => {
    const own = { row, dated: dated(row) };
    const { identity, status, begins, ends, since } = own.dated;
    const sign = `${identityKey(identity)} ${status} ${begins} ${ends} ${since}`;
    const others = bySign.get(sign) ?? [];
    const same = others.find(
      (other) => isWrittenAlike(other.row, row) || contentOf(other.row) === contentOf(row),
    );
    if (same === undefined) bySign.set(sign, [...others, own]);
    return same ?? own;
  };
  let first: Known | undefined;
  const datedRows = (rows: readonly StatedRow<Row>[]): Dated[] => {
    let before: Known | undefined;
    return rows.map((row) => {
      // Most rows come again as they are written, after the one that they came after, which is seen faster.
      const expected = before === undefined ? first : before.next;
      const own = expected !== undefined && isWrittenAlike(expected.row, row) ? expected : knownRow(row);
      if (before === undefined) first = own;
      else before.next = own;
      before = own;
      return own.dated;
    });
  };
  return statements.map(({ id, at, recordedAt, writtenAt, by, isComplete, rows }) => {
    const its = known.get(rows) ?? datedRows(rows);
    known.set(rows, its);
    return { id, at, recordedAt, writtenAt, knownOn: knownOn(at), by, isComplete, rows: its };
  });
}
