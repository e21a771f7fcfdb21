import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { statusKindOf } from '../registry/words.ts';
import { type Days, dayAfter, dayBefore, earlierOf, knownOn, never, writtenDate } from './dates.ts';
import {
  type Closing,
  type Fact,
  isPresentAt,
  isSameSet,
  type LicenseRow,
  type Recording,
  rowsOf,
} from './facts.ts';
import {
  beginsOf,
  historyOf,
  keyFactsOf,
  lastingOf,
  ownEndOf,
  periodsOf,
  type StatedFact,
  saidBy,
  spokenOn,
  type TermHistory,
  versionFollowed,
} from './license-history.ts';
import { isLive, mayBeOneClass } from './license-identity.ts';

/** An end of an import that fits no term, and ended nothing: until the next list. */
export interface UnmatchedEnd {
  readonly kind: 'license';
  readonly commandId: string;
  readonly row: LicenseRow;
}

/** A row that is not live and that ends terms which it is no version of. */
interface End {
  readonly history: TermHistory<LicenseRow>;
  readonly row: LicenseRow;
  readonly fact: StatedFact<LicenseRow>;
  /** It ends terms that began before, from a day on. */
  readonly begunBefore: CalendarDate;
  readonly from: CalendarDate;
  /** The only term that it ends, where it fits one. */
  readonly only?: TermHistory<LicenseRow>;
}

const rowsLiveIn = <Row extends LicenseRow>({ rows }: StatedFact<Row>): Row[] => rows.filter(isLive);

/** Rows of a term that fit no live one: those before it was seen live. */
function unfittingOf(history: TermHistory<LicenseRow>): readonly StatedFact<LicenseRow>[] {
  if (history.stated[0]?.rows.some(isLive) === true) return [];
  const firstLive = history.stated.find((fact) => rowsLiveIn(fact).length > 0);
  return history.stated.filter(({ commandAt }) => firstLive === undefined || commandAt < firstLive.commandAt);
}

const endsOf = (history: TermHistory<LicenseRow>): End[] =>
  unfittingOf(history).flatMap((fact) =>
    fact.rows.map((row) => ({ history, row, fact, ...endedBy(row, knownOn(fact.commandAt)) })),
  );

/**
 * What rows that may be of several licenses end of one: a term with their `issueDate` that was seen live before, unless their own
 * command states that live too, else those that began before. They are versions of no term, so that they give none days.
 */
function endsByOthers(
  meant: TermHistory<LicenseRow>,
  histories: readonly TermHistory<LicenseRow>[],
): readonly End[] {
  const own = histories.find(({ begins }) => begins === meant.begins);
  const live = own?.stated.filter((fact) => rowsLiveIn(fact).length > 0) ?? [];
  return endsOf(meant).flatMap((end): End[] => {
    const { row, fact } = end;
    if (live.some(({ commandId }) => commandId === fact.commandId)) return [];
    if (own === undefined || !live.some(({ commandAt }) => commandAt < fact.commandAt)) return [end];
    const { statusDate } = row;
    const day = statusDate === null ? knownOn(fact.commandAt) : writtenDate(statusDate);
    return [{ ...end, only: own, from: earlierOf(day, dayAfter(ownEndOf(row))) }];
  });
}

const isSeenLive = (history: TermHistory<LicenseRow>): boolean =>
  history.stated.some(({ rows }) => rows.some(isLive));

/** Whether a row is of a term that was seen live. */
export const fits = (history: TermHistory<LicenseRow>, row: LicenseRow): boolean =>
  isSeenLive(history) && rowsOf(history.stated).includes(row);

/** What a command only repeats that states a term; undefined where what it says is new of the days from which it says it. */
function repeatedBy({ history, fact }: Pick<End, 'history' | 'fact'>): StatedFact<LicenseRow> | undefined {
  const isBefore = ({ commandAt }: Pick<Recording, 'commandAt'>): boolean => commandAt < fact.commandAt;
  const stated = history.stated.filter(isBefore);
  const last = stated.at(-1);
  if (last === undefined || history.presence.findLast(isBefore)?.isPresent !== true) return undefined;
  const isOfAllDays = [...stated, fact].every(({ validFrom }) => validFrom === null);
  const before = isOfAllDays
    ? last
    : versionFollowed({ ...history, stated }, fact.validFrom, knownOn(fact.commandAt));
  return before !== undefined && isSameSet(before.rows, fact.rows) ? last : undefined;
}

/**
 * Whether an end is repeated, and nothing that it might end was stated live anew since it was first stated, of lists alone.
 * @param isOfList whether a list states the end.
 */
function isKnownBefore(end: End, all: readonly TermHistory<LicenseRow>[], isOfList: boolean): boolean {
  const before = repeatedBy(end);
  if (before === undefined) return false;
  const isSince = ({ commandAt }: Pick<Recording, 'commandAt'>): boolean =>
    commandAt > before.commandAt && commandAt <= end.fact.commandAt;
  return !all.some(
    (history) =>
      (isOfList && liveAt(history, before.commandAt).length > 0) ||
      (history.begins < end.begunBefore &&
        history.stated.some(
          (fact) =>
            isSince(fact) && rowsLiveIn(fact).length > 0 && repeatedBy({ history, fact }) === undefined,
        )),
  );
}

/** Which terms a row that is not live ends, and from when. */
function endedBy(row: LicenseRow, knownDay: CalendarDate): Pick<End, 'begunBefore' | 'from'> {
  if (row.statusDate !== null) {
    const from = writtenDate(row.statusDate);
    return { begunBefore: from, from };
  }
  const ownEnd = ownEndOf(row);
  return ownEnd < knownDay
    ? { begunBefore: ownEnd, from: dayAfter(ownEnd) }
    : { begunBefore: knownDay, from: knownDay };
}

/** Whether a row of one number may be an end of another: known on a day, it is not live, and the other's term began before. */
export const mayEnd = (end: LicenseRow, row: LicenseRow, day: CalendarDate): boolean =>
  !isLive(end) && isLive(row) && mayBeOneClass(end, row) && beginsOf(row) < endedBy(end, day).begunBefore;

/** The live rows by which a term was stated at a time: those that speak then, not what an import since says of other days. */
function liveAt<Row extends LicenseRow>(history: TermHistory<Row>, commandAt: string): readonly Row[] {
  if (!isPresentAt(history, commandAt)) return [];
  const stated = history.stated.filter((fact) => fact.commandAt <= commandAt);
  if (stated.some(({ validFrom }) => validFrom !== null)) {
    const speaking = spokenOn(periodsOf({ ...history, stated }), knownOn(commandAt));
    // Of a term that is to begin, none may speak yet.
    if (speaking !== undefined) return speaking.versions.at(-1)?.rows.filter(isLive) ?? [];
  }
  const last = stated.at(-1);
  return stated.filter(({ commandId }) => commandId === last?.commandId).flatMap(rowsLiveIn);
}

/**
 * The day from which a term was live again after an end; `never` where it was not.
 * @param all the ends of the license: a term that an import only repeats beside one of them is not live again.
 */
function liveAgainOn(
  history: TermHistory<LicenseRow>,
  { fact: end }: End,
  all: readonly End[],
  closings: readonly Closing[],
): CalendarDate {
  const endedOn = knownOn(end.commandAt);
  const isLater = ({ commandAt }: Pick<Recording, 'commandAt'>): boolean => commandAt > end.commandAt;
  const isEnded = (fact: StatedFact<LicenseRow>): boolean =>
    fact.by === 'import' &&
    all.some(
      (one) =>
        one.fact.commandId === fact.commandId && one.history !== history && one.begunBefore > history.begins,
    ) &&
    repeatedBy({ history, fact }) !== undefined;
  const stated = history.stated.filter(
    (fact) => isLater(fact) && rowsLiveIn(fact).length > 0 && !isEnded(fact),
  );
  const listed = closings
    .filter(isLater)
    .map(({ commandAt }) => ({ commandAt, rows: liveAt(history, commandAt) }))
    .filter(({ rows }) => rows.length > 0);
  const returns = [
    ...stated.filter(
      ({ commandAt, validFrom, by }) =>
        // How an import is cut does not matter.
        (by !== 'import' || knownOn(commandAt) > endedOn) && (validFrom ?? never) >= endedOn,
    ),
    ...listed,
  ];
  const [first = ''] = returns.map(({ commandAt }) => commandAt).sort(compare);
  // The last day that its command says, also of a day before the end.
  const [back = never] = [
    ...Array.from(
      Map.groupBy(stated, ({ commandAt, validFrom }) => `${commandAt} ${validFrom ?? ''}`).values(),
      (facts) => ({ commandAt: facts[0]?.commandAt ?? '', rows: facts.flatMap(rowsLiveIn) }),
    ),
    ...listed,
  ]
    .filter(({ commandAt }) => commandAt === first)
    .map(({ rows }) => saidBy(lastingOf(rows), knownOn(first)).statusDate ?? knownOn(first))
    .sort((one, other) => compare(other, one));
  return back;
}

/** Days on which a term was ended by another one; where the status of that is not recognized, it may have been. */
export interface EndedDays extends Days {
  readonly isCertain: boolean;
}

/** What the ends among the terms of a license take from the others. */
interface Taken {
  readonly gapsOf: ReadonlyMap<TermHistory<LicenseRow>, readonly EndedDays[]>;
  /** Ends of imports that ended nothing of this license, and rows that ended something that was live. */
  readonly idle: readonly UnmatchedEnd[];
  readonly matched: ReadonlySet<LicenseRow>;
}

const nothingTaken: Taken = { gapsOf: new Map(), idle: [], matched: new Set() };

/**
 * @param histories of the terms of a license that were.
 * @param all with those that never were: a list that stated one of them stated the license.
 * @param meant what else may mean the license and is not live.
 */
export function takenByEnds(
  histories: readonly TermHistory<LicenseRow>[],
  all: readonly TermHistory<LicenseRow>[],
  meant: readonly TermHistory<LicenseRow>[],
  closings: readonly Closing[],
): Taken {
  const own = histories.flatMap(endsOf);
  const candidates = [...own, ...meant.flatMap((one) => endsByOthers(one, histories))];
  if (candidates.length === 0) return nothingTaken;
  const lists = new Set(closings.map(({ commandId }) => commandId));
  const isList = ({ by, commandId }: Recording): boolean => by !== 'import' || lists.has(commandId);
  const ends = candidates.filter((end) => !isKnownBefore(end, all, isList(end.fact)));
  if (ends.length === 0) return nothingTaken;
  const allEnds = [...own, ...meant.flatMap(endsOf)];
  const gapsOf = new Map<TermHistory<LicenseRow>, EndedDays[]>();
  const matched = new Set<LicenseRow>();
  for (const end of ends) {
    // A list that states the license live knows its ends.
    if (isList(end.fact) && all.some((one) => liveAt(one, end.fact.commandAt).length > 0)) continue;
    for (const history of histories) {
      const { only = history } = end;
      if (history !== only || history === end.history) continue;
      if (end.only === undefined && history.begins >= end.begunBefore) continue;
      if (isSeenLive(history)) matched.add(end.row);
      const back = liveAgainOn(history, end, allEnds, closings);
      const until = back === never ? never : dayBefore(back);
      const isCertain = statusKindOf(end.row.status, 'license') !== 'unrecognized';
      const gap = { from: end.from, until, isCertain };
      gapsOf.set(history, [...(gapsOf.get(history) ?? []), gap]);
    }
  }
  const isMoot = (end: End): boolean =>
    isList(end.fact) ||
    matched.has(end.row) ||
    repeatedBy(end) !== undefined ||
    closings.some(({ commandAt }) => commandAt > end.fact.commandAt);
  const idle = ends
    .filter((end) => !isMoot(end))
    .map(({ row, fact }) => ({ kind: 'license' as const, row, commandId: fact.commandId }));
  return { gapsOf, idle, matched };
}

/** The lists that stated one of the licenses of a state live. */
export const liveLists = (facts: readonly Fact<LicenseRow>[], closings: readonly Closing[]): Closing[] => {
  const keys = Array.from(Map.groupBy(facts, ({ key }) => key).values(), keyFactsOf).filter(
    (one) => one !== undefined,
  );
  const histories = keys.map((one) => historyOf(beginsOf(one.row), [one], []));
  return closings.filter(({ commandAt }) =>
    histories.some((history) => liveAt(history, commandAt).length > 0),
  );
};
