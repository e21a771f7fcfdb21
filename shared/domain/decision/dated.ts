import { valueByKey } from '#platform/data/caches.ts';
import { isSameJson } from '#platform/data/json.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable, comparableOrNull } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import { dayAfter, knownOn, never, writtenDate } from './dates.ts';
import {
  type AppointmentRow,
  contentOf,
  type LicenseRow,
  type LineRow,
  type RecordedStatement,
  type StatedRow,
} from './records.ts';
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

const partOf = (unnamed: IdentityPart['unnamed'], ...names: readonly (string | null)[]): IdentityPart => ({
  names: names.map(comparableOrNull),
  unnamed,
});

/** Identity that tells a line of authority apart from others on its license. */
export const identityOfLine = ({ code, name }: Pick<LineRow, 'code' | 'name'>): Identity => [
  partOf('unclear', code, name),
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
  identity: [
    partOf('unclear', source.licenseNumber),
    partOf('unclear', source.licenseClassCode, source.licenseClassName),
  ],
  status: statusKindOf(source.status, 'license'),
  begins: dateOf(source.issueDate),
  ends: endsOf(source),
  since: dateOf(source.statusDate),
  ...(source.isDeleted === true ? { isDeleted: true } : {}),
  lines: source.linesOfAuthority.map(datedLine),
});

const allLines = new Set(['all', 'alllines']);

/** The line of an appointment; null for all lines. */
const lineOrNull = (line: string | null): string | null => (allLines.has(comparable(line)) ? null : line);

export function datedAppointment<Row extends AppointmentRow>(source: StatedRow<Row>): DatedSource<Row> {
  const { companyCode, ein, carrierName, lineOfAuthorityCode, lineOfAuthorityName } = source;
  const status = statusKindOf(source.status, 'appointment', source.terminationReason);
  const since = dateOf(source.statusChangeDate);
  return {
    source,
    identity: [
      partOf('unclear', companyCode, ein, carrierName && comparableName(carrierName)),
      partOf('all lines', lineOrNull(lineOfAuthorityCode), lineOrNull(lineOfAuthorityName)),
      partOf('whole state', source.countyCode, source.countyName),
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
  const byRows = new Map<readonly StatedRow<Row>[], readonly Dated[]>();
  const byContent = new Map<string, { readonly row: StatedRow<Row>; readonly dated: Dated }>();
  let former: { readonly row: StatedRow<Row>; readonly dated: Dated }[] = [];
  const datedRows = (rows: readonly StatedRow<Row>[]): Dated[] => {
    const before = former;
    let place = 0;
    former = rows.map((row) => {
      // Most rows come again as they are written, after the one that they came after, or the next one: that is seen faster.
      const known =
        before.slice(place, place + 2).find((one) => isSameJson(one.row, row)) ??
        valueByKey(byContent, contentOf(row), () => ({ row, dated: dated(row) }));
      place = Math.max(place, before.indexOf(known, place) + 1);
      return known;
    });
    return former.map((known) => known.dated);
  };
  return statements.map(({ id, at, recordedAt, writtenAt, by, isComplete, rows }) => {
    const rowsOfStatement = valueByKey(byRows, rows, () => datedRows(rows));
    return { id, at, recordedAt, writtenAt, knownOn: knownOn(at), by, isComplete, rows: rowsOfStatement };
  });
}
