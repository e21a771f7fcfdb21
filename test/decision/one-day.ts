import type { Identity, Statement } from '../../shared/domain/decision/statements.ts';
import type { CalendarDate } from '../../shared/platform/dates/dates.ts';
import {
  countedRows,
  earliest,
  isEnd,
  isWithinMonth,
  latest,
  linesOf,
  never,
  type Row,
  type Said,
  tellsBefore,
  thingsAmong,
  withoutDeleted,
} from './one-day-statements.ts';
import { likenessOfThings, reachOf, type Thing, type Things } from './one-day-things.ts';

/** What is true of a license, a line or an appointment on a day. */
export type DayAnswer = 'in force' | 'not known' | 'not in force';

/** The mark in hand, with the beginning and the end of the row that made it. */
interface Hand {
  readonly mark: 'in force' | 'not known' | 'ended' | 'left out' | null;
  readonly begin: CalendarDate | null;
  readonly ends: CalendarDate | null;
}
/** An end from its day on, and the beginning that is its own. */
interface Hold {
  readonly day: CalendarDate;
  readonly own: CalendarDate | null;
}
interface Ending {
  readonly row: Row;
  readonly hold: Hold;
  readonly how: 'own' | 'ends' | 'doubts';
}
interface Memory {
  readonly things: Things;
  readonly thing: Thing;
  readonly day: CalendarDate;
  hand: Hand;
  /** The ends that hold on the day. */
  holds: readonly Hold[];
  /** Since when it is left out, where it is on the day. */
  goneFrom: CalendarDate | null;
  /** The beginning that was stated last. */
  known: CalendarDate | null;
  firstMarked: CalendarDate;
  wasLive: boolean;
  readonly firstKnown: Map<CalendarDate, CalendarDate>;
  readonly liveBeginnings: Set<CalendarDate>;
  firstSaid: ReadonlyMap<Thing, CalendarDate>;
  /** What an import said of the day last (rule 6). */
  imported: ({ readonly isLive: boolean; readonly knownOn: CalendarDate } & Hold) | null;
}
interface Span {
  readonly row: Row;
  readonly begin: CalendarDate;
  readonly start: CalendarDate;
  readonly stated: CalendarDate | null;
}

const isNewBeginning = (begin: CalendarDate | null, { day, own }: Hold): boolean =>
  begin !== null && begin >= day && begin !== own;
const mayBeInForce = ({ mark }: Hand): boolean => mark === 'in force' || mark === 'not known';

function spanOf(memory: Memory, said: Said, row: Row): Span {
  const stated = row.begins ?? memory.known ?? (row.beginsWhenNamed ? said.knownOn : null);
  const begin = stated ?? said.knownOn;
  return { row, begin, start: latest(begin, row.notBefore), stated };
}

/** What a live row makes of a day between its beginning and its last day. */
function outcomeOf(
  memory: Memory,
  said: Said,
  { row, stated }: Span,
): Pick<Memory, 'hand' | 'holds' | 'goneFrom'> {
  const { day, hand, imported } = memory;
  let isDoubtful = false;
  let isUntouched = false;
  const isAgain = (from: CalendarDate, ...dates: readonly (CalendarDate | null)[]): boolean => {
    const again = earliest(...dates.filter((date) => date !== null).filter((date) => date >= from));
    if (again === never) isDoubtful = true;
    else if (again > day) isUntouched = true;
    return again <= day;
  };
  const holds = memory.holds.filter((hold) => {
    const isAhead = hold.day > said.knownOn;
    // That a line was named then says nothing against its end.
    if (isNewBeginning(row.begins ?? memory.known, hold)) return isAhead;
    if (isAhead) isUntouched = true;
    return isAhead || !isAgain(hold.day, row.since, said.isComplete ? said.knownOn : null);
  });
  let { goneFrom } = memory;
  if (goneFrom !== null && said.isComplete) {
    if (isWithinMonth(goneFrom, said.knownOn) || day >= said.knownOn) goneFrom = null;
    else isDoubtful = true;
  } else if (goneFrom !== null && isAgain(goneFrom, stated, row.since)) goneFrom = null;
  if (isUntouched) return { hand, holds, goneFrom };
  const isAgainst =
    said.by === 'registry' && imported?.isLive === false && !isNewBeginning(row.begins, imported);
  const isLagging = isAgainst && isWithinMonth(imported.knownOn, said.knownOn);
  const made: Hand = {
    mark: isLagging || isDoubtful ? 'not known' : 'in force',
    begin: stated,
    ends: row.ends,
  };
  return isLagging
    ? { hand: made, holds: memory.holds, goneFrom: memory.goneFrom }
    : { hand: made, holds, goneFrom };
}

/** A live row of which the day is not (rules 1, 5 and 7). */
function passLiveRow(memory: Memory, said: Said, { row, begin, start }: Span): void {
  const { day, hand, goneFrom } = memory;
  if (day >= row.ends) {
    if (!said.isComplete && hand.begin !== null && hand.begin >= row.ends) return;
    if (goneFrom !== null && said.isComplete && isWithinMonth(goneFrom, said.knownOn)) memory.goneFrom = null;
    const isHeld = memory.holds.length > 0 || memory.goneFrom !== null;
    if (!isHeld || hand.mark === 'in force')
      memory.hand = { mark: isHeld ? 'ended' : null, begin: null, ends: null };
  } else if (day < start) {
    const isUnsure =
      (hand.mark === null && day >= (row.notBefore ?? '') && row.begins === null && memory.known === null) ||
      (hand.mark === 'left out' && said.isComplete && day < said.knownOn);
    const isMoved =
      row.begins !== null && hand.begin !== null && begin > hand.begin && row.ends === hand.ends;
    const wasBefore = hand.mark === 'in force' && day < (memory.firstKnown.get(hand.begin ?? '') ?? '');
    if (isUnsure || (isMoved && wasBefore)) memory.hand = { ...hand, mark: 'not known' };
  }
}

/** An end; it says whether it takes the day. */
function applyEnd(memory: Memory, said: Said, { row, hold, how }: Ending, isLive: boolean): boolean {
  const { day, hand } = memory;
  if (day >= hold.day) {
    memory.holds = [...memory.holds, hold];
    const isOther = (row.status !== 'unrecognized' || day >= row.ends) && isNewBeginning(hand.begin, hold);
    if (mayBeInForce(hand) && isOther) return false;
    if (isLive || how === 'doubts') {
      if (mayBeInForce(hand)) memory.hand = { ...hand, mark: 'not known' };
    } else if (row.status !== 'unrecognized' || day >= row.ends)
      memory.hand = { mark: 'ended', begin: null, ends: null };
    else if (hand.mark !== 'ended') memory.hand = { ...hand, mark: 'not known' };
    return true;
  }
  if (hold.own !== null && hold.own === row.since && day >= row.since) {
    memory.holds = [...memory.holds, { ...hold, day: row.since }];
    if (hand.mark === null || hand.mark === 'in force') memory.hand = { ...hand, mark: 'not known' };
  } else if (hand.mark === null && (how === 'own' || memory.wasLive)) {
    const { begins, ends } = row;
    const mark = how === 'own' && tellsBefore(row, said.knownOn) ? 'in force' : 'not known';
    if (begins !== null && day >= latest(begins, row.notBefore)) memory.hand = { mark, begin: begins, ends };
    if (begins === null && memory.firstMarked >= hold.day) memory.hand = { ...hand, mark: 'not known' };
  }
  return false;
}

/** Goes on by one statement. */
function applyStatement(memory: Memory, said: Said, held: readonly Thing[]): void {
  const { things, thing, day, hand: before } = memory;
  const rows = said.rows.filter((row) => row.status !== 'pending' && things.of(row.identity) === thing);
  const counted = countedRows(rows, day);
  const isStated = rows.some((row) => !isEnd(row));
  const isLeftOut = said.leavesOut && !isStated && day >= said.knownOn;
  const goneBefore = memory.goneFrom;
  if (isLeftOut) {
    memory.goneFrom ??= said.knownOn;
    if (before.mark !== 'ended') memory.hand = { mark: 'left out', begin: null, ends: null };
  }
  if (said.leavesOut && !isStated) memory.firstMarked = earliest(memory.firstMarked, said.knownOn);

  const spans = counted.filter((row) => !isEnd(row)).map((row) => spanOf(memory, said, row));
  const around = spans.filter(({ row, start }) => start <= day && day < row.ends);
  const covering = around.filter(({ row }) => row.isDoubtful !== true);
  const rank = ({ hand }: { hand: Hand }): string =>
    `${hand === before ? 2 : hand.mark === 'in force' ? 0 : 1}${hand.begin}${hand.ends}`;
  const [best] = covering
    .map((span) => outcomeOf(memory, said, span))
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  if (best !== undefined) Object.assign(memory, best);
  else if (around.length === 0)
    for (const span of spans.toSorted((a, b) => (a.row.ends < b.row.ends ? -1 : 1)))
      passLiveRow(memory, said, span);
  else if (memory.hand.mark === null) memory.hand = { ...memory.hand, mark: 'not known' };
  const allSpans = rows.filter((row) => !isEnd(row)).map((row) => spanOf(memory, said, row));
  for (const { row, begin, start, stated } of allSpans) {
    if (begin < row.ends) memory.firstMarked = earliest(memory.firstMarked, stated === null ? '' : start);
  }

  const firstSaid = new Map<Thing, CalendarDate>();
  const holdOf = (row: Row): Hold => {
    const { begins, since } = row;
    const isOfOwnDay = since !== null && memory.liveBeginnings.has(since) && (begins ?? since) === since;
    if (since !== null && !isOfOwnDay) return { day: earliest(since, row.ends), own: begins };
    const first = memory.firstSaid.get(things.of(row.identity)) ?? said.knownOn;
    firstSaid.set(things.of(row.identity), first);
    return { day: earliest(first, row.ends), own: since ?? begins };
  };
  const others = isStated ? [] : said.rows.filter((row) => isEnd(row) && things.of(row.identity) !== thing);
  const ends = [...counted.filter(isEnd), ...others].flatMap((row): Ending[] => {
    const reach = reachOf(things, row, thing, held);
    const how = things.of(row.identity) === thing ? 'own' : reach;
    return how === null ? [] : [{ row, how, hold: holdOf(row) }];
  });
  const taking = ends
    .toSorted((a, b) => (a.hold.day < b.hold.day ? -1 : 1))
    .filter((ending) => applyEnd(memory, said, ending, covering.length > 0))
    .map(({ hold }) => hold);
  // What its own row ends is no longer left out by the same statement.
  if (ends.some(({ how, row, hold }) => how === 'own' && row.status !== 'unrecognized' && hold.day <= day)) {
    memory.goneFrom = goneBefore;
  }
  for (const { row, how, hold } of ends) {
    if (how !== 'own') continue;
    const firstDay = row.begins ?? (memory.firstMarked >= hold.day ? '' : hold.day);
    memory.firstMarked = earliest(memory.firstMarked, firstDay, hold.day);
  }

  const { imported } = memory;
  if (said.by === 'import') {
    const { knownOn } = said;
    if (covering.length > 0) memory.imported = { isLive: true, knownOn, day: knownOn, own: null };
    else if (taking.length > 0 || isLeftOut) {
      const from = latest(...taking.map((hold) => hold.day), isLeftOut ? knownOn : null);
      memory.imported = { isLive: false, knownOn, day: from, own: taking.at(-1)?.own ?? null };
    } else if (spans.some(({ row }) => day >= row.ends)) memory.imported = null;
  } else if (imported?.isLive && isWithinMonth(imported.knownOn, said.knownOn) && mayBeInForce(before)) {
    if (!mayBeInForce(memory.hand)) memory.hand = { ...before, mark: 'not known' };
  }

  for (const { begins } of rows) {
    if (begins !== null && !memory.firstKnown.has(begins)) memory.firstKnown.set(begins, said.knownOn);
  }
  for (const { stated } of allSpans) if (stated !== null) memory.liveBeginnings.add(stated);
  memory.known = latest(...rows.map(({ begins }) => begins)) || memory.known;
  memory.known ??= latest(...allSpans.map(({ stated }) => stated)) || null;
  memory.wasLive ||= isStated;
  memory.firstSaid = isStated ? firstSaid : new Map([...memory.firstSaid, ...firstSaid]);
}

function memoryOf(statements: readonly Said[], things: Things, thing: Thing, day: CalendarDate): Memory {
  const memory: Memory = {
    things,
    thing,
    day,
    hand: { mark: null, begin: null, ends: null },
    holds: [],
    goneFrom: null,
    known: null,
    firstMarked: never,
    wasLive: false,
    firstKnown: new Map(),
    liveBeginnings: new Set(),
    firstSaid: new Map(),
    imported: null,
  };
  const held = new Set<Thing>();
  for (const said of statements) {
    for (const row of said.rows) if (row.status === 'live') held.add(things.of(row.identity));
    applyStatement(memory, said, [...held]);
  }
  return memory;
}

/** The answer of one fold; while an end of what it may be holds, it is not known (9). */
function answerOf(statements: readonly Said[], things: Things, thing: Thing, day: CalendarDate): DayAnswer {
  const { hand } = memoryOf(statements, things, thing, day);
  if (!mayBeInForce(hand)) return 'not in force';
  const isDoubtful = things.all.some((other) => {
    if (other === thing || likenessOfThings(other, thing) === 'different') return false;
    const { holds, wasLive } = memoryOf(statements, things, other, day);
    return wasLive && holds.some((hold) => !isNewBeginning(hand.begin, hold));
  });
  return hand.mark === 'in force' && !isDoubtful ? 'in force' : 'not known';
}

/** What is true on a day of the license or appointment of which a row with that identity is, or of a line of that license. */
export function oneDay(
  statements: readonly Statement[],
  of: Identity,
  day: string,
  line?: Identity,
): DayAnswer {
  const orderOf = ({ at, recordedAt, id }: Statement): string => `${at} ${recordedAt} ${id}`;
  const ordered = statements
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map((said): Said => ({ ...said, leavesOut: said.isComplete }));
  const things = thingsAmong(ordered, [of]);
  const said = withoutDeleted(ordered, things);
  const carried = linesOf(said, things, things.of(of));
  const lines = thingsAmong(carried, line === undefined ? [] : [line]);
  const saidOfLines = withoutDeleted(carried, lines);
  if (line !== undefined) return answerOf(saidOfLines, lines, lines.of(line), day);
  const answer = answerOf(said, things, things.of(of), day);
  if (answer === 'not in force' || saidOfLines.every(({ rows }) => rows.length === 0)) return answer;
  const answers = lines.all.map((thing) => answerOf(saidOfLines, lines, thing, day));
  if (answers.every((each) => each === 'not in force')) return 'not in force';
  return answers.includes('in force') ? answer : 'not known';
}
