import type { AppointmentRow } from '../../shared/domain/decision/facts.ts';
import { addDays, daysBetween } from '../../shared/platform/dates/dates.ts';
import { companyAmong, companyEin, companyIn, companyName, type Heard, mayBeOne } from './naive-history.ts';
import { NO_END, SINCE_EVER } from './naive-licenses.ts';
import {
  appointmentStatusKind,
  isAllLines,
  plain,
  type StatusKind,
  saysForCause,
  wordsOf,
  written,
} from './naive-words.ts';

// The chapter's part about appointments, for the naive implementation.

type Statement = Heard<AppointmentRow>;
type Stated = Statement['rows'][number];
type Codes = (name: string | null) => string[];

export interface NaiveAppointment {
  /** Of the company. */
  code: string;
  eins: Set<string>;
  names: Set<string>;
  /** Codes of lines; undefined where it is of all lines. */
  lines: readonly string[] | undefined;
  rows: readonly Stated[];
  on: (
    day: string,
    counts?: (row: Stated) => boolean,
  ) => { is: 'covering' | 'not' } | { is: 'unknown'; code: 'appointment_unknown' | 'status_unrecognized' };
  /** Whether it covered a day before one. */
  coveredBefore: (day: string, counts?: (row: Stated) => boolean) => boolean;
  /** The last of its changes whose row counts. */
  lastChangeOn: (
    day: string,
    counts?: (row: Stated) => boolean,
  ) => { at: string; isForCause: boolean } | undefined;
}

/** Whether a change says that an appointment is at an end. */
const isEnd = (kind: StatusKind) => kind === 'ended' || kind === 'lapsed' || kind === 'inactive';

const kindOf = (row: Stated) => appointmentStatusKind(row);
const dateOf = (row: Stated) => written(row.statusChangeDate) ?? written(row.validFrom);

// ── Which appointment a row is of

const lineOf = (row: AppointmentRow): string => {
  const code = plain(row.lineOfAuthorityCode);
  const name = plain(row.lineOfAuthorityName);
  if (code !== '') return isAllLines(code) ? '' : `code ${code}`;
  return isAllLines(wordsOf(name)) ? '' : `name ${name}`;
};

const countyOf = (row: AppointmentRow): string =>
  wordsOf(row.countyName ?? row.countyCode).replaceAll(' ', '');

export const sameChange = (one: Stated, other: Stated, all: readonly Stated[]): boolean => {
  const company = companyIn(all);
  return (
    one.stateCode === other.stateCode &&
    company(one) === company(other) &&
    lineOf(one) === lineOf(other) &&
    countyOf(one) === countyOf(other) &&
    dateOf(one) === dateOf(other)
  );
};

// ── What an end may mean that leaves something out

/** @param namesOf the names of the line of a row, by all rows of its appointment. */
function mayBeOneLine(
  end: Stated,
  row: Stated,
  codes: Codes,
  namesOf: (row: Stated) => ReadonlySet<string>,
): boolean {
  const [one, other] = [lineOf(end), lineOf(row)];
  if (one === '') return true;
  if (other === '') return false;
  if (one === other) return true;
  const isCode = (line: string) => line.startsWith('code ');
  if (isCode(one) === isCode(other)) return false;
  const [coded, named] = isCode(one) ? [end, row] : [row, end];
  const ofName = codes(named.lineOfAuthorityName);
  if (namesOf(coded).has(plain(named.lineOfAuthorityName))) return true;
  if (ofName.length > 0) return ofName.includes(plain(coded.lineOfAuthorityCode));
  return namesOf(coded).size === 0;
}

/** Tells whether an end may mean what a row states, by all that is stated. */
function meaningAmong(all: readonly Stated[], codes: Codes) {
  const held = all.filter((row) => kindOf(row) === 'live');
  const companyOf = companyAmong(all);
  const companies = new Map(all.map((row) => [row, companyOf(row)]));
  const mayBeOneCompany = (one: Stated, other: Stated): boolean => {
    const [mine, theirs] = [companies.get(one), companies.get(other)];
    return mine !== undefined && theirs !== undefined && mayBeOne(mine, theirs);
  };
  const company = companyIn(all);
  const namesOf = (row: Stated) =>
    new Set(
      all
        .filter(
          (one) =>
            company(one) === company(row) && lineOf(one) === lineOf(row) && countyOf(one) === countyOf(row),
        )
        .map(({ lineOfAuthorityName }) => plain(lineOfAuthorityName))
        .filter((name) => !isAllLines(wordsOf(name))),
    );
  return (end: Stated, row: Stated): boolean => {
    const counties = held.filter((one) => mayBeOneCompany(end, one)).map(countyOf);
    return (
      mayBeOneCompany(end, row) &&
      mayBeOneLine(end, row, codes, namesOf) &&
      (countyOf(end) === '' || countyOf(end) === countyOf(row) || !counties.includes(countyOf(end)))
    );
  };
}

export function appointmentsOf(statements: readonly Statement[], codes: Codes): NaiveAppointment[] {
  const all = statements.flatMap(({ rows }) => rows);
  const company = companyIn(all);
  const keyOf = (row: Stated) => JSON.stringify([company(row), lineOf(row), countyOf(row)]);
  const held = all.filter((row) => kindOf(row) === 'live');
  const mayBeMeant = meaningAmong(all, codes);
  return [...new Set(all.map(keyOf))].map((key) => {
    const rows = all.filter((row) => keyOf(row) === key);
    const own = held.filter((row) => keyOf(row) === key);
    const heard = statements.map((statement) => ({
      ...statement,
      rows: statement.rows.filter(
        (row) =>
          keyOf(row) === key ||
          (!statement.isRegistry && isEnd(kindOf(row)) && own.some((one) => mayBeMeant(row, one))),
      ),
      isNamed: statement.rows.some((row) => keyOf(row) === key),
    }));
    const timeline = timelineOf(heard);
    const [first] = rows;
    const line = first ? lineOf(first) : '';
    const coded = company(first as Stated);
    return {
      code: coded.startsWith('code ') ? coded.slice(5) : '',
      eins: new Set(rows.map(companyEin).filter((ein) => ein !== '')),
      names: new Set(rows.map(companyName).filter((name) => name !== '')),
      lines: line === '' ? undefined : line.startsWith('code ') ? [line.slice(5)] : codes(line.slice(5)),
      rows,
      on: (day, counts = () => true) => stateOn(timeline, day, counts),
      coveredBefore: (day, counts = () => true) => coveredBefore(timeline, day, counts),
      lastChangeOn: (day, counts = () => true) =>
        timeline
          // An end of unknown date, of what nothing else says, is one on all days.
          .map((change) => (change.isVoid ? { ...change, at: SINCE_EVER } : change))
          .findLast(({ at, rows }) => at <= day && rows[0] !== undefined && counts(rows[0])),
    };
  });
}

/** Ends of imports that end no appointment, since the last list. */
export function unmatchedAppointmentEndsOf(statements: readonly Statement[], codes: Codes): AppointmentRow[] {
  const all = statements.flatMap(({ rows }) => rows);
  const company = companyIn(all);
  const keyOf = (row: Stated) => JSON.stringify([company(row), lineOf(row), countyOf(row)]);
  const held = all.filter((row) => kindOf(row) === 'live');
  const mayBeMeant = meaningAmong(all, codes);
  const listed = statements.findLastIndex(({ isList }) => isList);
  return statements.flatMap((statement, index) => {
    const sameAs =
      (row: Stated) =>
      ({ rows }: Statement): Stated[] =>
        rows.filter((one) => keyOf(one) === keyOf(row) && dateOf(one) === dateOf(row));
    /** Whether an earlier import has said that it ended, and what is said last is the same. */
    const isNothingNew = (row: Stated): boolean => {
      const ofChange = sameAs(row);
      const before = statements.slice(0, index).filter((one) => one.isList || ofChange(one).length > 0);
      const last = before.at(-1);
      const isEnded = before.some(
        (one) => !one.isRegistry && ofChange(one).some((other) => isEnd(kindOf(other))),
      );
      return isEnded && last !== undefined && textOf(ofChange(last)) === textOf(ofChange(statement));
    };
    if (statement.isRegistry || index < listed) return [];
    return statement.rows.filter(
      (row) =>
        isEnd(kindOf(row)) &&
        !isNothingNew(row) &&
        // Of one change, what was said last counts.
        statements
          .slice(index)
          .map(sameAs(row))
          .findLast((rows) => rows.length > 0)
          ?.some((one) => isEnd(kindOf(one))) === true &&
        !held.some((one) => keyOf(one) === keyOf(row) || mayBeMeant(row, one)),
    );
  });
}

// ── The timeline

type Kind = 'live' | 'end' | 'unrecognized' | 'pending';

const kindOfRow = (row: Stated): Kind => {
  const kind = kindOf(row);
  if (kind === 'live' || kind === 'unrecognized' || kind === 'pending') return kind;
  return 'end';
};

interface Change {
  kind: Kind;
  at: string;
  isUndated: boolean;
  /** The day on which it became known. */
  known: string;
  renewalDate: string;
  rows: readonly Stated[];
  /** All that the last command said of it. */
  said: readonly Stated[];
  isForCause: boolean;
  /** Of an end of which nothing says when it was, and what it ended: no day before it is covered. */
  isVoid: boolean;
  /** Whether a change of the same day is such an end. */
  isNoneBefore?: boolean;
  order: number;
  /** The place of the last list that named it; -1 without one. */
  listed: number;
  /** Whether the last list left it out, and nothing has said it since. */
  isLeftOut: boolean;
  /** Days on which lists left the appointment out, the last not included. */
  gaps: { from: string; until: string }[];
}

/** What is said of one written date, or without one. */
interface OfDate {
  live?: Change | undefined;
  other?: Change | undefined;
}

interface OfAppointment extends Statement {
  /** Whether it names the appointment itself. */
  isNamed: boolean;
}

const least = (...days: readonly string[]) =>
  days.reduce((one, other) => (one < other ? one : other), NO_END);

const renewalOf = (row: Stated) => written(row.renewalDate) ?? NO_END;

function timelineOf(statements: readonly OfAppointment[]): Change[] {
  const dates = new Map<string, OfDate>();
  let seenLiveOn = NO_END;
  for (const statement of statements) {
    const { order, day, isList, rows } = statement;
    const listed = new Set(rows.map((row) => dateOf(row) ?? SINCE_EVER));
    for (const date of listed) {
      const said = rows.filter((row) => (dateOf(row) ?? SINCE_EVER) === date);
      if (!isList && isRepeated(dates.get(date), said)) continue;
      dates.set(date, withStatement(dates.get(date) ?? {}, said, { date, statement, seenLiveOn }));
    }
    if ([...dates.values()].some(({ live }) => live?.order === order)) seenLiveOn = least(seenLiveOn, day);
    if (!isList) continue;
    const days = [...listed].map((date) => {
      const { live, other } = dates.get(date) ?? {};
      return (other ?? live)?.at ?? NO_END;
    });
    // Changes dated after the earliest one that the list has never were; where it has none, the appointment has ended.
    const earliest = days.length === 0 ? day : least(...days);
    for (const [date, one] of dates) {
      if (listed.has(date)) continue;
      if (one.other && one.other.at > earliest) one.other = undefined;
      if (one.live && one.live.at > earliest) one.live = undefined;
      if (one.other) one.other = { ...one.other, isLeftOut: true };
      if (one.live && days.length === 0 && one.live.gaps.at(-1)?.until !== NO_END)
        one.live = { ...one.live, gaps: [...one.live.gaps, { from: day, until: NO_END }] };
      if (one.live) one.live = { ...one.live, isLeftOut: true };
    }
  }
  const changes = [...dates.values()]
    // What an end replaced that stands before it counts on no day, and nothing else from there on by that end.
    .flatMap(({ live, other }) =>
      live && other && other.at < live.at ? [other, { ...other, at: live.at }] : [live, other],
    )
    .filter((one) => one !== undefined);
  const strength: readonly Kind[] = ['pending', 'unrecognized', 'end', 'live'];
  const ordered = changes
    .flatMap((one) => {
      const end = outliving(one, changes);
      if (!end) return [one];
      if (one.renewalDate === NO_END) return [];
      // From the day on which it would have run out, what was stated before counts no more by that end either.
      return [{ ...end, at: one.renewalDate < one.at ? one.at : addDays(one.renewalDate, 1) }];
    })
    .toSorted(
      (one, other) =>
        (one.at === other.at ? 0 : one.at < other.at ? -1 : 1) ||
        one.order - other.order ||
        strength.indexOf(one.kind) - strength.indexOf(other.kind),
    );
  // Of one day, the last counts; that one of them was for cause is not forgotten.
  return ordered
    .filter(({ at }, index) => at !== ordered[index + 1]?.at)
    .map((one) => ({
      ...one,
      isForCause: one.kind === 'end' && ordered.some(({ at, isForCause }) => at === one.at && isForCause),
      isNoneBefore: ordered.some(({ at, isVoid }) => at === one.at && isVoid),
    }));
}

/** Whether an import says of a change, which is no end, just what is recorded of it: that adds nothing. */
function isRepeated({ live, other }: OfDate = {}, rows: readonly Stated[]): boolean {
  const said = other ?? live;
  return said !== undefined && said.kind !== 'end' && !said.isLeftOut && textOf(said.said) === textOf(rows);
}

const textOf = (rows: readonly Stated[]): string =>
  [...new Set(rows.map(({ validFrom: _from, ...row }) => JSON.stringify(row)))].toSorted().join();

const strongest: readonly Kind[] = ['live', 'end', 'unrecognized', 'pending'];

function withStatement(
  before: OfDate,
  all: readonly Stated[],
  { date, statement, seenLiveOn }: { date: string; statement: OfAppointment; seenLiveOn: string },
): OfDate {
  const { day, order, isList } = statement;
  const kind = strongest.find((one) => all.some((row) => kindOfRow(row) === one)) ?? 'pending';
  const rows = all.filter((row) => kindOfRow(row) === kind);
  const renewals = rows.map(renewalOf).toSorted();
  const own = renewals.at(kind === 'live' ? -1 : 0) ?? NO_END;
  const isReplacing = kind === 'end' && before.live !== undefined;
  const renewalDate = isReplacing && own === NO_END ? (before.live?.renewalDate ?? NO_END) : own;
  const said = kind === 'live' ? before.live : before.other;
  const known = said?.known ?? day;
  const isUndated = date === SINCE_EVER;
  // A passed renewal date dates an end, else the day on which it became known.
  const inferred = kind === 'end' ? least(renewalDate, known) : known;
  const change: Change = {
    kind,
    at: (isUndated || isReplacing) && inferred > date ? inferred : date,
    isUndated: kind === 'live' ? rows.every((row) => written(row.statusChangeDate) === null) : isUndated,
    known,
    renewalDate,
    rows: rows.filter((row) => renewalOf(row) === own),
    said: all,
    isForCause: kind === 'end' && rows.some((row) => saysForCause(row.terminationReason)),
    isVoid: kind === 'end' && isUndated && !isReplacing && known <= least(renewalDate, seenLiveOn),
    order,
    listed: isList ? order : (said?.listed ?? -1),
    isLeftOut: false,
    // It is back: within 30 days as if it had never been gone.
    gaps: (said?.gaps ?? []).flatMap((gap) => {
      if (gap.until !== NO_END) return [gap];
      return daysBetween(gap.from, day) > 30 ? [{ from: gap.from, until: day }] : [];
    }),
  };
  if (kind === 'live') return { live: change };
  return isReplacing ? { live: before.live, other: change } : { other: change };
}

/** The dated end of an undated live row, which outlives it only by a list that names it since. */
const outliving = (change: Change, changes: readonly Change[]): Change | undefined =>
  change.kind === 'live' && change.isUndated
    ? changes.find(
        (one) => one.kind === 'end' && !one.isUndated && one.at <= change.at && one.order >= change.listed,
      )
    : undefined;

type Counts = (row: Stated) => boolean;

const lastOn = (timeline: readonly Change[], day: string): Change | undefined =>
  timeline.findLast(({ at }) => at <= day);

function stateOn(
  timeline: readonly Change[],
  day: string,
  counts: Counts,
): ReturnType<NaiveAppointment['on']> {
  const isGone = ({ gaps }: Change) => gaps.some(({ from, until }) => from <= day && day < until);
  if (timeline.some(({ isNoneBefore, at }) => isNoneBefore && day < at)) return { is: 'not' };
  const last = lastOn(timeline, day);
  if (last?.kind === 'live' && day <= last.renewalDate && !isGone(last) && last.rows.some(counts))
    return { is: 'covering' };
  for (const live of timeline.filter(({ kind, at }) => kind === 'live' && day < at))
    for (const row of live.rows.filter(counts)) {
      const from = written(row.effectiveDate);
      if (from === null || day < from || day > live.renewalDate || isGone(live)) continue;
      // From an end on, or a list that left it out, until it is live again.
      const ends = timeline.flatMap(({ kind, at, gaps }) => [
        ...(kind === 'end' ? [at] : []),
        ...gaps.map((gap) => gap.from),
      ]);
      if (!ends.some((end) => from <= end && end <= live.at && end <= day)) return { is: 'covering' };
    }
  for (const change of timeline) {
    const { kind, isUndated, at, renewalDate, rows } = change;
    const [row] = rows;
    if (isGone(change) || row === undefined || !counts(row)) continue;
    if (kind === 'unrecognized' && change === last) return { is: 'unknown', code: 'status_unrecognized' };
    if (day > renewalDate) continue;
    const isBefore = (kind === 'live' && isUndated) || (kind === 'end' && change === timeline[0]);
    if (isBefore && day < at) return { is: 'unknown', code: 'appointment_unknown' };
  }
  return { is: 'not' };
}

/** Whether it was in force on some day before one. */
function coveredBefore(timeline: readonly Change[], day: string, counts: Counts): boolean {
  const days = timeline.flatMap(({ at, renewalDate, gaps, rows }) => [
    at,
    renewalDate,
    ...gaps.flatMap(({ from, until }) => [from, until]),
    ...rows.map(({ effectiveDate }) => written(effectiveDate) ?? at),
  ]);
  return days.some(
    (one) => one < day && one !== SINCE_EVER && stateOn(timeline, one, counts).is === 'covering',
  );
}
