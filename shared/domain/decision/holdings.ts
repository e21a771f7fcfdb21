import type { CalendarDate } from '../../platform/dates/dates.ts';
import { earlierOf } from './dates.ts';
import {
  by,
  type Counted,
  DayMarks,
  isEnd,
  isLive,
  type Mark,
  markOn,
  type ReachedRow,
  type Saying,
  type Span,
} from './days.ts';
import { identityKey, isSame, namingOf, sameAmong } from './identity.ts';
import { type Recorded, writtenAtOf } from './records.ts';
import type { DatedRow, Identity, Statement } from './statements.ts';

// What a holder holds in a state: licenses or appointments, each with its days. The numbers in parentheses are those of the rules of
// days (OpenAPI, "How compliance is decided").

/** A row, and the statement that has it. */
export interface Said<Row extends DatedRow = DatedRow> {
  readonly row: Row;
  readonly statement: Statement<Row>;
}

/** A license, a line of authority, or an appointment. */
export interface Holding<Row extends DatedRow = DatedRow> {
  /** Tells it apart from others of its kind in the state. */
  readonly key: string;
  /** When something was last recorded of it; absent of a line. */
  readonly recordedAt?: string | undefined;
  /**
   * Its rows with their statements, in the order of these: live and pending ones, and ends that reach it, also unclear ones;
   * without those that repeat what their source said last.
   */
  readonly said: readonly Said<Row>[];
  /** In the order of days, the first one from `always`. */
  readonly days: readonly Span<Row>[];
  /** Of a license that ever carried any. */
  readonly lines: readonly Holding[];
}

/** The rows that say what a license, a line, or an appointment is called: an end that reaches it may be of another. */
export function namingRows<One extends { readonly row: DatedRow }>(said: readonly One[]): readonly One[] {
  const naming = said.filter(({ row }) => !isEnd(row));
  return naming.length === 0 ? said : naming;
}

/** A statement, with what it leaves out where that does not follow from its completeness: of lines. */
type LineStatement<Row extends DatedRow> = Statement<Row> & { readonly leavesOut?: boolean };

/** A row of a statement that says that it never was. */
interface Deletion<Row extends DatedRow> {
  readonly row: Row;
  readonly recordedAt: string;
  readonly writtenAt: string;
}

const deletionsIn = <Row extends DatedRow>(statements: readonly Statement<Row>[]): Deletion<Row>[] =>
  statements.flatMap((statement) => {
    const { recordedAt } = statement;
    return statement.rows.flatMap((row) =>
      row.isDeleted === true ? { row, recordedAt, writtenAt: writtenAtOf(statement) } : [],
    );
  });

/** Statements in the order in which they count, without rows that a later one says never were. */
function counting<Row extends DatedRow>(
  statements: readonly Statement<Row>[],
  deletions: readonly Deletion<Row>[],
): Statement<Row>[] {
  const inOrder = by(({ at, recordedAt, id }: Statement<Row>) => `${at} ${recordedAt} ${id}`);
  if (deletions.length === 0) return statements.toSorted(inOrder);
  const deletionsOf = Map.groupBy(deletions, ({ row }) => row.identity);
  const sameAs = sameAmong([...deletionsOf.keys()]);
  const isDeleted = ({ identity, begins, since }: Row, recordedAt: string): boolean =>
    sameAs(identity)
      .flatMap((same) => deletionsOf.get(same) ?? [])
      .some(
        (deletion) =>
          recordedAt < deletion.recordedAt &&
          begins === deletion.row.begins &&
          (begins !== null || since === deletion.row.since),
      );
  const counts = (row: Row, recordedAt: string): boolean =>
    row.isDeleted !== true && !isDeleted(row, recordedAt);
  return statements
    .map((statement) => ({
      ...statement,
      rows: statement.rows.filter((row) => counts(row, statement.recordedAt)),
    }))
    .toSorted(inOrder);
}

/** (11) What was stated of the lines of one license. @param sayings of the license, with the rows that carry lines. */
function statementsOfLines<Row extends DatedRow>(
  sayings: readonly { readonly statement: Statement<Row>; readonly carriers: readonly Counted<Row>[] }[],
): LineStatement<DatedRow>[] {
  const naming = sayings.filter(({ carriers }) => carriers.length > 0);
  let rows: DatedRow[] = [];
  let names: string | undefined;
  /** Whether the registry alone has stated all lines live each time: then nothing holds against any, and to say it again changes none. */
  let isPlain = true;
  return naming.flatMap(({ statement, carriers }, index) => {
    const isRepeated = index > 1 && carriers === naming[index - 1]?.carriers;
    if (isRepeated && isPlain) return [];
    if (!isRepeated)
      rows = carriers.flatMap(({ row: { lines = [] }, begins, from, until }) =>
        lines.map((line) => ({
          ...line,
          begins: line.begins ?? ((index === 0 && begins) || null),
          ends: earlierOf(line.ends, until),
          notBefore: from,
        })),
      );
    const named = isPlain ? rows.map(({ identity }) => identityKey(identity)).join() : names;
    isPlain &&= statement.by === 'registry' && rows.every(isLive) && named === (names ?? named);
    names ??= named;
    const isSilent = rows.length === 0 && !statement.isComplete;
    return isSilent ? [] : [{ ...statement, rows, leavesOut: carriers.some(({ row }) => isLive(row)) }];
  });
}

/** Live rows, then pending ones, then ends. */
const kindsInOrder = [isLive, (row: DatedRow): boolean => !isLive(row) && !isEnd(row), isEnd];

function withoutRepetitions<Row extends DatedRow>(sayings: readonly Saying<Row>[]): Said<Row>[] {
  const last = { registry: new Map(), import: new Map<boolean, readonly ReachedRow<Row>[]>() };
  return sayings.flatMap(({ statement, rows }) => {
    if (rows.length === 0) return [];
    const lastOfSource: (typeof last)['import'] = last[statement.by];
    const before = lastOfSource.get(statement.isComplete) ?? [];
    lastOfSource.set(statement.isComplete, rows);
    return rows
      .filter(({ row }) => !before.some((one) => one.row === row))
      .map(({ row }) => ({ row, statement }));
  });
}

const laterTime = (times: readonly string[]): string =>
  times.reduce((last, time) => (time > last ? time : last), '');

const isOf = <Row extends DatedRow>({ row }: Deletion<Row>, { said }: Holding<Row>): boolean =>
  said.some((one) => isSame(one.row.identity, row.identity));

/**
 * The licenses, or the appointments, of a holder in a state, and the days of each.
 * @param statements all that count, in any order.
 */
export function holdingsOf<Row extends DatedRow>(statements: readonly Statement<Row>[]): Holding<Row>[] {
  const deletions = deletionsIn(statements);
  const holdings = holdingsInOrder(counting(statements, deletions), recordedAtOf);
  if (deletions.length === 0) return holdings;
  return holdings.map((holding) => {
    const times = deletions.flatMap((one) => (isOf(one, holding) ? one.writtenAt : []));
    return { ...holding, recordedAt: laterTime([...times, holding.recordedAt ?? '']) };
  });
}

/** Rows of what an import says never was, each as it was said last, where nothing is held by that name. */
export function takenBackOf<Row extends DatedRow>(
  statements: readonly Statement<Row>[],
  holdings: readonly Holding<Row>[],
): Recorded<Row>[] {
  const gone = deletionsIn(statements).filter((one) => !holdings.some((holding) => isOf(one, holding)));
  const ofOne = new Map(
    gone
      .toSorted(by((one) => one.writtenAt))
      .map(({ row, writtenAt }) => [identityKey(row.identity), { row, recordedAt: writtenAt }]),
  );
  return [...ofOne.values()];
}

/**
 * When a source last said something else of a thing than it said before, or a complete statement that it is there, or is not, after
 * one that said otherwise.
 */
function recordedAtOf<Row extends DatedRow>(sayings: readonly Saying<Row>[]): string {
  const last = new Map<Statement['by'], readonly ReachedRow<Row>[]>();
  let wasThere = true;
  const first = sayings.findIndex(({ rows }) => rows.length > 0);
  const changes = sayings.slice(first).filter(({ statement, leavesOut, rows }) => {
    const isThere = rows.length > 0;
    if (!isThere && !leavesOut) return false;
    const before = last.get(statement.by);
    last.set(statement.by, rows);
    const isTurn = statement.isComplete && isThere !== wasThere;
    if (statement.isComplete) wasThere = isThere;
    if (isTurn || before?.length !== rows.length) return true;
    return before !== rows && rows.some(({ row }, index) => row !== before[index]?.row);
  });
  return laterTime(changes.map(({ statement }) => writtenAtOf(statement)));
}

function holdingsInOrder<Row extends DatedRow>(
  statements: readonly LineStatement<Row>[],
  recordedAt?: (sayings: readonly Saying<Row>[]) => string,
): Holding<Row>[] {
  const rows = [...new Set(statements.flatMap((statement) => statement.rows))];
  const identities = (some: readonly Row[]): Identity[] => some.map(({ identity }) => identity);
  const { things, placeOf, reachOf, lookalikesOf } = namingOf(
    identities(rows),
    identities(rows.filter(isLive)),
  );
  const reachedBy = new Map(
    rows.map((row) => [row, (isEnd(row) ? reachOf : placeOf)(row.identity).map((one) => ({ ...one, row }))]),
  );
  const reachedIn = (some: readonly Row[]): ReadonlyMap<number, readonly ReachedRow<Row>[]> =>
    Map.groupBy(
      kindsInOrder.flatMap((is) => some.filter(is)).flatMap((row) => reachedBy.get(row) ?? []),
      ({ thing }) => thing,
    );
  const said = new Map<readonly Row[], ReturnType<typeof reachedIn>>();
  for (const { rows } of statements) if (!said.has(rows)) said.set(rows, reachedIn(rows));
  const held = things.flatMap(([identity], thing) => {
    const sayings = statements.map((statement) => ({
      statement,
      leavesOut: statement.leavesOut ?? statement.isComplete,
      rows: said.get(statement.rows)?.get(thing) ?? [],
    }));
    const first = sayings.find(({ rows }) => rows.length > 0)?.rows[0];
    if (identity === undefined || first === undefined) return [];
    const marks = new DayMarks<Row>();
    const lines = statementsOfLines(
      sayings.map((saying) => ({ statement: saying.statement, carriers: marks.add(saying, first.row) })),
    );
    return {
      thing,
      marks,
      key: identityKey(identity),
      ...(recordedAt === undefined ? {} : { recordedAt: recordedAt(sayings) }),
      said: withoutRepetitions(sayings),
      lines: holdingsInOrder<DatedRow>(lines),
    };
  });
  const marksOf = new Map(held.map(({ thing, marks }) => [thing, marks]));
  return held.map(({ thing, marks, ...holding }) => {
    const others = lookalikesOf(thing).flatMap((other) => marksOf.get(other) ?? []);
    return { ...holding, days: doubted(marks.days, others) };
  });
}

/** (9) Days on which an end of what it may be holds are not known. */
function doubted<Row extends DatedRow>(
  days: readonly Span<Row>[],
  others: readonly DayMarks<Row>[],
): readonly Span<Row>[] {
  if (others.length === 0) return days;
  const starts = [days, ...others.map((other) => other.days)].flatMap((spans) =>
    spans.map(({ from }) => from),
  );
  return [...new Set(starts)].sort().map((from) => {
    const mark = markOn(days, from);
    const isEnded = others.some((other) => other.isHeldOn(from));
    return { from, mark: mark?.is === 'in force' && isEnded ? { ...mark, is: 'not known' } : mark };
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
