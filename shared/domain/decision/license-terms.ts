import { lazily } from '../../platform/contract/lazily.ts';
import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import type { ClassKind } from './classes.ts';
import {
  always,
  type Days,
  dayAfter,
  dayBefore,
  earlierOf,
  intersection,
  knownOn,
  never,
  overlaps,
  shared,
  withoutGaps,
  writtenDate,
} from './dates.ts';
import {
  type Closing,
  comparableCode,
  comparableLineName,
  comparableNumber,
  daysOfAbsence,
  type Fact,
  isPresentAt,
  type LicenseRow,
  recordedFromOf,
  rowsOf,
  type Unread,
} from './facts.ts';
import { type EndedDays, fits, takenByEnds, type UnmatchedEnd } from './license-ends.ts';
import {
  beginsOf,
  historyOf,
  type Interruptions,
  interruptionsOf,
  keyFactsOf,
  noInterruptions,
  ownEndOfPeriod,
  type Period,
  periodsOf,
  presenceOf,
  type Saying,
  type TermHistory,
  type Version,
  versionsOf,
  withLaterOnes,
} from './license-history.ts';
import {
  isCoded,
  isLive,
  isNamed,
  type KeyFacts,
  type KindOf,
  licensesAmong,
  mayBeOneClass,
} from './license-identity.ts';
import {
  type CodesOf,
  codesOfLines,
  isDatedEnd,
  type LineDays,
  type LinesOfPeriod,
  linesOfPeriods,
} from './license-lines.ts';

/** Days that a term covers, by the same row. */
interface TermSpan<Row> extends Days {
  readonly row: Row;
  /** By code, the days on which each line of authority counts; a line of which no code is known has a key of its own. */
  readonly lines: ReadonlyMap<string, readonly LineDays[]>;
  /** Whether it carries lines, so that it covers only days on which one of them counts. */
  readonly hasLines: boolean;
}

/** The days of a span on which its license is in force: where it carries lines, one of them must count. */
export function daysInForce({ lines, hasLines, from, until }: TermSpan<unknown>): Days[] {
  return hasLines ? shared([...lines.values()].flat(), [{ from, until }]) : [{ from, until }];
}

/** Days on which a term, or lines that it carries, may be in force. */
interface UnknownDays<Row> extends Days {
  readonly code: 'license_unknown' | 'status_unrecognized';
  readonly row: Row;
  /** The codes of the lines that it may have then. */
  readonly lines: ReadonlySet<string>;
}

/** A term of a license: when it covers, and what its versions say. */
export interface Term<Row extends LicenseRow> {
  /** Its state's identity of it: its number and class. */
  readonly license: string;
  readonly kind: ClassKind;
  readonly classCode: string | null;
  readonly className: string | null;
  readonly isResident: boolean;
  /** The first day of the term; `always` where the registry names none. */
  readonly begins: CalendarDate;
  readonly spans: readonly TermSpan<Row>[];
  readonly unknown: readonly UnknownDays<Row>[];
  /** From which day on its versions have which own end; `never` without one. */
  readonly ownEnds: readonly { readonly from: CalendarDate; readonly ownEnd: CalendarDate }[];
  /** The day from which it is known, by the recording or by an import's `validFrom`. */
  readonly recordedFrom: CalendarDate;
  /** Whether it was ever stated as live. */
  readonly wasLive: boolean;
  /** Whether a visit of the registry ever stated it. */
  readonly statedBy: 'registry' | 'import';
  /** A row was set aside that may end it on any day. */
  readonly isNotUnderstood: boolean;
}

/** What was set aside of a row of a license. */
export type UnreadLicense = Unread & { readonly kind: 'license' };

/** What is known of a holder's licenses in a state. */
export interface LicensesOfState<Row extends LicenseRow> {
  readonly terms: readonly Term<Row>[];
  /** By the comparable name of a line of authority, the codes that any version of a license gives it: few appointments have only a name. */
  readonly codesOfLine: () => ReadonlyMap<string, ReadonlySet<string>>;
  readonly unmatchedEnds: readonly UnmatchedEnd[];
  /** The days of statuses: which license one of them ends may depend on what is said of kinds of classes. */
  readonly statusDates: () => ReadonlySet<CalendarDate>;
}

/** Which terms of a license stood in the lists that were complete, and which of them one of them named. */
interface Lists<Row> {
  /** The other terms of the license. */
  readonly others: readonly TermHistory<Row>[];
  readonly closings: readonly Closing[];
}

/** The days of a term by its latest version, as known with a list. */
function daysAt<Row extends LicenseRow>(term: TermHistory<Row>, list: Closing): Days {
  const stated = term.stated.filter(({ commandAt }) => commandAt <= list.commandAt);
  const periods = periodsOf({ ...term, stated });
  const last = periods.at(-1);
  return { from: term.begins, until: last === undefined ? never : ownEndOfPeriod(last, versionsOf(periods)) };
}

/**
 * The last day of a term that a list left out, were it not back. `never was` where the list only corrects its `issueDate`.
 */
function endOfOmission<Row extends LicenseRow>(
  term: TermHistory<Row>,
  list: Closing,
  { others, closings }: Lists<Row>,
): CalendarDate | 'never was' {
  const named = others.filter((other) => isPresentAt(other, list.commandAt));
  const firstRecorded = knownOn(term.stated[0]?.commandAt ?? '');
  const isCorrected = named.some(
    (other) =>
      other.begins <= firstRecorded &&
      overlaps(daysAt(term, list), daysAt(other, list)) &&
      !closings.some(({ commandAt }) => isPresentAt(term, commandAt) && isPresentAt(other, commandAt)),
  );
  if (isCorrected) return 'never was';
  const [successor] = named
    .map(({ begins }) => begins)
    .filter((begins) => begins > term.begins)
    .sort(compare);
  return dayBefore(successor ?? knownOn(list.commandAt));
}

/** What lists that left a term out take from it: the days of absence; all of them where one of the lists says that it never was. */
function absenceOf<Row extends LicenseRow>(
  term: TermHistory<Row>,
  lists: Lists<Row>,
): readonly Days[] | { readonly neverWasBy: Closing } {
  const [first] = term.stated;
  const gaps: Days[] = [];
  const isLeftOut = term.presence.some(({ isPresent }) => !isPresent);
  for (const list of isLeftOut ? lists.closings : []) {
    if (first === undefined || list.commandAt < first.commandAt || isPresentAt(term, list.commandAt))
      continue;
    const day = knownOn(list.commandAt);
    // An end is no return.
    const next = term.stated.find(
      ({ commandAt, rows }) =>
        commandAt > list.commandAt && isPresentAt(term, commandAt) && rows.some(isLive),
    );
    const back = next && knownOn(next.commandAt);
    if (back !== undefined && back <= addDays(day, daysOfAbsence)) continue;
    const end = endOfOmission(term, list, lists);
    if (back === undefined) {
      if (end === 'never was') return { neverWasBy: list };
      gaps.push({ from: dayAfter(end), until: never });
    } else {
      const ownEnd = daysAt(term, list).until;
      const last = end === 'never was' || end < ownEnd ? end : ownEnd;
      const from = last === 'never was' || dayAfter(last) < day ? day : dayAfter(last);
      gaps.push({ from, until: dayBefore(back) });
    }
  }
  return gaps;
}

/** A version as it counts in its period: what is not live was so since it first became known. */
function sayingsOf<Row>({ from, versions }: Period<Row>, all: readonly Version<Row>[]): readonly Saying[] {
  if (all.length === 1) return versions;
  return versions.map((version) => {
    let { day } = version;
    if (version.kind !== 'live') {
      const live = all.findLast(({ kind, commandAt }) => kind === 'live' && commandAt < version.commandAt);
      const first = all.find(({ commandAt }) => live === undefined || commandAt > live.commandAt);
      if (first !== undefined) day = earlierOf(first.day, day);
    }
    // What is known before it speaks does not count before.
    return { kind: version.kind, statusDate: version.statusDate, day: day > from ? day : from };
  });
}

/** When a term was not in force, period by period: one that is not live ended at its own end, whenever that was. */
function interruptionsOfPeriods<Row>(
  periods: readonly Period<Row>[],
  all: readonly Version<Row>[],
): readonly Interruptions[] {
  const ofEach = periods.map((period) => {
    const { from, versions } = period;
    const said = interruptionsOf(sayingsOf(period, all));
    const last = versions.at(-1) ?? versions[0];
    const ownEnd = ownEndOfPeriod(period, all);
    return last.kind === 'live' || ownEnd >= from
      ? { from, ...said }
      : { ...said, from, gaps: [...said.gaps, { from: dayAfter(ownEnd), until: never }] };
  });
  return withLaterOnes(ofEach);
}

const noLines: LinesOfPeriod = { lines: new Map(), hasLines: false, unrecognized: [] };

/** What all terms of a license have in common, and the class of rows that do not name it. */
interface OfLicense extends Pick<LicenseRow, 'stateCode' | 'licenseClassCode' | 'licenseClassName'> {
  readonly license: string;
  readonly isNotUnderstood: boolean;
}

/** What is known of a term that was, and the days on which lists left it out. */
interface Known<Row> {
  readonly history: TermHistory<Row>;
  readonly absence: readonly Days[];
}

/** What is known of a term, unless it never was: then it covers no day, and what is said to be its end since is of no term. */
function knownOf<Row extends LicenseRow>(
  history: TermHistory<Row>,
  lists: Lists<Row>,
): Known<Row> | undefined {
  const absence = absenceOf(history, lists);
  if (!('neverWasBy' in absence)) return { history, absence };
  const { commandAt } = absence.neverWasBy;
  const stated = history.stated.filter((fact) => fact.commandAt > commandAt && !fact.rows.some(isLive));
  return stated.length === 0
    ? undefined
    : { history: { ...history, stated }, absence: [{ from: always, until: never }] };
}

/** A term, before the ends that fit no term are taken from it. */
function termOf<Row extends LicenseRow>(
  { history, absence }: Known<Row>,
  { license, isNotUnderstood, ...ofLicense }: OfLicense,
  lists: Lists<Row>,
  { codesOf, kindOf }: { readonly codesOf: CodesOf; readonly kindOf: KindOf },
): Term<Row> {
  const periods = periodsOf(history);
  const all = versionsOf(periods);
  const lines = linesOfPeriods(periods, codesOf);
  const interruptions = interruptionsOfPeriods(periods, all);
  const ownEnds: { from: CalendarDate; ownEnd: CalendarDate }[] = [];
  const spans: TermSpan<Row>[] = [];
  const unknown: UnknownDays<Row>[] = [];
  let [isLiveBefore, isResident] = [false, false];
  let { licenseClassName } = ofLicense;
  for (const [index, period] of periods.entries()) {
    const { from, versions } = period;
    const last = versions.at(-1) ?? versions[0];
    const { lines: linesOf, hasLines, unrecognized } = lines[index] ?? noLines;
    const next = periods[index + 1];
    const ownEnd = ownEndOfPeriod(period, all);
    ownEnds.push({ from, ownEnd });
    const begins = history.begins > from ? history.begins : from;
    const until = next === undefined || ownEnd < next.from ? ownEnd : dayBefore(next.from);
    const { gaps, doubts } = interruptions[index] ?? noInterruptions;
    const lastLive = versions.findLastIndex(({ kind }) => kind === 'live');
    // After a live one, an import says from which day the term is not live.
    const isEndGiven = isLiveBefore && versions.slice(lastLive + 1).some(({ isGiven }) => isGiven);
    isLiveBefore ||= last.kind === 'live';
    isResident = last.row.residencyStatus === 'resident';
    if (isNamed(last.row)) licenseClassName = last.row.licenseClassName;
    const first = versions[lastLive + 1];
    const isSeenLive =
      first === undefined ||
      all.some(({ kind, commandAt }) => kind === 'live' && commandAt < first.commandAt);
    const isCovered = isSeenLive || last.kind === 'lapsed' || isDatedEnd(versions);
    const days = isEndGiven ? [] : withoutGaps({ from: begins, until }, [...gaps, ...doubts, ...absence]);
    const isUnknown = !isCovered && (last.kind === 'ended' || last.kind === 'inactive');
    const doubt = (
      code: UnknownDays<Row>['code'],
      doubted: readonly Days[],
      codes: () => Iterable<string>,
    ): void => {
      for (const one of doubted) unknown.push({ ...one, code, row: last.row, lines: new Set(codes()) });
    };
    const codesOfLast = () => last.lines.flatMap(codesOf);
    if (isCovered) {
      const row = versions[lastLive]?.row ?? last.row;
      for (const one of days) spans.push({ from: one.from, until: one.until, row, lines: linesOf, hasLines });
      for (const [code, ofLine] of unrecognized) {
        doubt('status_unrecognized', shared(days, ofLine), () => [code]);
      }
    }
    if (isUnknown) doubt('license_unknown', days, codesOfLast);
    const doubted = shared(doubts, withoutGaps({ from: begins, until }, [...gaps, ...absence]));
    doubt('status_unrecognized', doubted, codesOfLast);
  }
  const { begins, stated } = history;
  const isOfRegistry =
    stated.some(({ by }) => by !== 'import') ||
    lists.closings.some(({ by, commandAt }) => by !== 'import' && isPresentAt(history, commandAt));
  const recordedFrom = recordedFromOf(stated);
  return {
    license,
    kind: kindOf({ ...ofLicense, licenseClassName }),
    classCode: ofLicense.licenseClassCode,
    className: licenseClassName,
    isNotUnderstood,
    isResident,
    begins,
    spans,
    unknown,
    ownEnds,
    recordedFrom,
    wasLive: all.some(({ kind: said }) => said === 'live'),
    statedBy: isOfRegistry ? 'registry' : 'import',
  };
}

/** The kinds of the classes that the rows of a license name. Most name what the one before them did. */
function kindsOf<Row extends LicenseRow>(keys: readonly KeyFacts<Row>[], kindOf: KindOf): Set<ClassKind> {
  const kinds = new Set<ClassKind>();
  let [code, name]: [string | null, string | null] = [null, null];
  for (const { facts } of keys) {
    for (const fact of facts) {
      for (const row of fact.what === 'stated' ? fact.rows : []) {
        if (row.licenseClassName === name && row.licenseClassCode === code) continue;
        [code, name] = [row.licenseClassCode, row.licenseClassName];
        if (isNamed(row)) kinds.add(kindOf(row));
      }
    }
  }
  return kinds;
}

/** The class of a license: by the last rows that have a name of it, unless its rows ever named kinds that differ. */
function classOf<Row extends LicenseRow>(
  keys: readonly [KeyFacts<Row>, ...KeyFacts<Row>[]],
  closings: readonly Closing[],
  kindOf: KindOf,
) {
  let [namedAt, named]: [string, Row[]] = ['', []];
  for (const { facts } of keys) {
    const last = facts.findLast((fact) => fact.what === 'stated' && fact.rows.some(isNamed));
    if (last === undefined) continue;
    // A list names all that it does not leave out.
    const presence = presenceOf(facts);
    const list = closings.findLast(({ commandAt }) => isPresentAt({ presence }, commandAt));
    const at = list === undefined || list.commandAt < last.commandAt ? last.commandAt : list.commandAt;
    if (at < namedAt) continue;
    const rows = rowsOf([last]).filter(isNamed);
    named = at === namedAt ? [...named, ...rows] : rows;
    namedAt = at;
  }
  const [name = null] = named
    .map(({ licenseClassName }) => licenseClassName)
    .sort((one, other) => compare(one ?? '', other ?? ''));
  const kinds = kindsOf(keys, kindOf);
  const licenseClassName = kinds.size > 1 ? null : name;
  const { row } = keys.find((one) => isCoded(one.row)) ?? keys[0];
  const { stateCode, licenseNumber, licenseClassCode } = row;
  return { stateCode, licenseNumber, licenseClassCode, licenseClassName };
}

/** Whether a row that was set aside, and is not live or whose status cannot be read, may end a license. */
const mayBeEndedBy = (
  unread: UnreadLicense,
  ofLicense: ReturnType<typeof classOf>,
  kindOf: KindOf,
): boolean =>
  !unread.isLive &&
  (unread.licenseNumber === null ||
    comparableNumber(unread.licenseNumber) === comparableNumber(ofLicense.licenseNumber)) &&
  mayBeOneClass({ ...unread, stateCode: ofLicense.stateCode }, ofLicense, kindOf);

/** A term of which it is not known whether it is the license's: no day of it is in force for certain. */
const perhapsOf = <Row extends LicenseRow>({ spans, unknown, ...term }: Term<Row>): Term<Row> => ({
  ...term,
  spans: [],
  unknown: [
    ...unknown,
    ...spans.map(({ from, until, row, lines }) => ({
      from,
      until,
      row,
      code: 'license_unknown' as const,
      lines: new Set(lines.keys()),
    })),
  ],
});

/** A term without the days on which others ended it. */
function without<Row extends LicenseRow>(
  term: Term<Row>,
  ended: readonly EndedDays[] | undefined,
): Term<Row> {
  if (ended === undefined) return term;
  const left = <One extends Days>(all: readonly One[], gaps: readonly Days[]): One[] =>
    all.flatMap((one) => withoutGaps(one, gaps).map((days) => ({ ...one, ...days })));
  const doubted = term.spans.flatMap((span) =>
    ended.flatMap((gap): UnknownDays<Row>[] => {
      const days = gap.isCertain ? undefined : intersection(span, gap);
      const lines = new Set(span.lines.keys());
      return days === undefined ? [] : [{ ...days, code: 'status_unrecognized', row: span.row, lines }];
    }),
  );
  const certain = ended.filter(({ isCertain }) => isCertain);
  return { ...term, spans: left(term.spans, ended), unknown: left([...term.unknown, ...doubted], certain) };
}

/**
 * The terms of a holder's licenses in a state, from what is known of them (OpenAPI, "How compliance is decided").
 * @param facts of one state, in the order of their commands.
 * @param closings of its lists of licenses, in that order.
 * @param unread rows of it that are set aside.
 */
export function licensesOf<Row extends LicenseRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
  unread: readonly UnreadLicense[],
  kindOf: KindOf,
): LicensesOfState<Row> {
  const keys = Array.from(Map.groupBy(facts, ({ key }) => key).values(), keyFactsOf).filter(
    (one) => one !== undefined,
  );
  const codesOfLine = lazily(() => codesOfLines(keys));
  const codesOf: CodesOf = ({ code, name }) => {
    const own = comparableCode(code);
    if (own !== '') return [own];
    const line = comparableLineName(name);
    const codes = codesOfLine().get(line);
    return codes === undefined ? [`name ${line}`] : [...codes];
  };
  const terms: Term<Row>[] = [];
  const all: TermHistory<Row>[] = [];
  const [idle, matched]: [UnmatchedEnd[], Set<LicenseRow>] = [[], new Set()];
  const own = new Set(keys);
  const perhaps = new Set<TermHistory<Row>>();
  for (const [license, ofLicense] of licensesAmong(keys, kindOf, closings)) {
    // What may be of other licenses too says nothing of the class of this one.
    const [first, ...others] = ofLicense.filter((one) => own.has(one));
    if (first === undefined) continue;
    const ofClass = classOf([first, ...others], closings, kindOf);
    const isNotUnderstood = unread.some((one) => mayBeEndedBy(one, ofClass, kindOf));
    const [histories, ends]: [TermHistory<Row>[], TermHistory<Row>[]] = [[], []];
    for (const [begins, ofTerm] of Map.groupBy(ofLicense, ({ row }) => beginsOf(row))) {
      const [its, others] = [ofTerm.filter((one) => own.has(one)), ofTerm.filter((one) => !own.has(one))];
      const history = historyOf(begins, its.length === 0 ? ofTerm : its, closings);
      histories.push(history);
      // What may be of other licenses too is a version of none of its terms: it only ends them.
      if (its.length === 0) perhaps.add(history);
      else if (others.length > 0) ends.push(historyOf(begins, others, closings));
    }
    all.push(...histories);
    const found = new Map<TermHistory<Row>, Term<Row>>();
    for (const history of histories) {
      const lists = { others: histories.filter((other) => other !== history), closings };
      const known = knownOf(history, lists);
      if (known === undefined) continue;
      const term = termOf(known, { license, isNotUnderstood, ...ofClass }, lists, { codesOf, kindOf });
      found.set(known.history, perhaps.has(history) ? perhapsOf(term) : term);
    }
    const taken = takenByEnds([...found.keys()], histories, ends, closings);
    for (const row of taken.matched) matched.add(row);
    idle.push(...taken.idle);
    for (const [history, term] of found) terms.push(without(term, taken.gapsOf.get(history)));
  }
  return {
    terms,
    statusDates: () =>
      new Set(
        keys.flatMap(({ facts: ofKey }) =>
          rowsOf(ofKey).flatMap(({ statusDate }) => (statusDate === null ? [] : writtenDate(statusDate))),
        ),
      ),
    codesOfLine,
    unmatchedEnds: idle.filter(({ row }) => !matched.has(row) && !all.some((history) => fits(history, row))),
  };
}
