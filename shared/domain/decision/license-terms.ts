import { lazily } from '../../platform/contract/lazily.ts';
import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { addDays, type CalendarDate } from '../../platform/dates/calendar.ts';
import { always, type Days, dayAfter, dayBefore, knownOn, never, overlaps, withoutGaps } from './dates.ts';
import {
  type Closing,
  comparableLineName,
  daysOfAbsence,
  type Fact,
  isPresentAt,
  type LicenseRow,
  recordedFromOf,
} from './facts.ts';
import {
  historyOf,
  ownEndOf,
  periodsOf,
  statedEnd,
  type TermHistory,
  type Version,
  versionsOf,
} from './license-history.ts';

/** What ended a span of a term before a later one begins, or for good. */
export type TermEnd = 'own end' | 'status' | 'list' | 'next version';

/** Days that a term covers, by the same row. */
export interface TermSpan<Row> extends Days {
  readonly row: Row;
  /** By code, the days on which each line of authority counts. */
  readonly lines: ReadonlyMap<string, readonly Days[]>;
  readonly endedBy: TermEnd | null;
}

/** A term of a license: when it covers, and what its versions say. */
export interface Term<Row extends LicenseRow> {
  /** Its number and class. */
  readonly license: string;
  /** The first day of the term; `always` where the registry names none. */
  readonly begins: CalendarDate;
  readonly spans: readonly TermSpan<Row>[];
  /** From which day on its versions have which own end; `never` without one. */
  readonly ownEnds: readonly { readonly from: CalendarDate; readonly ownEnd: CalendarDate }[];
  /** The day from which it is known, by the recording or by an import's `validFrom`. */
  readonly recordedFrom: CalendarDate;
  /** It is reported as not live and was never seen live, so that it covers no day. */
  readonly isNeverSeenLive: boolean;
}

/** The days of each line of authority among versions that replace each other, from the first day of the first one. */
function linesOf<Row>(versions: readonly Version<Row>[]): Map<string, Days[]> {
  const lines = new Map<string, Days[]>();
  const isOpen = (days: readonly Days[] | undefined): boolean => days?.at(-1)?.until === never;
  for (const [index, { day, isLive, lines: stated }] of versions.entries()) {
    // A live license shows all of its lines; one that is not live may show none, and says nothing of the others.
    if (isLive) for (const code of lines.keys()) if (!stated.has(code)) lines.delete(code);
    for (const [code, isActiveLine] of stated) {
      const days = lines.get(code) ?? [];
      const last = days.at(-1);
      if (isActiveLine && !isOpen(days)) {
        lines.set(code, [...days, { from: index === 0 ? always : day, until: never }]);
      } else if (!isActiveLine && last !== undefined && isOpen(days)) {
        lines.set(code, [...days.slice(0, -1), { from: last.from, until: dayBefore(day) }]);
      }
    }
  }
  return lines;
}

/** How long the versions of a period cover: to their own end, or until the license was no longer live. */
interface PeriodCoverage<Row> {
  readonly until: CalendarDate;
  readonly endedBy: TermEnd;
  readonly ownEnd: CalendarDate;
  /** Suspensions. */
  readonly gaps: readonly Days[];
  readonly row: Row;
  readonly isNeverSeenLive: boolean;
}

/** Whether a license that was first seen as not live was in force until its own end, which explains its status. */
const isLapsed = <Row extends LicenseRow>({ rows, ownEnd }: Version<Row>): boolean =>
  rows.some(
    (row) =>
      ownEndOf(row) === ownEnd && ['inactive', 'expired', 'lapsed'].includes(row.status.trim().toLowerCase()),
  );

/**
 * What the versions of a period come to.
 * @param all versions of the term, in the order of their commands.
 * @param wasLive whether a live version speaks before the period.
 */
function coverageOfPeriod<Row extends LicenseRow>(
  versions: readonly [Version<Row>, ...Version<Row>[]],
  all: readonly Version<Row>[],
  wasLive: boolean,
): PeriodCoverage<Row> {
  const last = versions.at(-1) ?? versions[0];
  const gaps: Days[] = [];
  let run: Version<Row>[] = [];
  for (const version of versions) {
    const [ended] = run;
    if (version.isLive && ended !== undefined) gaps.push({ from: ended.day, until: dayBefore(version.day) });
    run = version.isLive ? [] : [...run, version];
  }
  const row = versions.findLast(({ isLive }) => isLive)?.row ?? last.row;
  const [first] = run;
  if (first === undefined) {
    return { until: last.ownEnd, endedBy: 'own end', ownEnd: last.ownEnd, gaps, row, isNeverSeenLive: false };
  }
  const live = all.findLast(({ isLive, commandAt }) => isLive && commandAt < first.commandAt);
  // Not live since when: a version of another day may have said so first.
  const since =
    all.find(({ commandAt }) => live === undefined || commandAt > live.commandAt)?.day ?? first.day;
  const ownEnd = statedEnd(last, all);
  const common = { ownEnd, gaps, row, isNeverSeenLive: false };
  // It says from which day the license is no longer live.
  if (wasLive && run.some(({ isGiven }) => isGiven)) return { ...common, until: always, endedBy: 'status' };
  if (live === undefined && !(ownEnd < since && isLapsed(last))) {
    return { ...common, until: always, endedBy: 'status', isNeverSeenLive: true };
  }
  return ownEnd < since
    ? { ...common, until: ownEnd, endedBy: 'own end' }
    : { ...common, until: dayBefore(since), endedBy: 'status' };
}

/** Which terms of a license stood in the lists that were complete, and which of them one of them named. */
interface Lists<Row> {
  /** The other terms of the license. */
  readonly others: readonly TermHistory<Row>[];
  readonly closings: readonly Closing[];
}

/** The days of a term by its latest version. */
function daysOf<Row extends LicenseRow>(term: TermHistory<Row>): Days {
  const periods = periodsOf(term);
  const last = periods.at(-1)?.versions.at(-1);
  return { from: term.begins, until: last === undefined ? never : statedEnd(last, versionsOf(periods)) };
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
      overlaps(daysOf(term), daysOf(other)) &&
      !closings.some(({ commandAt }) => isPresentAt(term, commandAt) && isPresentAt(other, commandAt)),
  );
  if (isCorrected) return 'never was';
  const [successor] = named
    .map(({ begins }) => begins)
    .filter((begins) => begins > term.begins)
    .sort(compare);
  return dayBefore(successor ?? knownOn(list.commandAt));
}

/** What lists that left a term out take from it: what lies after a day, and the gaps until it was back. */
interface Absence {
  readonly until: CalendarDate | 'never was';
  readonly gaps: readonly Days[];
}

function absenceOf<Row extends LicenseRow>(term: TermHistory<Row>, lists: Lists<Row>): Absence {
  const [first] = term.stated;
  let until: Absence['until'] = never;
  const gaps: Days[] = [];
  const isLeftOut = term.presence.some(({ isPresent }) => !isPresent);
  for (const list of isLeftOut ? lists.closings : []) {
    if (first === undefined || list.commandAt < first.commandAt || isPresentAt(term, list.commandAt))
      continue;
    const day = knownOn(list.commandAt);
    const next = term.presence.find(({ commandAt, isPresent }) => isPresent && commandAt > list.commandAt);
    const back = next && knownOn(next.commandAt);
    if (back !== undefined && back <= addDays(day, daysOfAbsence)) continue;
    const end = endOfOmission(term, list, lists);
    if (back !== undefined) {
      const before = term.stated.filter(({ commandAt }) => commandAt < list.commandAt);
      const ownEnd = daysOf({ ...term, stated: before }).until;
      const last = end === 'never was' || end < ownEnd ? end : ownEnd;
      const from = last === 'never was' || dayAfter(last) < day ? day : dayAfter(last);
      gaps.push({ from, until: dayBefore(back) });
    } else if (until !== 'never was' && (end === 'never was' || end < until)) {
      until = end;
    }
  }
  return { until, gaps };
}

/** @returns undefined for a term that never was. */
function termOf<Row extends LicenseRow>(term: TermHistory<Row>, lists: Lists<Row>): Term<Row> | undefined {
  const absence = absenceOf(term, lists);
  const { until: lastDay } = absence;
  if (lastDay === 'never was') return undefined;
  const { begins, stated } = term;
  const periods = periodsOf(term);
  const versions = versionsOf(periods);
  const ownEnds: { from: CalendarDate; ownEnd: CalendarDate }[] = [];
  const spans: TermSpan<Row>[] = [];
  let isNeverSeenLive = false;
  let wasLive = false;
  for (const [index, { from, versions: ofPeriod }] of periods.entries()) {
    const covered = coverageOfPeriod(ofPeriod, versions, wasLive);
    wasLive ||= ofPeriod.at(-1)?.isLive === true;
    ownEnds.push({ from, ownEnd: covered.ownEnd });
    isNeverSeenLive ||= covered.isNeverSeenLive;
    const next = periods[index + 1];
    const ends: (readonly [CalendarDate, TermEnd | null])[] = [
      [covered.until, covered.until === never ? null : covered.endedBy],
      [next === undefined ? never : dayBefore(next.from), 'next version'],
      [lastDay, 'list'],
    ];
    const [until, endedBy] = ends.reduce((first, one) => (one[0] < first[0] ? one : first));
    const lines = linesOf(ofPeriod);
    const days = { from: begins > from ? begins : from, until };
    for (const span of withoutGaps(days, [...covered.gaps, ...absence.gaps])) {
      spans.push({ ...span, row: covered.row, lines, endedBy: span.until === until ? endedBy : null });
    }
  }
  return {
    license: term.license,
    begins,
    spans,
    ownEnds,
    recordedFrom: recordedFromOf(stated),
    isNeverSeenLive,
  };
}

/** What is known of a holder's licenses in a state. */
export interface LicensesOfState<Row extends LicenseRow> {
  readonly terms: readonly Term<Row>[];
  /** By the comparable name of a line of authority, the codes that any version of a license gives it: few appointments have only a name. */
  readonly codesOfLine: () => ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The terms of a holder's licenses in a state, from what is known of them (OpenAPI, "How compliance is decided").
 * @param facts of one state, in the order of their commands.
 * @param closings of its lists of licenses, in that order.
 */
export function licensesOf<Row extends LicenseRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
): LicensesOfState<Row> {
  const histories = Array.from(groupBy(facts, ({ key }) => key).values(), historyOf);
  const known = histories.filter((one) => one !== undefined);
  const byLicense = groupBy(known, ({ license }) => license);
  const terms = known.flatMap((term) => {
    const others = byLicense.get(term.license)?.filter((other) => other !== term) ?? [];
    return termOf(term, { others, closings }) ?? [];
  });
  return { terms, codesOfLine: lazily(() => codesOfLines(known)) };
}

function codesOfLines<Row extends LicenseRow>(terms: readonly TermHistory<Row>[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const { stated } of terms) {
    for (const { code, name } of stated.flatMap(({ rows }) => rows.flatMap((row) => row.linesOfAuthority))) {
      const line = comparableLineName(name);
      codes.set(line, (codes.get(line) ?? new Set()).add(code));
    }
  }
  return codes;
}
