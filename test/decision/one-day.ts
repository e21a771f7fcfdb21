import type { DatedRow, Identity, Statement } from '#domain/decision/statements.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import {
  type Counted,
  counting,
  earliest,
  isEnd,
  latest,
  linesOf,
  type Page,
  pagesOf,
  type Said,
} from './one-day-statements.ts';
import { isAlike, keyOf, type Reach, reachesOf, type Thing, thingsOf } from './one-day-things.ts';

// The rules of days again, in another form than that of the fold: one day of one thing, step by step through what was stated, with
// a single hand. What a step must know of another day, it asks of that day.

/** What is true of a license, a line or an appointment on a day. */
export type DayAnswer = 'in force' | 'not known' | 'not in force';

/** What stands against live rows of later statements: an end, or, without a `day`, that it was left out. */
interface Hold {
  readonly page: Page;
  readonly reach: Reach;
  readonly day: CalendarDate | null;
  /** Of an end its own beginning. */
  readonly own: CalendarDate | null;
  /** Whether nobody recognizes its status, and its last day has not passed. */
  readonly isUnrecognized: boolean;
  /** When it was left out first, and last. */
  readonly goneFrom: CalendarDate;
  readonly goneLast: CalendarDate;
  readonly importedOn: CalendarDate;
  readonly isUnsure: boolean;
}

/** The beginning to which the day belongs, and the last day, by the row that says so. */
interface Live {
  readonly isSure: boolean;
  readonly begin: CalendarDate;
  readonly ends: CalendarDate;
  readonly importedOn: CalendarDate;
}

interface Hand {
  readonly live: Live | null;
  readonly holds: readonly Hold[];
}

type Mark = DayAnswer | 'ended' | null;
type AskDay = (day: CalendarDate) => Hand;
type Step = (hand: Hand, day: CalendarDate, ask: AskDay) => Hand;

const monthAfter = (day: CalendarDate): CalendarDate => (day === '' ? '' : addDays(day, 30));
const isNew = (begin: CalendarDate, { day, own, goneLast }: Hold): boolean =>
  begin >= (day ?? goneLast) && begin !== own;

/** Whether an end is of an earlier beginning than the day. */
const isOfBefore = ({ live }: Pick<Hand, 'live'>, hold: Omit<Hold, 'importedOn'>): boolean =>
  hold.day !== null &&
  !hold.isUnrecognized &&
  live !== null &&
  live.begin >= hold.day &&
  live.begin !== (hold.own ?? hold.day);

function markOf(hand: Hand): Mark {
  const { live, holds } = hand;
  const against = holds.filter((hold) => !isOfBefore(hand, hold));
  const sure = against.filter(({ isUnsure }) => !isUnsure);
  if (sure.length > 0) return sure.some(({ day }) => day !== null) ? 'ended' : 'not in force';
  if (live === null) return holds.some(({ day }) => day === null) ? 'not in force' : null;
  return live.isSure && against.length === 0 ? 'in force' : 'not known';
}

/** Whether the registry may only lag behind an import (6). */
const isLagging = ({ said }: Page, importedOn: CalendarDate): boolean =>
  said.by === 'registry' && importedOn !== '' && said.knownOn <= monthAfter(importedOn);

const covers =
  (day: CalendarDate) =>
  ({ from, until }: Counted) =>
    from <= day && day < until;

/** Whether a complete statement shows that it was never gone (5, 6). */
const isBack = (page: Page, { goneFrom, importedOn }: Hold, begin = ''): boolean =>
  page.said.knownOn <= monthAfter(begin > goneFrom ? begin : goneFrom) && !isLagging(page, importedOn);

/** What the live rows of a statement do to what was said of the day before (5, 6, 7). */
function passLive(page: Page): Step {
  const { live, said, firstKnown } = page;
  return (hand, day, ask) => {
    let { live: before, holds } = hand;
    for (const { row, begin, from } of live) {
      const { live: old } = ask(from);
      if (
        row.begins === null ||
        old === null ||
        markOf(ask(from)) !== 'in force' ||
        before?.begin !== old.begin
      )
        continue;
      const isMoved =
        old.begin < begin && old.ends === row.ends && live.every((other) => other.begin !== old.begin);
      if (isMoved && day < earliest(firstKnown.get(old.begin) ?? '', begin))
        before = { ...before, isSure: false };
    }
    if (live.some(covers(day))) return { live: before, holds };
    const passed = live.filter(({ until }) => day >= until);
    if (before !== null && passed.some(({ until }) => said.isComplete || (before?.begin ?? '') < until))
      before = isLagging(page, before.importedOn) ? { ...before, isSure: false } : null;
    if (said.isComplete && live.length > 0) {
      if (passed.length > 0)
        holds = holds.filter((hold) => hold.day !== null || !(day >= said.knownOn || isBack(page, hold)));
      else if (day < said.knownOn)
        holds = holds.map((hold) => (hold.day === null ? { ...hold, isUnsure: true } : hold));
    }
    return { live: before, holds };
  };
}

/** Whether it is a line that a partial statement names without a beginning: it begins then (11). */
const isNamedLater = ({ said, wasNamed }: Page, { row, begin }: Counted): boolean =>
  row.notBefore !== undefined && begin === '' && !said.isComplete && !wasNamed;

/** What a live row makes of what stands against it on one of its days (4, 5, 6). */
function heldAgainst(page: Page, one: Counted, day: CalendarDate, holds: readonly Hold[]): Hold[] {
  const { row, begin } = one;
  const { knownOn, isComplete } = page.said;
  return holds.flatMap((hold): Hold[] => {
    const unsure = [{ ...hold, isUnsure: true }];
    if (hold.day === null && isComplete) {
      if (isLagging(page, hold.importedOn) && begin < hold.goneLast) return unsure;
      return day >= knownOn || isBack(page, hold, page.isNew ? begin : '') ? [] : unsure;
    }
    const not = hold.day ?? hold.goneLast;
    if (not > knownOn) return [hold];
    if (isNew(begin, hold) || (hold.day === null && isNamedLater(page, one))) return [];
    const again = [row.since, isComplete ? knownOn : null].filter((from) => from !== null && from >= not);
    if (again.length === 0) return unsure;
    const isAgain = again.some((from) => from !== null && from <= day);
    if (!isAgain) return [hold];
    return isLagging(page, hold.importedOn) ? unsure : [];
  });
}

/** A live row (1). */
const addLive =
  (page: Page, one: Counted): Step =>
  (hand, day) => {
    if (!covers(day)(one)) return hand;
    const { row, begin } = one;
    const { by, knownOn } = page.said;
    if (begin === '' && day < knownOn) {
      if (hand.live !== null || hand.holds.some((hold) => hold.day !== null || isNamedLater(page, one)))
        return hand;
      return {
        live: { isSure: false, begin, ends: row.ends, importedOn: '' },
        holds: hand.holds.map((hold) => ({ ...hold, isUnsure: true })),
      };
    }
    return {
      live: {
        isSure: true,
        begin,
        ends: row.ends,
        importedOn: by === 'import' ? knownOn : (hand.live?.importedOn ?? ''),
      },
      holds: heldAgainst(page, one, day, hand.holds),
    };
  };

/** Takes something into the hand that stands against later live rows; said again, it is the same. */
function withHold({ live, holds }: Hand, hold: Omit<Hold, 'importedOn'>): Hand {
  const isSame = (other: Hold): boolean => other.day === hold.day && other.own === hold.own;
  const isImported = hold.page.said.by === 'import';
  const importedOn = isImported ? hold.page.said.knownOn : (holds.find(isSame)?.importedOn ?? '');
  return {
    live: live && isImported && !isOfBefore({ live }, hold) ? { ...live, importedOn: '' } : live,
    holds: [{ ...hold, importedOn }, ...holds.filter((other) => !isSame(other))],
  };
}

/** Days before an end that nothing marks (2). */
const addBefore =
  (page: Page, { row, from, since: last, day: end }: Counted, days: readonly CalendarDate[]): Step =>
  (hand, day, ask) => {
    const { begins, since, status, ends, notBefore } = row;
    if (from !== '' || day >= last || day < latest(begins, notBefore) || markOf(hand) !== null) return hand;
    const isMarked = (other: CalendarDate): boolean => other < end && markOf(ask(other)) !== null;
    if (begins === null && ['', ...days].some(isMarked)) return hand;
    const isTold = since !== null || (status === 'lapsed' && ends <= page.said.knownOn);
    const isSure = begins !== null && status !== 'unrecognized' && isTold;
    return { ...hand, live: { isSure, begin: begins ?? '', ends, importedOn: '' } };
  };

/** An end (2, 3, 8, 9). */
const addEnd =
  (page: Page, { row, reach, from, until, since, day: first, own }: Counted): Step =>
  (hand, day) => {
    if (day < latest(since, from) || day >= until) return hand;
    const { live } = hand;
    const isUnrecognized = row.status === 'unrecognized' && day < row.ends;
    const isMaybeLive = isUnrecognized && markOf(hand) !== 'ended';
    const unknown: Live = { isSure: false, begin: row.begins ?? '', ends: row.ends, importedOn: '' };
    return withHold(isMaybeLive ? { ...hand, live: live ?? unknown } : hand, {
      page,
      reach,
      day: first,
      own,
      isUnrecognized,
      goneFrom: '',
      goneLast: '',
      isUnsure:
        isUnrecognized ||
        day < first ||
        (live !== null && isLagging(page, live.importedOn)) ||
        reach === 'doubts' ||
        page.live.some(covers(day)),
    });
  };

/** That a statement does not state it live, and ends it not either (5). */
const leaveOut =
  (page: Page): Step =>
  (hand, day) => {
    const { knownOn } = page.said;
    const ends = hand.holds.filter(
      (hold) => hold.page === page && hold.reach === 'own' && !isOfBefore(hand, hold),
    );
    if (day < knownOn || ends.some(({ isUnrecognized }) => !isUnrecognized)) return hand;
    return withHold(hand, {
      page,
      reach: 'own',
      day: null,
      own: null,
      isUnrecognized: false,
      goneFrom: hand.holds.find((hold) => hold.day === null)?.goneFrom ?? knownOn,
      goneLast: knownOn,
      isUnsure: ends.length > 0 || isLagging(page, hand.live?.importedOn ?? ''),
    });
  };

/** What is in hand on any day after all that was said of a thing. */
function handsOf(pages: readonly Page[]): AskDay {
  const rows = pages.flatMap(({ live, ends }) => [...live, ...ends]);
  const days = [
    ...pages.map(({ said }) => said.knownOn),
    ...rows.flatMap(({ row, from, until, day }) => [
      row.begins ?? '',
      row.since ?? '',
      row.notBefore ?? '',
      from,
      until,
      day,
      row.ends,
    ]),
  ];
  const steps = pages.flatMap((page) => [
    passLive(page),
    ...page.live.map((one) => addLive(page, one)),
    ...page.ends.flatMap((one) => [
      ...(one.reach === 'own' ? [addBefore(page, one, days)] : []),
      addEnd(page, one),
    ]),
    ...(page.said.leavesOut && page.live.length === 0 ? [leaveOut(page)] : []),
  ]);
  const known = new Map<string, Hand>();
  const handOn = (day: CalendarDate, count: number): Hand => {
    const step = steps[count - 1];
    if (step === undefined) return { live: null, holds: [] };
    const key = `${count} ${day}`;
    const hand = known.get(key) ?? step(handOn(day, count - 1), day, (other) => handOn(other, count - 1));
    known.set(key, hand);
    return hand;
  };
  return (day) => handOn(day, steps.length);
}

/** A thing's answers: while an end of what it may be holds, it is not known (9). */
function answersOf(statements: readonly Said[]) {
  const rows = statements.flatMap((said) => said.rows);
  const { things, torn } = thingsOf(rows.map(({ identity }) => identity));
  const all = [...new Set(things.values())];
  const thingOf = ({ identity }: DatedRow): Thing => things.get(keyOf(identity)) ?? [identity];
  const live = new Set(rows.filter(({ status }) => status === 'live').map(thingOf));
  const held = all.filter((thing) => live.has(thing));
  const reaches = new Map<string, Map<Thing, Reach>>();
  const reachOf = (row: DatedRow, thing: Thing): Reach | undefined => {
    if (!isEnd(row)) return thingOf(row) === thing ? 'own' : undefined;
    const key = keyOf(row.identity);
    const reach = reaches.get(key) ?? reachesOf(row.identity, thingOf(row), held, torn);
    reaches.set(key, reach);
    return reach.get(thing);
  };
  const pages = new Map(
    all.map((thing) => [thing, pagesOf(statements, (row) => reachOf(row, thing))] as const),
  );
  const hands = new Map([...pages].map(([thing, history]) => [thing, handsOf(history)] as const));
  const answerOf = (thing: Thing, day: CalendarDate): DayAnswer => {
    const hand = hands.get(thing)?.(day);
    const mark = hand ? markOf(hand) : null;
    if (mark !== 'in force') return mark === 'not known' ? mark : 'not in force';
    const isLookalike = (other: Thing): boolean =>
      live.has(thing) && other !== thing && isAlike(other, thing);
    const isHeld = (other: Thing): boolean => {
      const its = hands.get(other)?.(day);
      return its?.holds.some((hold) => hold.day !== null && !isOfBefore(its, hold)) === true;
    };
    return all.some((other) => isLookalike(other) && isHeld(other)) ? 'not known' : 'in force';
  };
  return {
    things: all,
    answerOf,
    thingOf: (of: Identity): Thing | undefined => things.get(keyOf(of)),
    pagesOf: (thing: Thing): readonly Page[] => pages.get(thing) ?? [],
  };
}

/** The answers about a day of the license or appointment of which a row with an identity is, or of a line of that license. */
export function daysOfThings(statements: readonly Statement[]) {
  const {
    thingOf,
    answerOf,
    pagesOf: pages,
  } = answersOf(counting(statements.map((said) => ({ ...said, leavesOut: said.isComplete }))));
  const linesOfThings = new Map<Thing, ReturnType<typeof answersOf>>();
  return (of: Identity, day: CalendarDate, line?: Identity): DayAnswer => {
    const thing = thingOf(of);
    if (thing === undefined) return 'not in force';
    const lines = linesOfThings.get(thing) ?? answersOf(linesOf(pages(thing)));
    linesOfThings.set(thing, lines);
    const own = answerOf(thing, day);
    if (own === 'not in force' || lines.things.length === 0) return own;
    const asked = line === undefined ? lines.things : [lines.thingOf(line) ?? []];
    const answers = asked.map((one) => lines.answerOf(one, day));
    if (answers.includes('in force')) return own;
    return answers.includes('not known') ? 'not known' : 'not in force';
  };
}
