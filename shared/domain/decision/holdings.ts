import type { CalendarDate } from '#platform/dates/dates.ts';
import type { DatedSource } from './dated.ts';
import { type Days, dayBefore, earlierOf, laterOf, never } from './dates.ts';
import { by, type Counted, DayMarks, type Mark, markOn, type ReachedRow, type Span } from './days.ts';
import { inOrder } from './record.ts';
import { type Recorded, type RecordKind, writtenAtOf } from './records.ts';
import {
  type DatedRow,
  identityKey,
  isEnd,
  isLive,
  isSame,
  type Moment,
  namingOf,
  type Statement,
  sameAmong,
} from './statements.ts';

// What a holder holds in a state: licenses or appointments, each with its days. The numbers in parentheses are those of the rules of
// days (OpenAPI, "How compliance is decided").

/** A row, and the statement that has it. */
export interface Mention<Row extends DatedRow = DatedRow> {
  readonly row: Row;
  readonly statement: Moment;
}

/** A license, a line of authority, or an appointment. */
export interface Holding<Row extends DatedRow = DatedRow> {
  /** Tells it apart from others of its kind in the state. */
  readonly key: string;
  /** Time at which something was last recorded of it; absent of a line. */
  readonly recordedAt?: string | undefined;
  /**
   * Rows of it with their statements, in the order of these: live and pending ones, and ends that reach it, also unclear ones;
   * without those that repeat what their source said last.
   */
  readonly said: readonly Mention<Row>[];
  /** Spans in the order of days, the first one from `always`. */
  readonly days: readonly Span<Row>[];
  /** Lines of a license that ever carried any. */
  readonly lines: readonly Holding[];
}

/** The rows that say what a license, a line, or an appointment is called: an end that reaches it may be of another. */
export function namingRows<One extends { readonly row: DatedRow }>(said: readonly One[]): readonly One[] {
  const naming = said.filter(({ row }) => !isEnd(row));
  return naming.length === 0 ? said : naming;
}

/**
 * The code and the name by which a line, or an appointment, goes on a day in a part of its identity: of the live row that marks the day,
 * else the ones that were said last.
 */
export function namesOn(
  { days, said }: Pick<Holding, 'days' | 'said'>,
  part: number,
  day: CalendarDate,
): Set<string> {
  const row = markOn(days, day)?.row;
  const namings = [...(row !== undefined && isLive(row) ? [{ row }] : []), ...namingRows(said).toReversed()];
  const ofRows = namings.map((naming) => naming.row.identity[part]?.names ?? []);
  const kinds = [...(ofRows[0] ?? []).keys()];
  return new Set(kinds.flatMap((kind) => ofRows.find((names) => names[kind] != null)?.[kind] ?? []));
}

/** The codes and names of a license, a line, or an appointment in a part of its identity, former ones too. */
export function namesOf({ said }: Pick<Holding, 'said'>, part: number): Set<string> {
  const names = new Set<string>();
  for (const { row } of namingRows(said))
    for (const name of row.identity[part]?.names ?? []) if (name !== null) names.add(name);
  return names;
}

/** A statement, with what it leaves out where that does not follow from its completeness: of lines. */
type LineStatement<Row extends DatedRow> = Statement<Row> & { readonly leavesOut?: boolean };

/** A row of a statement that says that it never was. */
type Deletion<Row extends DatedRow> = ReturnType<typeof deletionsIn<Row>>[number];

const deletionsIn = <Row extends DatedRow>(statements: readonly Statement<Row>[]) =>
  statements.flatMap((statement) => {
    const { recordedAt } = statement;
    return statement.rows.flatMap((row) =>
      row.isDeleted === true ? { row, recordedAt, writtenAt: writtenAtOf(statement) } : [],
    );
  });

/** Whether two rows of one thing say the same: of a live one its beginning counts, of another its other dates too. */
const isSaidAs = (row: DatedRow, other: DatedRow): boolean =>
  row.status === other.status &&
  row.begins === other.begins &&
  (isLive(row) || (row.since === other.since && row.ends === other.ends));

/** Whether a row that an import marks `isDeleted` is one that was stated, and not only of the same thing. */
export const deletes = (deletion: DatedRow, row: DatedRow): boolean =>
  row.isDeleted !== true && isSame(row.identity, deletion.identity) && isSaidAs(row, deletion);

/** Statements in the order in which they count, without rows that a later one says never were. */
function counting<Row extends DatedRow>(
  statements: readonly Statement<Row>[],
  deletions: readonly Deletion<Row>[],
): Statement<Row>[] {
  if (deletions.length === 0) return inOrder(statements);
  const deletionsOf = Map.groupBy(deletions, ({ row }) => row.identity);
  const sameIdentities = sameAmong([...deletionsOf.keys()]);
  const isDeleted = (row: Row, recordedAt: string): boolean =>
    sameIdentities(row.identity)
      .flatMap((same) => deletionsOf.get(same) ?? [])
      .some((deletion) => recordedAt < deletion.recordedAt && isSaidAs(row, deletion.row));
  const counts = (row: Row, recordedAt: string): boolean =>
    row.isDeleted !== true && !isDeleted(row, recordedAt);
  return inOrder(statements).map((statement) => ({
    ...statement,
    rows: statement.rows.filter((row) => counts(row, statement.recordedAt)),
  }));
}

const isOf = <Row extends DatedRow>({ row }: Deletion<Row>, { said }: Holding<Row>): boolean =>
  said.some((one) => isSame(one.row.identity, row.identity));

/**
 * The licenses, or the appointments, of a holder in a state, and the days of each.
 * @param statements all that count, in any order.
 */
export function holdingsOf<Row extends DatedRow>(statements: readonly Statement<Row>[]): Holding<Row>[] {
  const deletions = deletionsIn(statements);
  const holdings = holdingsInOrder(counting(statements, deletions));
  if (deletions.length === 0) return holdings;
  return holdings.map((holding) => {
    const times = deletions.flatMap((one) => (isOf(one, holding) ? one.writtenAt : []));
    return { ...holding, recordedAt: times.reduce(laterOf, holding.recordedAt ?? '') };
  });
}

/** Rows of what an import says never was, each as it was said last, where nothing is held by that name. */
export function takenBackOf<const Kind extends RecordKind, Source>(
  kind: Kind,
  statements: readonly Statement<DatedSource<Source>>[],
  holdings: readonly Holding<DatedSource<Source>>[],
): (Recorded<Source> & { readonly kind: Kind })[] {
  const goneDeletions = deletionsIn(statements).filter(
    (one) => !holdings.some((holding) => isOf(one, holding)),
  );
  const rowsByIdentity = new Map(
    goneDeletions
      .toSorted(by((one) => one.writtenAt))
      .map(({ row, writtenAt }) => [
        identityKey(row.identity),
        { kind, row: row.source, recordedAt: writtenAt },
      ]),
  );
  return [...rowsByIdentity.values()];
}

const leavesOut = <Row extends DatedRow>(statement: LineStatement<Row>): boolean =>
  statement.leavesOut ?? statement.isComplete;

const areSame = <Row extends DatedRow>(
  rows: readonly ReachedRow<Row>[],
  others: readonly ReachedRow<Row>[] | undefined,
): boolean => rows.length === others?.length && rows.every(({ row }, index) => row === others[index]?.row);

/** History of one license, line, or appointment, one statement after another. */
class Telling<Row extends DatedRow> {
  readonly said: Mention<Row>[] = [];
  /** (11) What is said of its lines. */
  readonly ofLines: LineStatement<DatedRow>[] = [];
  readonly marks: DayMarks<Row>;
  /**
   * Time at which a source last said something else than it said before, or a complete statement that it is there, or is not, after one that
   * said otherwise.
   */
  recordedAt = '';
  private wasThere = true;
  private last: { readonly statement: Statement<Row>; readonly rows: readonly ReachedRow<Row>[] } | undefined;
  /** Rows that each source said last, and by each in complete statements and in others. */
  private readonly lastBy = new Map<string, readonly ReachedRow<Row>[]>();
  /** The rows that carry its lines, these lines, and how often it was named. */
  private carriers: readonly Counted<Row>[] = [];
  private lines: readonly DatedRow[] = [];
  private namings = 0;
  /** Whether the registry alone has stated all lines live each time: then nothing holds against any, and to say it again changes none. */
  private isPlain = true;
  private names: string | undefined;

  /** @param earlier statements that leave it out, before it was known. */
  constructor(first: Row, earlier: readonly Statement<Row>[]) {
    this.marks = new DayMarks(first);
    for (const statement of earlier) this.marks.add(statement, [], true);
  }

  add(statement: LineStatement<Row>, rows: readonly ReachedRow<Row>[]): void {
    const isRepeated = this.isRepeated(statement, rows);
    if (isRepeated && this.isPlain) return;
    this.last = { statement, rows };
    this.record(statement, rows);
    if (!isRepeated) this.carriers = this.marks.add(statement, rows, leavesOut(statement));
    if (this.carriers.length > 0) this.addLines(statement, isRepeated);
  }

  /** Whether the registry says again that what it stated last is live, which changes nothing where nothing holds against it. */
  private isRepeated({ by, isComplete }: Statement<Row>, rows: readonly ReachedRow<Row>[]): boolean {
    return (
      by === 'registry' &&
      isComplete === this.last?.statement.isComplete &&
      areSame(rows, this.last.rows) &&
      rows.every(({ row }) => isLive(row)) &&
      this.marks.isPlain
    );
  }

  private record(statement: Statement<Row>, rows: readonly ReachedRow<Row>[]): void {
    const { by: source, isComplete } = statement;
    const isThere = rows.length > 0;
    const isTurn = isComplete && isThere !== this.wasThere;
    if (isComplete) this.wasThere = isThere;
    if (isTurn || !areSame(rows, this.lastBy.get(source)))
      this.recordedAt = laterOf(this.recordedAt, writtenAtOf(statement));
    this.lastBy.set(source, rows);
    if (!isThere) return;
    const alike = `${source} ${isComplete}`;
    const before = this.lastBy.get(alike) ?? [];
    this.lastBy.set(alike, rows);
    for (const { row } of rows)
      if (!before.some((one) => one.row === row)) this.said.push({ row, statement });
  }

  private addLines(statement: Statement<Row>, isRepeated: boolean): void {
    this.namings += 1;
    if (!isRepeated || this.namings === 2)
      this.lines = this.carriers.flatMap(({ row: { lines = [] }, begins, from, until }) =>
        lines.map((line) => ({
          ...line,
          begins: line.begins ?? ((this.namings === 1 && begins) || null),
          ends: earlierOf(line.ends, until),
          notBefore: from,
        })),
      );
    const { lines } = this;
    const names = lines.map(({ identity }) => identityKey(identity)).join();
    this.names ??= names;
    this.isPlain &&= statement.by === 'registry' && lines.every(isLive) && names === this.names;
    if (lines.length === 0 && !statement.isComplete) return;
    this.ofLines.push({
      ...statement,
      rows: lines,
      leavesOut: this.carriers.some(({ row }) => isLive(row)),
    });
  }
}

/** Live rows, then pending ones, then ends. */
const kindOf = (row: DatedRow): number => (isLive(row) ? 0 : 1 + Number(isEnd(row)));

function holdingsInOrder<Row extends DatedRow>(
  statements: readonly LineStatement<Row>[],
  isOfLines = false,
): Holding<Row>[] {
  const rows = [...new Set(statements.flatMap((statement) => statement.rows))];
  const { keys, reachOf, lookalikesOf } = namingOf(rows);
  const thingsOfRows = new Map(rows.map((row) => [row, reachOf(row).map((one) => ({ ...one, row }))]));
  const thingsOfStatements = new Map<readonly Row[], ReadonlyMap<number, readonly ReachedRow<Row>[]>>();
  const thingsIn = (stated: readonly Row[]) =>
    Map.groupBy(
      stated
        .toSorted((one, other) => kindOf(one) - kindOf(other))
        .flatMap((row) => thingsOfRows.get(row) ?? []),
      ({ thing }) => thing,
    );
  const tellings = new Map<number, Telling<Row>>();
  for (const [index, statement] of statements.entries()) {
    const said = thingsOfStatements.get(statement.rows) ?? thingsIn(statement.rows);
    thingsOfStatements.set(statement.rows, said);
    for (const [thing, [first]] of said)
      if (first !== undefined && !tellings.has(thing))
        tellings.set(thing, new Telling(first.row, statements.slice(0, index).filter(leavesOut)));
    for (const thing of leavesOut(statement) ? tellings.keys() : said.keys())
      tellings.get(thing)?.add(statement, said.get(thing) ?? []);
  }
  const isAnyHeld = [...tellings.values()].some(({ marks }) => marks.isHeld);
  return keys.flatMap((key, thing) => {
    const telling = tellings.get(thing);
    if (telling === undefined) return [];
    const { marks, recordedAt, said, ofLines } = telling;
    const others = isAnyHeld ? lookalikesOf(thing).flatMap((other) => tellings.get(other)?.marks ?? []) : [];
    return {
      key,
      ...(isOfLines ? {} : { recordedAt }),
      said,
      days: withDoubts(marks.days, others),
      lines: holdingsInOrder<DatedRow>(ofLines, true),
    };
  });
}

/** (9) Days on which an end of what it may be holds are not known. */
function withDoubts<Row extends DatedRow>(
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
 * State of a license on a day, or of an appointment; (11) a license that ever carried lines, only with one of them.
 * @param isMeant the lines of which one is asked for; by default any.
 */
export function stateOn(
  { days, lines }: Holding,
  day: CalendarDate,
  isMeant: (line: Holding) => boolean = () => true,
): DayState {
  const ownState = stateOfMark(markOn(days, day));
  if (lines.length === 0 || ownState === 'not in force') return ownState;
  const states = lines.filter(isMeant).map((line) => stateOfMark(markOn(line.days, day)));
  if (states.includes('in force')) return ownState;
  return states.includes('not known') ? 'not known' : 'not in force';
}

/** Whether something is surely so, or might be, where days that are not known count too. */
export type Certainty = 'surely' | 'maybe';

/** Days on which a license or an appointment is in force, whatever its lines. */
export const spansOf = ({ days }: Pick<Holding, 'days'>, certainty: Certainty = 'surely'): Days[] =>
  days.flatMap(({ from, mark }, index) => {
    const next = days[index + 1];
    const until = next === undefined ? never : dayBefore(next.from);
    const isCounting = mark?.is === 'in force' || (certainty === 'maybe' && mark?.is === 'not known');
    return isCounting ? [{ from, until }] : [];
  });
