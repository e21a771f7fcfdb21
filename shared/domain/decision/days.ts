import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { always, earlierOf, laterOf, never } from './dates.ts';
import { type DatedRow, identityKey, isEnd, isLive, type Reached, type Statement } from './statements.ts';

// The days of licenses, lines of authority, and appointments: one fold over what was stated of them. The numbers in parentheses are
// those of the rules of days (OpenAPI, "How compliance is decided").

/** An end, or that complete statements left it out: it holds against the live rows of later statements. */
export interface Hold<Row extends DatedRow = DatedRow> {
  readonly is: 'ended' | 'left out';
  readonly row: Row;
  readonly statement: Statement<Row>;
  /** The day of the end; those of the first and the last statement that left it out. */
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** The beginning of what ended; `always` where the end does not say so. */
  readonly begins: CalendarDate;
  /** The day of the last import that says so; `always` where none does. */
  readonly importedOn: CalendarDate;
  /** Whether it leaves the day not known. */
  readonly isDoubted: boolean;
  /** Whether it does so for its status, which nobody recognizes. */
  readonly isUnrecognized: boolean;
}

export interface Mark<Row extends DatedRow = DatedRow> {
  readonly is: 'in force' | 'ended' | 'left out' | 'not known';
  /** Row that says so, and the moment of its statement, or of the one that leaves it out. ISO time in UTC. */
  readonly row: Row;
  readonly statedAt: string;
  /** The beginning to which the day belongs; `always` where it is not known. */
  readonly begins: CalendarDate;
}

/** Days from one until the next one's; without a mark nothing is in force. */
export interface Span<Row extends DatedRow = DatedRow> {
  readonly from: CalendarDate;
  readonly mark: Mark<Row> | undefined;
}

/** The mark of a day. */
export const markOn = <Row extends DatedRow>(
  days: readonly Span<Row>[],
  day: CalendarDate,
): Mark<Row> | undefined => days.findLast(({ from }) => from <= day)?.mark;

/** A row, and what it is to a license, line, or appointment (9). */
export interface ReachedRow<Row extends DatedRow> extends Pick<Reached, 'reach'> {
  readonly row: Row;
}

/** A row, with the days on which it counts. */
export interface Counted<Row extends DatedRow> {
  readonly row: Row;
  /** Beginning of the row, or that of what it is about; `always` where neither is known. */
  readonly begins: CalendarDate;
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

/** Claim of a live row about a day, or of an end that tells of the days before it. */
interface Basis<Row extends DatedRow> extends Mark<Row> {
  readonly is: 'in force' | 'not known';
  /** The day of the import that said last that it is live; `always` where none did, or one said otherwise since. */
  readonly importedOn: CalendarDate;
}

interface State<Row extends DatedRow> {
  readonly basis: Basis<Row> | undefined;
  readonly holds: readonly Hold<Row>[];
}

type Change<Row extends DatedRow> = (state: State<Row>, day: CalendarDate) => State<Row>;

/** The days of one license, line, or appointment, as statements mark them one after another. */
export class DayMarks<Row extends DatedRow> {
  private spans: { readonly from: CalendarDate; state: State<Row> }[] = [
    { from: always, state: { basis: undefined, holds: [] } },
  ];
  /** The beginning that was stated last. */
  private known = always;
  /** Beginnings, with the days on which they first became known; those that were stated live. */
  private readonly knownOn = new Map<CalendarDate, CalendarDate>();
  private readonly beganLive = new Set<CalendarDate>();
  /** Ends that say no day of their own, with those on which they were first said since it was stated live without them. */
  private saidOn = new Map<string, CalendarDate>();

  /** A row of it, for days of which nothing was stated yet. */
  private readonly first: Row;

  constructor(first: Row) {
    this.first = first;
  }

  get days(): Span<Row>[] {
    return this.spans.map(({ from, state }) => ({ from, mark: markOf(state) }));
  }

  /** Whether an end holds on a day. */
  isHeldOn(day: CalendarDate): boolean {
    const { basis, holds } = this.stateOn(day);
    return holds.some((hold) => hold.is === 'ended' && !isSpared(basis, hold));
  }

  /** Whether an end holds on any day. */
  get isHeld(): boolean {
    return this.spans.some(({ state }) => state.holds.some(({ is }) => is === 'ended'));
  }

  /** Whether nothing holds against it, and no import has stated it: what the registry says again changes nothing. */
  get isPlain(): boolean {
    return this.spans.every(({ state: { basis, holds } }) => holds.length === 0 && !basis?.importedOn);
  }

  /**
   * Adds what a statement says of it.
   * @param leavesOut whether the statement leaves it out unless it states it live.
   * @returns its rows that carry lines (11), with the days on which they count.
   */
  add(
    statement: Statement<Row>,
    rows: readonly ReachedRow<Row>[],
    leavesOut: boolean,
  ): readonly Counted<Row>[] {
    const { knownOn } = statement;
    const live = rows.flatMap(({ row }) => (isLive(row) ? row : []));
    // (9) What a statement states live, no end in it of something else means.
    const ends = rows.filter(({ row, reach }) => isEnd(row) && (reach === 'own' || live.length === 0));
    const ownRows = ends.flatMap(({ row, reach }) => (reach === 'own' ? row : []));
    const counting = countingDays([...live, ...ownRows]);
    this.known = latestBeginning(live) || this.known || latestBeginning(ownRows);
    const liveRows = live
      .map((row): Counted<Row> => {
        const begins = row.begins ?? (this.known < row.ends ? this.known : always);
        const { from, until } = counting(row);
        const first = [row.notBefore ?? always, from].reduce(laterOf, begins);
        return { row, begins, from: first, until: earlierOf(row.ends, until) };
      })
      .toSorted(by(({ row, begins }) => `${begins} ${row.ends} ${row.since}`));
    if (liveRows.length > 0) this.addLive(liveRows, statement);
    const saidOn = this.saidOn;
    if (live.length > 0) this.saidOn = new Map();
    // Of ends that say the same, the statement's own one comes last, and counts.
    const inOrder = by(
      ({ row: { since, begins, ends: last, status, identity }, reach }: ReachedRow<Row>) =>
        `${since ?? knownOn} ${begins ?? never} ${last} ${status} ${since} ${reach} ${identityKey(identity)}`,
    );
    for (const end of ends.toSorted(inOrder)) {
      const key = identityKey(end.row.identity);
      this.addEnd(
        end,
        saidOn.get(key) ?? knownOn,
        end.reach === 'own' ? counting(end.row) : everyDay,
        statement,
        liveRows,
      );
    }
    if (live.length === 0 && leavesOut) this.leaveOut(statement, new Set(ownRows));
    for (const { begins } of [...live, ...ownRows])
      if (begins !== null && !this.knownOn.has(begins)) this.knownOn.set(begins, knownOn);
    for (const { begins } of liveRows) this.beganLive.add(begins);
    this.spans = this.spans.filter(({ state }, index) => state !== this.spans[index - 1]?.state);
    const ofEnds = ownRows.map((row) => {
      const begins = row.begins ?? always;
      // What nobody recognizes may be in force through its last day, and so may its lines.
      const end = row.status === 'unrecognized' ? row.ends : (row.since ?? knownOn);
      return { row, begins, from: begins, until: earlierOf(end, row.ends) };
    });
    return live.length > 0 ? liveRows : ofEnds;
  }

  private stateOn(day: CalendarDate): State<Row> {
    return this.spans.findLast(({ from }) => from <= day)?.state ?? { basis: undefined, holds: [] };
  }

  /** Changes days from one until another. @param cuts days on which the change may become another one. */
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
      if (span !== undefined && span.from < day && day < never)
        this.spans.splice(index + 1, 0, { from: day, state: span.state });
    }
    for (const span of this.spans)
      if (span.from >= from && span.from < until) span.state = change(span.state, span.from);
  }

  /** (1, 4, 5, 6, 7) The live rows of a statement. */
  private addLive(liveRows: readonly Counted<Row>[], statement: Statement<Row>): void {
    for (const row of liveRows) this.move(row, liveRows);
    const before = { wasNamed: this.beganLive.has(always), isNew: this.beganLive.size === 0 };
    const change: Change<Row> = (state, day) => {
      const countedRows = liveRows.filter(isOn(day));
      if (countedRows.length === 0) return passedState(state, liveRows, statement, day);
      return countedRows.reduce((last, one) => liveState(last, one, statement, day, before), state);
    };
    const cuts = liveRows.flatMap(({ row, from, until }) => [from, until, row.since ?? always]);
    this.change(always, never, change, statement.knownOn, ...cuts);
  }

  /** (7) Where a row moves a beginning, days before it are not known until the old one was. */
  private move({ row, begins, from }: Counted<Row>, liveRows: readonly Counted<Row>[]): void {
    const formerMark = markOf(this.stateOn(from));
    if (formerMark?.is !== 'in force' || row.begins === null || formerMark.row.ends !== row.ends) return;
    if (liveRows.some((other) => other.begins === formerMark.begins)) return;
    const until = earlierOf(this.knownOn.get(formerMark.begins) ?? always, begins);
    this.change(always, until, ({ basis, holds }) => ({
      basis: basis?.begins === formerMark.begins ? { ...basis, is: 'not known' } : basis,
      holds,
    }));
  }

  /** (2, 3, 6, 8, 9) An end. @param firstSaidOn the day on which it was said first, of one that says no day. */
  private addEnd(
    { row, reach }: ReachedRow<Row>,
    firstSaidOn: CalendarDate,
    counting: typeof everyDay,
    statement: Statement<Row>,
    liveRows: readonly Counted<Row>[],
  ): void {
    const { since, ends, status } = row;
    const isOnBeginning = since !== null && this.beganLive.has(since) && (row.begins ?? since) === since;
    if (since === null || isOnBeginning) this.saidOn.set(identityKey(row.identity), firstSaidOn);
    const from = earlierOf(since ?? firstSaidOn, ends);
    const first = isOnBeginning ? earlierOf(firstSaidOn, ends) : from;
    const begins = row.begins ?? (isOnBeginning ? since : always);
    if (reach === 'own' && counting.from === always) this.addDaysBefore(row, from, first, statement);
    const unknown = basisOf('not known', row, statement, row.begins ?? always);
    const change: Change<Row> = (state, day) => {
      const { basis, holds } = state;
      const isUnrecognized = status === 'unrecognized' && day < ends;
      const isMaybeLive = isUnrecognized && markOf(state)?.is !== 'ended';
      const isAgainst = isLag(statement, basis) || liveRows.some(isOn(day));
      const isDoubted = isUnrecognized || reach === 'doubts' || day < first || isAgainst;
      return withHold(
        { basis: basis ?? (isMaybeLive ? unknown : undefined), holds },
        { is: 'ended', row, statement, first, last: first, begins, isDoubted, isUnrecognized },
      );
    };
    this.change(laterOf(from, counting.from), counting.until, change, first, ends);
  }

  /** (2) Days before an end that nothing marks. */
  private addDaysBefore(row: Row, end: CalendarDate, first: CalendarDate, statement: Statement<Row>): void {
    const { begins, since, status, ends, notBefore } = row;
    const isMarked = this.spans.some(({ from, state }) => from < first && markOf(state) !== undefined);
    if (begins === null && isMarked) return;
    const isLapse = status === 'lapsed' && ends <= statement.knownOn;
    const isKnown = begins !== null && status !== 'unrecognized' && (since !== null || isLapse);
    const basis = basisOf(isKnown ? 'in force' : 'not known', row, statement, begins ?? always);
    this.change(laterOf(begins ?? always, notBefore ?? always), end, (state) =>
      markOf(state) === undefined ? { basis, holds: state.holds } : state,
    );
  }

  /** (5) A statement that does not state it live, but for days that an end of its own ends. */
  private leaveOut(statement: Statement<Row>, ownRows: ReadonlySet<Row>): void {
    const { knownOn } = statement;
    this.change(knownOn, never, (state) => {
      const { basis, holds } = state;
      const ends = holds.filter(
        (hold) => hold.statement === statement && ownRows.has(hold.row) && !isSpared(basis, hold),
      );
      if (ends.some((end) => !end.isUnrecognized)) return state;
      const isUnrecognized = ends.length > 0;
      const formerMark = holds.find(({ is }) => is === 'left out');
      // What nobody recognizes may be live: it is not known, rather than left out.
      return withHold(state, {
        is: 'left out',
        row: this.first,
        statement,
        first: formerMark?.first ?? knownOn,
        last: knownOn,
        begins: always,
        isDoubted: isUnrecognized || isLag(statement, basis),
        isUnrecognized: false,
      });
    });
  }
}

const everyDay = { from: always, until: never };

const latestBeginning = (rows: readonly DatedRow[]): CalendarDate =>
  rows.reduce((last, { begins }) => laterOf(last, begins ?? always), always);

/** (8) The days on which each row of one thing in its statement counts: where all have a date, until the next one's. */
function countingDays(rows: readonly DatedRow[]): (row: DatedRow) => typeof everyDay {
  const days = rows.flatMap(({ since }) => since ?? []).sort();
  return ({ since }) =>
    since === null || days.length < rows.length
      ? everyDay
      : {
          from: since === days[0] ? always : since,
          until: days.find((day) => day > since) ?? never,
        };
}

const isOn =
  (day: CalendarDate) =>
  ({ from, until }: Counted<DatedRow>): boolean =>
    from <= day && day < until;

const basisOf = <Row extends DatedRow>(
  is: Basis<Row>['is'],
  row: Row,
  statement: Statement<Row>,
  begins: CalendarDate,
  importedOn = always,
): Basis<Row> => ({ is, row, statedAt: statement.at, begins, importedOn });

/** Days for which what the registry says against an import, or leaves out, is not known. */
const lagDays = 30;

/** The last of these days, after an import; `always` where there was none. */
export const lastDayOfLag = (importedOn: CalendarDate): CalendarDate =>
  importedOn === always ? always : addDays(importedOn, lagDays);

const isWithinLag = (from: CalendarDate, day: CalendarDate): boolean => day <= lastDayOfLag(from);

/** (6) Whether the registry may not have yet what an import said. */
const isLag = ({ by: source, knownOn }: Statement, said: { importedOn: CalendarDate } | undefined): boolean =>
  source === 'registry' && said !== undefined && isWithinLag(said.importedOn, knownOn);

/** (5) Whether a complete statement shows that it was never gone. What is new was not gone before it began. */
const isBack = (statement: Statement, hold: Hold, begins = always): boolean =>
  isWithinLag(laterOf(hold.first, begins), statement.knownOn) && !isLag(statement, hold);

/** Whether a beginning is another one, on the day of an end or later. */
const isAfter = (begins: CalendarDate, hold: Pick<Hold, 'last' | 'begins'>): boolean =>
  begins >= hold.last && begins !== hold.begins;

/** (2) Whether a day is of another beginning than that of an end, which holds should that beginning be replaced. */
const isSpared = (
  basis: Basis<DatedRow> | undefined,
  hold: Pick<Hold, 'is' | 'last' | 'begins' | 'isUnrecognized'>,
): boolean =>
  hold.is === 'ended' &&
  !hold.isUnrecognized &&
  basis !== undefined &&
  isAfter(basis.begins, { last: hold.last, begins: hold.begins || hold.last });

const doubtedHold = <Row extends DatedRow>(hold: Hold<Row>): Hold<Row> => ({ ...hold, isDoubted: true });

/** (5, 6, 7) A day on which none of the live rows of a statement counts. */
function passedState<Row extends DatedRow>(
  { basis, holds }: State<Row>,
  liveRows: readonly Counted<Row>[],
  statement: Statement<Row>,
  day: CalendarDate,
): State<Row> {
  const { knownOn, isComplete } = statement;
  const passedRows = liveRows.filter(({ until }) => until <= day);
  const isReplaced =
    basis !== undefined && passedRows.some(({ until }) => isComplete || basis.begins < until);
  const lagging: Basis<Row> | undefined =
    basis !== undefined && isLag(statement, basis) ? { ...basis, is: 'not known' } : undefined;
  return {
    basis: isReplaced ? lagging : basis,
    holds: holds.flatMap((hold) => {
      if (hold.is === 'ended' || !isComplete) return hold;
      if (passedRows.length > 0) return day >= knownOn || isBack(statement, hold) ? [] : hold;
      return day < knownOn ? doubtedHold(hold) : hold;
    }),
  };
}

/** (1, 4, 5, 6) A day on which a live row counts. */
function liveState<Row extends DatedRow>(
  state: State<Row>,
  { row, begins }: Counted<Row>,
  statement: Statement<Row>,
  day: CalendarDate,
  before: { readonly wasNamed: boolean; readonly isNew: boolean },
): State<Row> {
  const { basis, holds } = state;
  const { knownOn, isComplete, by: source } = statement;
  // (11) A line that is named first by a file begins then.
  const isNamed = !before.wasNamed && !isComplete && row.notBefore !== undefined && begins === always;
  if (begins === always && day < knownOn) {
    // Its last day has passed: it says what has ended, and when.
    if (basis?.begins === always && row.ends <= knownOn && basis.row.ends !== row.ends)
      return { basis: { ...basis, row, statedAt: statement.at }, holds };
    if (basis !== undefined || holds.some(({ is }) => is === 'ended' || isNamed)) return state;
    return { basis: basisOf('not known', row, statement, begins), holds: holds.map(doubtedHold) };
  }
  const importedOn = source === 'import' ? knownOn : (basis?.importedOn ?? always);
  const against = holds.flatMap((hold) => {
    const isGone = hold.is === 'left out';
    const isNew = isAfter(begins, hold);
    if (isGone && isComplete) {
      const isFromNow = day >= knownOn && (isNew || !isLag(statement, hold));
      return isFromNow || isBack(statement, hold, before.isNew ? begins : always) ? [] : doubtedHold(hold);
    }
    if (hold.last > knownOn) return hold;
    if (isNew || (isGone && isNamed)) return [];
    const daysAgain = [row.since ?? always, isComplete ? knownOn : always].filter(
      (date) => date >= hold.last,
    );
    if (daysAgain.length > 0 && daysAgain.every((date) => date > day)) return hold;
    return daysAgain.length === 0 || isLag(statement, hold) ? doubtedHold(hold) : [];
  });
  return { basis: basisOf('in force', row, statement, begins, importedOn), holds: against };
}

/** A state with something that holds, as it is said last. */
function withHold<Row extends DatedRow>(
  { basis, holds }: State<Row>,
  hold: Omit<Hold<Row>, 'importedOn'>,
): State<Row> {
  const { by: source, knownOn } = hold.statement;
  const formerMark = holds.find(
    ({ is, first, begins }) => is === hold.is && first === hold.first && begins === hold.begins,
  );
  const otherHolds = holds.filter((other) => other !== formerMark);
  // Left out again, it is so by the first statement.
  const statement = hold.is === 'left out' ? (formerMark?.statement ?? hold.statement) : hold.statement;
  const importedOn = source === 'import' ? knownOn : (formerMark?.importedOn ?? always);
  return {
    basis: basis && source === 'import' && !isSpared(basis, hold) ? { ...basis, importedOn: always } : basis,
    holds: [{ ...hold, statement, importedOn }, ...otherHolds],
  };
}

function markOf<Row extends DatedRow>({ basis, holds }: State<Row>): Mark<Row> | undefined {
  const counting = holds.filter((hold) => !isSpared(basis, hold));
  const certain = counting.filter(({ isDoubted }) => !isDoubted);
  const leftOutHold = holds.find(({ is }) => is === 'left out');
  const hold =
    certain.find(({ is }) => is === 'ended') ?? certain[0] ?? (basis === undefined ? leftOutHold : undefined);
  if (hold !== undefined) {
    const row = (hold.is === 'left out' ? basis?.row : undefined) ?? hold.row;
    return { is: hold.is, row, statedAt: hold.statement.at, begins: basis?.begins ?? hold.begins };
  }
  if (basis === undefined || counting.length === 0) return basis;
  const unrecognizedEnd = counting.find(({ row, is }) => is === 'ended' && row.status === 'unrecognized');
  return { ...basis, is: 'not known', row: unrecognizedEnd?.row ?? basis.row };
}

/** Compares by a text, so that the order in which things were said never matters. */
export const by =
  <Item>(textOf: (item: Item) => string) =>
  (one: Item, other: Item): number =>
    compare(textOf(one), textOf(other));
