import type { DatedRow, Identity, Statement } from '../../shared/domain/decision/statements.ts';
import { addDays, type CalendarDate } from '../../shared/platform/dates/dates.ts';
import { type Thing, type Things, thingsOf } from './one-day-things.ts';

export interface Row extends DatedRow {
  /** Of a line, that it begins on `knownOn` unless its beginning is known (rule 11). */
  readonly beginsWhenNamed?: boolean;
  /** Of a line, that nobody knows whether the row that carries it was in force. */
  readonly isDoubtful?: boolean;
}
export interface Said extends Omit<Statement, 'rows'> {
  readonly rows: readonly Row[];
  /** Whether what it does not state live is left out; of lines, also in some partial statements (rule 11). */
  readonly leavesOut: boolean;
}

export const never = '9999-12-31';
export const earliest = (...dates: readonly CalendarDate[]): CalendarDate =>
  dates.reduce((a, b) => (a < b ? a : b), never);
export const latest = (...dates: readonly (CalendarDate | null | undefined)[]): CalendarDate =>
  dates.reduce<CalendarDate>((a, b) => (b != null && b > a ? b : a), '');
export const isWithinMonth = (from: CalendarDate, day: CalendarDate): boolean => day <= addDays(from, 30);
export const isEnd = ({ status }: Row): boolean => status !== 'live' && status !== 'pending';

/** Of several rows that all have a `since`, those that count on the day (8). */
export function countedRows(rows: readonly Row[], day: CalendarDate): readonly Row[] {
  const sinces = rows.flatMap(({ since }) => (since === null ? [] : [since])).toSorted();
  if (rows.length < 2 || sinces.length < rows.length) return rows;
  const current = sinces.findLast((since) => since <= day) ?? sinces[0] ?? never;
  const isTied = rows.some((row) => row.since === current && isEnd(row));
  return rows.flatMap((row) => {
    if (row.since === null || row.since > current) return [];
    if (isEnd(row)) return row.since === current ? [row] : [];
    const next =
      isTied && row.since === current
        ? current
        : (sinces.find((since) => since > (row.since ?? '')) ?? never);
    return [{ ...row, ends: earliest(row.ends, next) }];
  });
}

/** Whether a row that is not live tells that the days before it were in force (rule 2). */
export const tellsBefore = ({ status, since, ends }: Row, knownOn: CalendarDate): boolean =>
  status !== 'unrecognized' && (since !== null || (status === 'lapsed' && ends <= knownOn));

/** Without the rows that an import took back later, of what was recorded before. */
export function withoutDeleted(statements: readonly Said[], things: Things): Said[] {
  const orderOf = ({ recordedAt, id }: Said): string => `${recordedAt} ${id}`;
  const deletions = statements.flatMap((said) =>
    said.rows
      .filter((row) => row.isDeleted)
      .map((row) => ({ row, thing: things.of(row.identity), order: orderOf(said) })),
  );
  const isGone = (said: Said, row: Row): boolean =>
    deletions.some(
      ({ row: gone, thing, order }) =>
        thing === things.of(row.identity) &&
        gone.begins === row.begins &&
        (row.begins !== null || gone.since === row.since) &&
        orderOf(said) < order,
    );
  return statements.map((said) => ({
    ...said,
    rows: said.rows.filter((row) => !row.isDeleted && !isGone(said, row)),
  }));
}

export const thingsAmong = (statements: readonly Said[], identities: readonly Identity[]): Things =>
  thingsOf([...identities, ...statements.flatMap(({ rows }) => rows.map(({ identity }) => identity))]);

/** What is said of the lines of a license (rule 11). */
export function linesOf(statements: readonly Said[], things: Things, license: Thing): Said[] {
  let known: CalendarDate | null = null;
  let isNamed = false;
  return statements.map((said) => {
    const named = said.rows.filter((row) => things.of(row.identity) === license);
    const live = named.filter((row) => row.status === 'live');
    const rows = (live.length > 0 ? live : named.filter(isEnd)).flatMap((carrier) => {
      const begins = carrier.begins ?? known;
      const ends = isEnd(carrier) ? earliest(carrier.since ?? said.knownOn, carrier.ends) : carrier.ends;
      return (carrier.lines ?? []).map(
        (line): Row => ({
          ...line,
          begins: line.begins ?? (isNamed ? null : begins),
          notBefore: latest(line.notBefore, begins),
          ends: isEnd(line) && line.since === null ? line.ends : earliest(line.ends, ends),
          beginsWhenNamed: isNamed && line.begins === null,
          isDoubtful: isEnd(carrier) && !tellsBefore(carrier, said.knownOn),
        }),
      );
    });
    known = latest(...named.map((row) => (row.status === 'pending' ? null : row.begins))) || known;
    isNamed ||= named.length > 0;
    const isSilent =
      live.length === 0
        ? named.length > 0 || !said.isComplete
        : !said.isComplete && rows.every((row) => row.isDeleted);
    return { ...said, rows, leavesOut: !isSilent };
  });
}
