import type { CalendarDate } from '../../platform/dates/dates.ts';
import { always, earlierOf } from './dates.ts';
import { by, DayMarks, isEnd, isLive, type Mark, markOn, type Saying, type Span } from './days.ts';
import { identityKey, isSame, type Named, namedBy } from './identity.ts';
import type { DatedRow, Identity, Statement } from './statements.ts';

// What a holder holds in a state: licenses or appointments, each with its days. The numbers in parentheses are those of the rules of
// days (OpenAPI, "How compliance is decided").

/** A license, a line of authority, or an appointment. */
export interface Holding<Row extends DatedRow = DatedRow> {
  /** In the order of their statements. */
  readonly rows: readonly Row[];
  /** In the order of days, the first one from `always`. */
  readonly days: readonly Span<Row>[];
  /** Of a license that ever carried any. */
  readonly lines: readonly Holding[];
}

/** A statement, with what it leaves out where that does not follow from its completeness: of lines. */
type LineStatement<Row extends DatedRow> = Statement<Row> & { readonly leavesOut?: boolean };

/** Statements in the order in which they count, without rows that a later one says never were. */
function counting<Row extends DatedRow>(statements: readonly LineStatement<Row>[]): LineStatement<Row>[] {
  const deletions = statements.flatMap(({ recordedAt, rows }) =>
    rows.flatMap((row) => (row.isDeleted === true ? { row, recordedAt } : [])),
  );
  const isDeleted = (row: Row, recordedAt: string): boolean =>
    deletions.some(
      (deletion) =>
        (recordedAt < deletion.recordedAt || row === deletion.row) &&
        isSame(row.identity, deletion.row.identity) &&
        row.begins === deletion.row.begins &&
        (row.begins !== null || row.since === deletion.row.since),
    );
  return statements
    .map((statement) => {
      const rows = statement.rows.filter((row) => !isDeleted(row, statement.recordedAt));
      return { ...statement, rows };
    })
    .toSorted(by(({ at, recordedAt, id }) => `${at} ${recordedAt} ${id}`));
}

/** What statements say of one license, line, or appointment. */
function sayingsOf<Row extends DatedRow>(
  statements: readonly LineStatement<Row>[],
  { identities, ends }: Named,
): Saying<Row>[] {
  const keys = new Set(identities.map(identityKey));
  return statements.map(({ leavesOut, ...statement }) => {
    const reached = (reach: 'own' | 'may mean' | 'doubts'): Row[] =>
      statement.rows.filter((row) => isEnd(row) && ends.get(identityKey(row.identity)) === reach);
    return {
      statement,
      live: statement.rows.filter((row) => isLive(row) && keys.has(identityKey(row.identity))),
      ends: reached('own'),
      unclearEnds: reached('may mean'),
      doubts: reached('doubts'),
      leavesOut: leavesOut ?? statement.isComplete,
    };
  });
}

/** (11) What was stated of the lines of one license, by the rows that carry them. */
function statementsOfLines(sayings: readonly Saying<DatedRow>[]): LineStatement<DatedRow>[] {
  const naming = sayings.filter(({ live, ends }) => live.length + ends.length > 0);
  return naming.flatMap(({ statement, live, ends }, index) => {
    const rows = (live.length > 0 ? live : ends).flatMap((row) => {
      const end = isLive(row) ? row.ends : earlierOf(row.since ?? statement.knownOn, row.ends);
      return (row.lines ?? []).map((line) => ({
        ...line,
        begins: line.begins ?? (index === 0 ? row.begins : null),
        ends: earlierOf(line.ends, end),
        notBefore: row.begins ?? always,
      }));
    });
    const isSilent = rows.length === 0 && !statement.isComplete;
    return isSilent ? [] : [{ ...statement, rows, leavesOut: live.length > 0 }];
  });
}

/** (9) Days on which what it may be has ended are not known. */
function doubted<Row extends DatedRow>(
  days: readonly Span<Row>[],
  others: readonly (readonly Span<Row>[])[],
): readonly Span<Row>[] {
  const starts = [days, ...others].flatMap((spans) => spans.map(({ from }) => from));
  return [...new Set(starts)].sort().map((from) => {
    const mark = markOn(days, from);
    const isEnded = others.some((other) => markOn(other, from)?.end !== undefined);
    return { from, mark: mark?.is === 'in force' && isEnded ? { ...mark, is: 'not known' } : mark };
  });
}

/**
 * The licenses, or the appointments, of a holder in a state, and the days of each.
 * @param statements all that count, in any order.
 */
export function holdingsOf<Row extends DatedRow>(statements: readonly LineStatement<Row>[]): Holding<Row>[] {
  const counted = counting(statements);
  const rows = counted.flatMap((statement) => statement.rows);
  const identities = (some: readonly Row[]): Identity[] => some.map(({ identity }) => identity);
  const held = namedBy(identities(rows.filter((row) => !isEnd(row))), identities(rows.filter(isEnd))).map(
    (named) => {
      const sayings = sayingsOf(counted, named);
      const marks = new DayMarks<Row>();
      const keys = named.identities.map(identityKey);
      const first = rows.find(({ identity }) => keys.includes(identityKey(identity)));
      if (first !== undefined) for (const saying of sayings) marks.add(saying, first);
      const lines = statementsOfLines(sayings);
      return {
        rows: sayings.flatMap(({ live, ends }) => [...live, ...ends]),
        days: marks.spans,
        lines: lines.some((statement) => statement.rows.length > 0) ? holdingsOf<DatedRow>(lines) : [],
        lookalikes: named.lookalikes,
      };
    },
  );
  return held.map(({ lookalikes, ...holding }) => {
    const others = lookalikes.flatMap((index) => held[index] ?? []).map(({ days }) => days);
    return others.length === 0 ? holding : { ...holding, days: doubted(holding.days, others) };
  });
}

export type DayState = 'in force' | 'not known' | 'not in force';

const stateOfMark = (mark: Mark | undefined): DayState =>
  mark?.is === 'in force' || mark?.is === 'not known' ? mark.is : 'not in force';

/**
 * What a license is on a day, or an appointment; (11) a license that ever carried lines, only with one of them.
 * @param isMeant the lines of which one is asked for; by default any.
 */
export function stateOn(
  { days, lines }: Holding,
  day: CalendarDate,
  isMeant: (line: Holding) => boolean = () => true,
): DayState {
  const own = stateOfMark(markOn(days, day));
  if (lines.length === 0 || own === 'not in force') return own;
  const states = lines.filter(isMeant).map((line) => stateOfMark(markOn(line.days, day)));
  if (states.includes('in force')) return own;
  return states.includes('not known') ? 'not known' : 'not in force';
}
