import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { always, earlierOf, laterOf, never } from './dates.ts';
import type { DatedRow, Statement } from './statements.ts';

// The days of licenses, lines of authority, and appointments: one fold over what was stated of them. The numbers in parentheses are
// those of the rules of days (OpenAPI, "How compliance is decided").

/** An end, which holds against later statements. */
export interface EndHold {
  readonly day: CalendarDate;
  /** The beginning of what ended, where the end says so. */
  readonly begins: CalendarDate | null;
  /** The day of the last import that says so; `always` where none does. */
  readonly importedOn: CalendarDate;
}

/** That statements left it out, which holds against later ones. */
export interface Absence {
  /** The days of the first and the last of them. */
  readonly since: CalendarDate;
  readonly last: CalendarDate;
  /** As that of an end. */
  readonly importedOn: CalendarDate;
}

export interface Mark<Row extends DatedRow = DatedRow> {
  readonly is: 'in force' | 'ended' | 'left out' | 'not known';
  /** What says so, and where. */
  readonly row: Row;
  readonly statement: Statement<Row>;
  /** The beginning to which the day belongs; `always` where it is not known. */
  readonly begins: CalendarDate;
  /** The day on which that beginning first became known. */
  readonly seenOn: CalendarDate;
  readonly end?: EndHold | undefined;
  readonly absence?: Absence | undefined;
}

/** Days from one until the next one's; without a mark nothing is in force. */
export interface Span<Row extends DatedRow = DatedRow> {
  readonly from: CalendarDate;
  readonly mark: Mark<Row> | undefined;
}

/** Days for which what the registry says against an import, or leaves out, is not known. */
export const lagDays = 30;

export const markOn = <Row extends DatedRow>(
  days: readonly Span<Row>[],
  day: CalendarDate,
): Mark<Row> | undefined => days.findLast(({ from }) => from <= day)?.mark;

export const isLive = ({ status }: DatedRow): boolean => status === 'live';
export const isEnd = (row: DatedRow): boolean => !isLive(row) && row.status !== 'pending';

/** What a statement says of one license, line, or appointment. */
export interface Saying<Row extends DatedRow> {
  readonly statement: Statement<Row>;
  readonly live: readonly Row[];
  readonly ends: readonly Row[];
  /** Ends that may mean it among others, and ends that leave it not known. */
  readonly unclearEnds: readonly Row[];
  readonly doubts: readonly Row[];
  /** Whether it is left out unless it is stated live. */
  readonly leavesOut: boolean;
}

type Change<Row extends DatedRow> = (mark: Mark<Row> | undefined, day: CalendarDate) => Mark<Row> | undefined;

/** A live row, with its beginning or that of what it is about; `always` where neither is known. */
interface Stated<Row extends DatedRow> {
  readonly row: Row;
  readonly begins: CalendarDate;
}

/** The days of one license, line, or appointment, as statements mark them one after another. */
export class DayMarks<Row extends DatedRow> {
  readonly spans: Span<Row>[] = [{ from: always, mark: undefined }];
  /** The beginning that was stated last. */
  private known = always;
  /** The day on which an end without a date was first said, since it was last stated live. */
  private endSaidOn: CalendarDate | null = null;
  /** The live rows of imports, with the days of these. */
  private readonly imported: (Stated<Row> & { readonly knownOn: CalendarDate })[] = [];

  /** @param first a row of it, for days of which nothing was stated yet. */
  add({ statement, live, ends, unclearEnds, doubts, leavesOut }: Saying<Row>, first: Row): void {
    const { knownOn, isComplete } = statement;
    const rows = [...live, ...ends];
    const counts = countingDays(rows);
    const known = rows.map(({ begins }) => begins ?? always).reduce(laterOf, always) || this.known;
    const stated = live
      .map((row) => ({ row, begins: row.begins ?? (known < row.ends ? known : always) }))
      .toSorted(by(({ row, begins }) => `${begins} ${row.ends} ${row.since}`));
    if (isComplete && stated.length > 0) this.endAbsence(statement);
    for (const one of stated) this.replace(one, counts(one.row), stated, statement);
    for (const { row, begins } of stated) this.addLive(row, begins, counts(row), statement);
    const others = live.length > 0 ? [] : unclearEnds;
    const ended = this.inOrder([...ends, ...others], knownOn);
    const addEnds = (isUnrecognized: boolean): void => {
      for (const { row, end } of ended) {
        if ((row.status === 'unrecognized') !== isUnrecognized) continue;
        const { from, until } = counts(row);
        if (from === always && ends.includes(row)) this.addDaysBefore(row, end, statement);
        this.addEnd(row, end, until, statement, stated);
      }
    };
    addEnds(false);
    if (live.length === 0) {
      for (const { row, end } of this.inOrder(doubts, knownOn)) this.doubt(row, end, never, statement);
      if (leavesOut) this.leaveOut(statement, first, ends.length > 0);
    }
    // What nobody recognizes may be live: it is not known, rather than left out.
    addEnds(true);
    this.known = known;
    if (live.length > 0) this.endSaidOn = null;
    if (statement.by === 'import') this.imported.push(...stated.map((one) => ({ ...one, knownOn })));
  }

  /** Changes marks from a day until another. @param cuts days on which the change may become another one. */
  private change(
    from: CalendarDate,
    until: CalendarDate,
    change: Change<Row>,
    ...cuts: CalendarDate[]
  ): void {
    if (from >= until) return;
    for (const day of [from, until, ...cuts]) {
      const index = this.spans.findLastIndex((span) => span.from <= day);
      const span = this.spans[index];
      if (span !== undefined && span.from < day)
        this.spans.splice(index + 1, 0, { from: day, mark: span.mark });
    }
    for (const [index, span] of this.spans.entries()) {
      if (span.from >= from && span.from < until)
        this.spans[index] = { from: span.from, mark: change(span.mark, span.from) };
    }
  }

  /** (6) Whether the registry takes from an import of the 30 days before what that stated live. */
  private takes(statement: Statement, day: CalendarDate): boolean {
    return this.imported.some(
      ({ row, begins, knownOn }) => begins <= day && day < row.ends && isLag(statement, knownOn),
    );
  }

  /** (7) What earlier statements said of the days from a live row's beginning on, but for ends. */
  private replace(
    { row, begins }: Stated<Row>,
    counts: Counting,
    stated: readonly Stated<Row>[],
    statement: Statement,
  ): void {
    const { knownOn, isComplete } = statement;
    const from = earlierOf(laterOf(begins === always ? knownOn : begins, counts.from), row.ends);
    const old = markOn(this.spans, from);
    const movesBeginning = old?.is === 'in force' && old.begins < begins && old.row.ends === row.ends;
    if (movesBeginning && stated.every((other) => other.begins !== old.begins))
      this.change(always, earlierOf(old.seenOn, from), (mark) =>
        mark?.is === 'in force' && mark.begins === old.begins ? { ...mark, is: 'not known' } : mark,
      );
    this.change(from, never, (mark, day) => {
      if (mark === undefined || isHeld(mark) || (!isComplete && mark.begins >= row.ends)) return mark;
      return this.takes(statement, day) ? { ...mark, is: 'not known' } : undefined;
    });
  }

  /** (1, 4, 5, 6) A live row. */
  private addLive(row: Row, begins: CalendarDate, counts: Counting, statement: Statement<Row>): void {
    const { knownOn } = statement;
    const since = row.since ?? always;
    const seenOn = this.spans.reduce(
      (first, { mark }) =>
        mark?.is === 'in force' && mark.begins === begins ? earlierOf(first, mark.seenOn) : first,
      knownOn,
    );
    const inForce: Mark<Row> = { is: 'in force', row, statement, begins, seenOn };
    const change: Change<Row> = (mark, day) => {
      if (begins === always && day < knownOn) return mark ?? { ...inForce, is: 'not known' };
      if (mark === undefined) return inForce;
      const end = liftedEnd({ row, begins }, statement, day, mark.end);
      const absence = liftedAbsence({ row, begins }, statement, day, mark.absence);
      if (end === 'lifted' && absence === 'lifted') return inForce;
      return {
        ...mark,
        is: end === 'holds' || absence === 'holds' ? mark.is : 'not known',
        end: end === 'lifted' ? undefined : mark.end,
        absence: absence === 'lifted' ? undefined : mark.absence,
      };
    };
    const from = [row.notBefore ?? always, counts.from].reduce(laterOf, begins);
    this.change(from, earlierOf(row.ends, counts.until), change, knownOn, since);
  }

  /** Rows that are not live, with the days from which they end, whatever the order in which they were said. */
  private inOrder(rows: readonly Row[], knownOn: CalendarDate): { row: Row; end: CalendarDate }[] {
    return rows
      .map((row) => ({ row, end: this.endOf(row, knownOn) }))
      .toSorted(by(({ row, end }) => `${end} ${row.begins ?? never} ${row.ends} ${row.since} ${row.status}`));
  }

  /** (2) The day from which a row that is not live ends; without a date, where it is said again, that on which it first was. */
  private endOf({ since, ends }: Row, knownOn: CalendarDate): CalendarDate {
    if (since === null) this.endSaidOn ??= knownOn;
    return earlierOf(since ?? this.endSaidOn ?? knownOn, ends);
  }

  /** (2) The days before an end that nothing marks. */
  private addDaysBefore(row: Row, end: CalendarDate, statement: Statement<Row>): void {
    const { begins, since, status, ends } = row;
    const isMarked = this.spans.some(({ from, mark }) => from < end && mark !== undefined);
    if (begins === null && isMarked) return;
    const isLapse = status === 'lapsed' && ends <= statement.knownOn;
    const isKnown = begins !== null && status !== 'unrecognized' && (since !== null || isLapse);
    const unmarked: Mark<Row> = { ...markOf(row, statement), is: isKnown ? 'in force' : 'not known' };
    this.change(laterOf(begins ?? always, row.notBefore ?? always), end, (mark) => mark ?? unmarked);
  }

  /** (2, 3, 6, 8, 9) An end. */
  private addEnd(
    row: Row,
    end: CalendarDate,
    until: CalendarDate,
    statement: Statement<Row>,
    stated: readonly Stated<Row>[],
  ): void {
    if (row.status === 'unrecognized') this.doubt(row, end, earlierOf(until, row.ends), statement);
    const { begins, since } = row;
    const { knownOn } = statement;
    const change: Change<Row> = (mark, day) => {
      const isTaken = mark?.is === 'in force' || mark?.is === 'not known';
      if (isTaken && mark.begins >= end && mark.begins !== (begins ?? since)) return mark;
      const endMark = newEnd(row, end, statement, mark?.end);
      const ended: Mark<Row> = {
        ...markOf(row, statement, mark?.begins),
        is: 'ended',
        end: endMark,
        absence: mark?.absence,
      };
      if (mark === undefined) return ended;
      const isStatedHere = stated.some((live) => live.begins <= day && day < live.row.ends);
      if (isTaken && ((isStatedHere && until === never) || this.takes(statement, day)))
        return { ...mark, is: 'not known', end: endMark };
      if (!isTaken || mark.begins !== since || isStatedHere) return ended;
      const from = mark.is === 'in force' ? knownOn : (mark.end?.day ?? knownOn);
      return { ...ended, is: day < from ? 'not known' : 'ended', end: { ...endMark, day: from } };
    };
    this.change(row.status === 'unrecognized' ? row.ends : end, until, change, knownOn);
  }

  /** (2, 9) After an end that nobody recognizes, or that is of less, days that have not ended are not known. */
  private doubt(row: Row, day: CalendarDate, until: CalendarDate, statement: Statement<Row>): void {
    this.change(day, until, (mark) => {
      if (mark?.is === 'ended') return mark;
      return {
        ...markOf(row, statement, mark?.begins),
        is: 'not known',
        end: newEnd(row, day, statement, mark?.end),
        absence: mark?.absence,
      };
    });
  }

  /** (5, 6) A statement that does not state it live, and leaves out what it does not. @param isEnded whether it states an end. */
  private leaveOut(statement: Statement<Row>, row: Row, isEnded: boolean): void {
    const { knownOn, by: source } = statement;
    this.change(knownOn, never, (mark, day) => {
      if (mark?.is === 'ended' && isEnded) return mark;
      const importedOn = source === 'import' ? knownOn : (mark?.absence?.importedOn ?? always);
      const absence: Absence = { since: mark?.absence?.since ?? knownOn, last: knownOn, importedOn };
      if (mark?.is === 'ended' || mark?.is === 'left out') return { ...mark, absence };
      if (mark !== undefined && this.takes(statement, day)) return { ...mark, is: 'not known', absence };
      return { ...(mark ?? markOf(row, statement, always)), is: 'left out', statement, absence };
    });
  }

  /** (5) A complete statement has it again: within 30 days it was never gone; later, the days between are not known. */
  private endAbsence(statement: Statement): void {
    const { knownOn } = statement;
    const change: Change<Row> = (mark, day) => {
      if (mark?.absence === undefined) return mark;
      const { since, importedOn } = mark.absence;
      const isBack = knownOn <= addDays(since, lagDays) && !isLag(statement, importedOn);
      const absence = isBack ? undefined : mark.absence;
      return { ...mark, is: mark.is === 'left out' && day < knownOn ? 'not known' : mark.is, absence };
    };
    this.change(always, never, change, knownOn);
  }
}

const isHeld = ({ end, absence }: Mark): boolean => end !== undefined || absence !== undefined;

/** What a live row makes of what holds: nothing holds, it holds on until a later day, or it holds on and the day is not known. */
type Lifting = 'lifted' | 'holds' | 'unclear';

/** By the days from which a row says that it is live again, those before what holds apart. */
function liftedBy(again: readonly CalendarDate[], day: CalendarDate): Lifting {
  if (again.length === 0) return 'unclear';
  return again.some((from) => from <= day) ? 'lifted' : 'holds';
}

/** (4, 6) Whether a live row ends an end. */
function liftedEnd(
  { row, begins }: Stated<DatedRow>,
  statement: Statement,
  day: CalendarDate,
  end: EndHold | undefined,
): Lifting {
  if (end === undefined || (begins >= end.day && begins !== end.begins)) return 'lifted';
  if (end.day > statement.knownOn) return 'holds';
  if (isLag(statement, end.importedOn)) return 'unclear';
  const again = [row.since ?? always, statement.isComplete ? statement.knownOn : always];
  return liftedBy(
    again.filter((from) => from >= end.day),
    day,
  );
}

/** (5, 6) Whether a live row ends an absence. */
function liftedAbsence(
  { row, begins }: Stated<DatedRow>,
  statement: Statement,
  day: CalendarDate,
  absence: Absence | undefined,
): Lifting {
  if (absence === undefined) return 'lifted';
  if (isLag(statement, absence.importedOn) && begins < absence.last) return 'unclear';
  if (statement.isComplete) return day >= statement.knownOn ? 'lifted' : 'unclear';
  return liftedBy(
    [begins, row.since ?? always].filter((from) => from >= absence.last),
    day,
  );
}

/** (6) Whether the registry may not have yet what an import said. */
const isLag = ({ by: source, knownOn }: Statement, importedOn: CalendarDate): boolean =>
  source === 'registry' && importedOn !== always && knownOn <= addDays(importedOn, lagDays);

const markOf = <Row extends DatedRow>(
  row: Row,
  statement: Statement<Row>,
  begins = row.begins ?? always,
) => ({
  row,
  statement,
  begins,
  seenOn: statement.knownOn,
});

/** An end that is said again holds from the later day. */
const newEnd = (
  { begins }: DatedRow,
  day: CalendarDate,
  { by: source, knownOn }: Statement,
  old: EndHold | undefined,
): EndHold => ({
  day: laterOf(day, old?.day ?? always),
  begins,
  importedOn: source === 'import' ? knownOn : (old?.importedOn ?? always),
});

/** Compares by a text, so that the order in which things were said never matters. */
export const by =
  <Item>(textOf: (item: Item) => string) =>
  (one: Item, other: Item): number => {
    const [text, otherText] = [textOf(one), textOf(other)];
    return text < otherText ? -1 : Number(text > otherText);
  };

/** Days on which a row counts. */
interface Counting {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

/** (8) The days of each row of one thing in its statement: where all have different `since`, from its own until the next one's. */
function countingDays(rows: readonly DatedRow[]): (row: DatedRow) => Counting {
  const days = rows.flatMap(({ since }) => since ?? []).sort();
  const isClear = new Set(days).size === rows.length;
  return ({ since }) =>
    isClear && since !== null && days.includes(since)
      ? { from: since === days[0] ? always : since, until: days.find((day) => day > since) ?? never }
      : { from: always, until: never };
}
