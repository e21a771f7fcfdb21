import type { LicenseRow } from '../../shared/domain/decision/facts.ts';
import { addDays, daysBetween } from '../../shared/platform/dates/calendar.ts';
import { type Heard, isLeftOutSince } from './naive-history.ts';
import {
  type ClassKind,
  kindOfClass,
  licenseStatusKind,
  type NaiveClassKind,
  plain,
  plainNumber,
  type StatusKind,
  written,
} from './naive-words.ts';

// The chapter's part about licenses, for the naive implementation: whether a term covers one day is worked out anew for that day.

/** As texts, before every date and after every date. */
export const SINCE_EVER = '';
export const NO_END = '~';
/** Of a term that never was: before every date, and before `SINCE_EVER` where the two are compared. */
const NEVER_WAS = '\0';

type Statement = Heard<LicenseRow>;
type Stated = Statement['rows'][number];

export interface NaiveLine {
  name: string;
  /** Days on which it counts, in the order in which they became known; `dated` is the first day that a source itself gave. */
  spells: { from: string; until: string; dated: string; knownFrom: string }[];
  /** The first day from which its status is a word that is in no row of the table. */
  unrecognizedFrom: string | null;
  /** The first day from which it was not live, of one that had not been live before. */
  notFrom?: string;
  /** The earliest day that it was given then. */
  given?: string;
}

export interface TermOnDay {
  /** Whether it covers the day, it might, or it does not. */
  is: 'covering' | 'unknown' | 'not';
  code?: 'license_unknown' | 'status_unrecognized';
  row: LicenseRow;
  ownEnd: string;
  lines: ReadonlyMap<string, NaiveLine>;
  hasLines: boolean;
}

export interface NaiveTerm {
  begins: string;
  kindOf: (row: LicenseRow) => ClassKind;
  neverWas: boolean;
  rows: Stated[];
  isLastStatedByRegistry: boolean;
  on: (day: string) => TermOnDay | undefined;
}

export interface NaiveLicense {
  number: string;
  terms: NaiveTerm[];
}

interface Version {
  order: number;
  day: string;
  validFrom: string;
  isGiven: boolean;
  isList: boolean;
  isRegistry: boolean;
  kind: StatusKind;
  ownEnd: string;
  statusDate: string | null;
  row: Stated;
  lines: LicenseRow['linesOfAuthority'];
}

const isLive = ({ kind }: Pick<Version, 'kind'>) => kind === 'live';
const least = (days: readonly string[]) =>
  days.includes(NEVER_WAS) ? NEVER_WAS : days.reduce((one, other) => (one < other ? one : other), NO_END);
const greatest = (days: readonly string[]) =>
  days.reduce((one, other) => (one > other ? one : other), SINCE_EVER);
const dayBefore = (day: string) => (day === SINCE_EVER || day === NO_END ? day : addDays(day, -1));
const ownEndOf = (row: LicenseRow) =>
  least([written(row.nextRenewalDate) ?? NO_END, written(row.expirationDate) ?? NO_END]);
const issueOf = (row: LicenseRow) => written(row.issueDate) ?? SINCE_EVER;
const rowIsLive = (row: LicenseRow) => licenseStatusKind(row.status) === 'live';

/** The licenses of a state, by all that is known of it. */
export function licensesOf(
  statements: readonly Statement[],
  said: readonly NaiveClassKind[],
): NaiveLicense[] {
  const codes = codesByName(statements);
  return groupsOf(statements, said).map(({ number, isOf }) => ({
    number,
    terms: termsOf(statements, isOf, codes, (row) => kindOfClass(row, said)),
  }));
}

/** Rows that an import ended with and that end nothing. */
export function unmatchedEndsOf(
  statements: readonly Statement[],
  said: readonly NaiveClassKind[],
): LicenseRow[] {
  const groups = groupsOf(statements, said).map(({ isOf }) => statements.map((one) => pick(one, isOf)));
  return statements.flatMap((statement) => {
    if (statement.isRegistry) return [];
    return statement.rows.filter((row) => {
      if (rowIsLive(row) || isLeftOutSince(row, statement, statements)) return false;
      const ofRow = groups.filter((group) => group.some(({ rows }) => rows.includes(row)));
      return !ofRow.some((group) => endsSomething(row, statement, group));
    });
  });
}

function endsSomething(row: Stated, statement: Statement, group: readonly Statement[]): boolean {
  const live = group.flatMap(({ rows }) => rows).filter(rowIsLive);
  if (live.some((one) => issueOf(one) === issueOf(row))) return true;
  const cut = cutOf(row, statement.day);
  return live.some((one) => issueOf(one) < cut);
}

/** The codes that the licenses of the state give the names of lines. */
export function codesByName(statements: readonly Statement[]): (name: string | null) => string[] {
  const lines = statements.flatMap(({ rows }) => rows.flatMap(({ linesOfAuthority }) => linesOfAuthority));
  return (name) => [
    ...new Set(
      lines
        .filter(
          (line) => plain(line.code) !== '' && plain(line.name) !== '' && plain(line.name) === plain(name),
        )
        .map(({ code }) => plain(code)),
    ),
  ];
}

// ── Which license a row is of

interface Group {
  number: string;
  isOf: (row: Stated) => boolean;
}

function groupsOf(statements: readonly Statement[], said: readonly NaiveClassKind[]): Group[] {
  const all = statements.flatMap(({ rows }) => rows);
  const numbers = [...new Set(all.map((row) => plainNumber(row.licenseNumber)))];
  return numbers.flatMap((number) => {
    const rows = all.filter((row) => plainNumber(row.licenseNumber) === number);
    return classesOf(rows, said).map(({ has }) => ({ number, isOf: (row: Stated) => has.has(row) }));
  });
}

/** The rows of each license of one number. */
function classesOf(rows: readonly Stated[], said: readonly NaiveClassKind[]): { has: Set<Stated> }[] {
  const codeOf = (row: LicenseRow) => plain(row.licenseClassCode);
  const nameOf = (row: LicenseRow) => plain(row.licenseClassName);
  const kindOfName = (row: LicenseRow) => kindOfClass(row, said);
  const fits = (row: LicenseRow, license: Set<Stated>) =>
    [...license].every(
      (one) => nameOf(row) === '' || nameOf(one) === '' || kindOfName(row) === kindOfName(one),
    );

  const coded = [...new Set(rows.map(codeOf))]
    .filter((code) => code !== '')
    .map((code) => new Set(rows.filter((row) => codeOf(row) === code)));
  const byName = new Map<string, Set<Stated>>();
  const own = (key: string) => {
    const license = byName.get(key) ?? new Set();
    byName.set(key, license);
    return license;
  };

  const put = (among: readonly Set<Stated>[], ownKey: (row: Stated) => string, some: readonly Stated[]) => {
    // Live rows first, which may make a license of their own; rows that are not live are then of all that fit.
    const fitting = new Map(some.map((row) => [row, among.filter((license) => fits(row, license))]));
    for (const [row, licenses] of fitting) {
      const [only, ...others] = licenses;
      if (only && others.length === 0) continue;
      if (rowIsLive(row) || !only) own(ownKey(row)).add(row);
    }
    for (const [row, licenses] of fitting) {
      const [only, ...others] = licenses;
      if (!only) continue;
      if (others.length === 0) only.add(row);
      else if (!rowIsLive(row)) {
        for (const license of licenses) license.add(row);
        byName.get(ownKey(row))?.add(row);
      }
    }
  };
  const named = rows.filter((row) => codeOf(row) === '' && nameOf(row) !== '');
  const unnamed = rows.filter((row) => codeOf(row) === '' && nameOf(row) === '');
  put(coded, kindOfName, named);
  put([...coded, ...byName.values()], () => 'no class', unnamed);
  // A row with a code that is not live may also be of a license without one.
  for (const row of rows.filter((one) => codeOf(one) !== '' && !rowIsLive(one)))
    for (const license of [...byName.values()].filter((one) => fits(row, one))) license.add(row);
  return [...coded, ...byName.values()].map((has) => ({ has }));
}

// ── Terms

const pick = (statement: Statement, isOf: (row: Stated) => boolean): Statement => ({
  ...statement,
  rows: statement.rows.filter(isOf),
});

function termsOf(
  all: readonly Statement[],
  isOf: (row: Stated) => boolean,
  codes: (name: string | null) => string[],
  kindOf: (row: LicenseRow) => ClassKind,
): NaiveTerm[] {
  const statements = all.map((one) => pick(one, isOf));
  // What some rows say of the class of the license counts for all of them.
  const ofLicense = statements.flatMap(({ rows }) => rows);
  const classCode = ofLicense.findLast((row) => plain(row.licenseClassCode) !== '')?.licenseClassCode ?? null;
  const className = ofLicense.findLast((row) => plain(row.licenseClassName) !== '')?.licenseClassName ?? null;
  const withClass = (row: Stated): Stated => ({
    ...row,
    licenseClassCode: plain(row.licenseClassCode) === '' ? classCode : row.licenseClassCode,
    licenseClassName: plain(row.licenseClassName) === '' ? className : row.licenseClassName,
  });
  const issueDates = [...new Set(statements.flatMap(({ rows }) => rows.map(issueOf)))].toSorted();
  const drafts = issueDates.map((begins) => ({ begins, versions: versionsOf(statements, begins) }));
  const enders = drafts
    .filter(({ begins }) => !neverWas(absencesOf(begins, statements)))
    .flatMap(({ begins, versions }) =>
      versions
        // One that fits no term that was live by then.
        .filter((one) => !isLive(one) && !versions.some((other) => isLive(other) && other.order <= one.order))
        .map((version) => ({ ...version, begins })),
    )
    .filter(({ isRegistry, order }) => {
      const list = statements.find((one) => one.order === order && isRegistry);
      return !list?.rows.some(rowIsLive);
    });
  return drafts.map(({ begins, versions }) => {
    const absences = absencesOf(begins, statements);
    return {
      begins,
      kindOf,
      neverWas: neverWas(absences),
      rows: versions.map(({ row }) => withClass(row)),
      isLastStatedByRegistry: versions.at(-1)?.isRegistry === true,
      on: (day) => {
        const term = termOn(
          day,
          begins,
          versions,
          absences,
          enders.filter((ender) => ender.begins !== begins),
          codes,
        );
        return term && { ...term, row: withClass(term.row) };
      },
    };
  });
}

/** The versions of a term in the order in which they were recorded. */
function versionsOf(statements: readonly Statement[], begins: string): Version[] {
  const versions: Version[] = [];
  for (const statement of statements) {
    const rows = statement.rows.filter((row) => issueOf(row) === begins);
    const begun = versions.map(({ validFrom }) => validFrom).filter((day) => day <= statement.day);
    const followed = begun.length > 0 ? greatest(begun) : begins;
    const starts = new Map<string, Stated[]>();
    for (const row of rows) {
      const start = written(row.validFrom) ?? followed;
      starts.set(start, [...(starts.get(start) ?? []), row]);
    }
    for (const start of [...starts.keys()].toSorted())
      versions.push(versionOf(starts.get(start) ?? [], start, statement));
  }
  return versions;
}

const strictest: readonly StatusKind[] = ['ended', 'lapsed', 'inactive', 'pending', 'unrecognized'];

function versionOf(rows: readonly Stated[], validFrom: string, statement: Statement): Version {
  const live = rows.filter(rowIsLive);
  const some = live.length > 0 ? live : rows;
  const ownEnd = greatest(some.map(ownEndOf));
  // Of rows that are not live, those of the latest end.
  const counting = live.length > 0 ? live : rows.filter((row) => ownEndOf(row) === ownEnd);
  const kinds = counting.map((row) => licenseStatusKind(row.status));
  const kind = live.length > 0 ? 'live' : (strictest.find((one) => kinds.includes(one)) ?? 'unrecognized');
  const dates = counting
    .filter((row) => licenseStatusKind(row.status) === kind)
    .map(({ statusDate }) => written(statusDate))
    .filter((date) => date !== null);
  return {
    ...statement,
    validFrom,
    isGiven: rows.some((row) => row.validFrom !== undefined),
    kind,
    ownEnd,
    statusDate: dates.length === 0 ? null : live.length > 0 ? greatest(dates) : least(dates),
    row: counting.find((row) => ownEndOf(row) === ownEnd) ?? (rows[0] as Stated),
    lines: counting.flatMap(({ linesOfAuthority }) => linesOfAuthority),
  };
}

/** The versions that speak on a day: those of the greatest `validFrom` that is not after it. */
function speakingOn(versions: readonly Version[], day: string): Version[] {
  const start = greatest(versions.map(({ validFrom }) => validFrom).filter((from) => from <= day));
  return versions.filter(({ validFrom }) => validFrom <= day && validFrom === start);
}

/** A version's own end; that of the last live one before it for one that is not live and names none. */
function endOf(version: Version, versions: readonly Version[]): string {
  if (isLive(version) || version.ownEnd !== NO_END) return version.ownEnd;
  return versions.findLast((one) => isLive(one) && one.order < version.order)?.ownEnd ?? NO_END;
}

interface Ender extends Version {
  begins: string;
}

const neverWas = (absences: readonly Absence[]): boolean =>
  absences.some(({ from, until }) => from === NEVER_WAS && until === NO_END);

interface Absence {
  /** The first day on which it is gone, and the first on which it is not. */
  from: string;
  until: string;
}

function termOn(
  day: string,
  begins: string,
  versions: readonly Version[],
  absences: readonly Absence[],
  enders: readonly Ender[],
  codes: (name: string | null) => string[],
): TermOnDay | undefined {
  const speaking = speakingOn(versions, day);
  const last = speaking.at(-1);
  if (!last || day < begins) return undefined;
  const ownEnd = endOf(last, versions);
  const { lines, hasLines } = linesOn(day, versions, codes);
  const answer = (is: TermOnDay['is'], code?: TermOnDay['code']): TermOnDay => ({
    is,
    ...(code ? { code } : {}),
    row: last.row,
    ownEnd,
    lines,
    hasLines,
  });
  if (day > ownEnd || absences.some(({ from, until }) => from <= day && day < until)) return answer('not');
  const cuts = cutsOn(day, speaking, versions, enders, begins);
  if (cuts.includes('not')) return answer('not');
  if (cuts.includes('status_unrecognized')) return answer('unknown', 'status_unrecognized');
  if (cuts.includes('license_unknown')) return answer('unknown', 'license_unknown');
  return answer('covering');
}

type Cut = 'not' | 'status_unrecognized' | 'license_unknown';

/** What says that a term is not, or may not be, in force on a day that is within its own dates. */
function cutsOn(
  day: string,
  speaking: readonly Version[],
  versions: readonly Version[],
  enders: readonly Ender[],
  begins: string,
): Cut[] {
  const cuts: Cut[] = [];
  const outcome = (version: Version): Cut =>
    version.kind === 'unrecognized' ? 'status_unrecognized' : 'not';
  // Runs of versions that are not live, each up to the live one that follows it, if any.
  let run: Version[] = [];
  for (const version of speaking) {
    if (!isLive(version)) {
      run.push(version);
      continue;
    }
    const [first] = run;
    const since = first && (first.statusDate ?? first.day);
    if (first && since !== undefined && since <= day && day < (version.statusDate ?? version.day))
      cuts.push('not');
    run = [];
  }
  const [first, last] = [run[0], run.at(-1)];
  if (first && last) cuts.push(...cutsOfRun(day, run, versions, outcome));
  for (const ender of enders) {
    const cut = cutOf(ender.row, ender.day, ender);
    const back = versions.find(
      (version) =>
        isLive(version) &&
        version.order > ender.order &&
        (version.isRegistry || (version.day > ender.day && (!version.isGiven || version.validFrom >= cut))),
    );
    const isBack = back !== undefined && day >= (back.statusDate ?? back.day);
    if (begins < cut && cut <= day && !isBack) cuts.push(outcome(ender));
  }
  return cuts;
}

/** What the versions say with which a term ceased to be live. */
function cutsOfRun(
  day: string,
  run: readonly Version[],
  versions: readonly Version[],
  outcome: (version: Version) => Cut,
): Cut[] {
  const [first, last] = [run[0] as Version, run.at(-1) as Version];
  const impliesNothing = last.kind === 'pending' || last.kind === 'unrecognized';
  const live = versions.findLast((one) => isLive(one) && one.order < first.order);
  const firstDay = versions.find((one) => !isLive(one) && one.order > (live?.order ?? -1))?.day ?? first.day;
  const wasLive = live !== undefined;
  if (first.isGiven && !run.some(({ statusDate }) => statusDate) && wasLive) return [outcome(last)];
  let since = firstDay;
  let isDated = false;
  for (const version of run) {
    const { statusDate, kind } = version;
    if (statusDate === null) continue;
    // A word that is in no row of the table moves no end to a later day.
    since = kind === 'unrecognized' && version !== first ? least([since, statusDate]) : statusDate;
    isDated = true;
  }
  if (day >= since) return [outcome(last)];
  if (wasLive) return [];
  if (impliesNothing) return ['not'];
  return isDated || last.kind === 'lapsed' ? [] : ['license_unknown'];
}

/** The first day from which a row that is not live and fits no term ends the terms of its license that began before it. */
function cutOf(row: LicenseRow, known: string, version?: Version): string {
  const ownEnd = version?.ownEnd ?? ownEndOf(row);
  const statusDate = version ? version.statusDate : written(row.statusDate);
  if (statusDate !== null) return statusDate;
  return ownEnd < known ? addDays(ownEnd, 1) : known;
}

// ── Lists that leave a term out

function absencesOf(begins: string, statements: readonly Statement[]): Absence[] {
  const names = ({ rows }: Statement) => rows.some((row) => issueOf(row) === begins);
  const first = statements.find(names);
  if (!first) return [];
  const absences: Absence[] = [];
  let out: { from: string; day: string } | undefined;
  for (const statement of statements.filter(({ order }) => order > first.order)) {
    if (names(statement)) {
      const rows = statement.rows.filter((row) => issueOf(row) === begins);
      const since = out?.day ?? NO_END;
      const isHistory =
        !statement.isList && rows.every(({ validFrom }) => (written(validFrom) ?? NO_END) < since);
      if (!out || isHistory) continue;
      if (daysBetween(out.day, statement.day) > 30) absences.push({ from: out.from, until: statement.day });
      out = undefined;
    } else if (statement.isList) {
      const from = outFrom(begins, statement, statements, first);
      out = out ? { ...out, from: least([out.from, from]) } : { from, day: statement.day };
    }
  }
  return out ? [...absences, { from: out.from, until: NO_END }] : absences;
}

/** The first day on which a term is gone that a list leaves out. */
function outFrom(
  begins: string,
  list: Statement,
  statements: readonly Statement[],
  first: Statement,
): string {
  const others = [...new Set(list.rows.map(issueOf))];
  const before = statements.filter(({ order }) => order < list.order);
  const endIn = (issueDate: string, among: readonly Statement[]) => {
    const versions = versionsOf(among, issueDate);
    const last = speakingOn(versions, NO_END).at(-1);
    return last ? endOf(last, versions) : NO_END;
  };
  const end = endIn(begins, before);
  const days = others.map((other) => {
    const otherEnd = endIn(
      other,
      statements.filter(({ order }) => order <= list.order),
    );
    const overlap = begins <= otherEnd && other <= end;
    const together = statements.some(
      ({ isRegistry, rows }) =>
        isRegistry && [begins, other].every((issueDate) => rows.some((row) => issueOf(row) === issueDate)),
    );
    if (overlap && !together && other <= first.day) return NEVER_WAS;
    return other;
  });
  if (days.length === 0) return list.day;
  return least([...days, ...(end === NO_END ? [] : [addDays(end, 1)])]);
}

// ── Lines

/** The lines of a term on a day, by code, or by name where no license gives it a code. */
function linesOn(
  day: string,
  versions: readonly Version[],
  codes: (name: string | null) => string[],
): { lines: Map<string, NaiveLine>; hasLines: boolean } {
  const told = versions
    .filter(({ validFrom }) => validFrom <= day)
    .toSorted((one, other) =>
      one.validFrom === other.validFrom ? one.order - other.order : one.validFrom < other.validFrom ? -1 : 1,
    );
  const lines = new Map<string, NaiveLine>();
  let hasLines = false;
  const keysOf = (line: LicenseRow['linesOfAuthority'][number]) => {
    if (plain(line.code) !== '') return [plain(line.code)];
    const named = codes(line.name);
    return named.length > 0 ? named : [`name ${plain(line.name)}`];
  };
  let toldOf: string | undefined;
  for (const version of told) {
    // An import without lines says nothing of them, and no license that is not live of those that it leaves out.
    if (version.lines.length === 0 && !(version.isRegistry && isLive(version))) continue;
    hasLines ||= version.lines.length > 0;
    const isFirst = toldOf !== version.validFrom;
    const isFirstOfAll = toldOf === undefined;
    toldOf = version.validFrom;
    const stated = new Map<string, LicenseRow['linesOfAuthority'][number][]>();
    for (const line of version.lines)
      for (const key of keysOf(line)) stated.set(key, [...(stated.get(key) ?? []), line]);
    for (const key of new Set([...stated.keys(), ...lines.keys()])) {
      const ones = stated.get(key) ?? [];
      const line = lines.get(key) ?? { name: key, spells: [], unrecognizedFrom: null };
      lines.set(key, line);
      if (ones.length > 0 || isLive(version)) tell(line, ones, version, isFirst, isFirstOfAll);
    }
  }
  return { lines, hasLines };
}

/** What a version says of one line. */
function tell(
  line: NaiveLine,
  ones: readonly LicenseRow['linesOfAuthority'][number][],
  version: Version,
  isFirst: boolean,
  isFirstOfAll: boolean,
): void {
  const live = ones.filter(({ status }) => licenseStatusKind(status) === 'live');
  const open = line.spells.find(({ until }) => until === NO_END);
  const laterStart = isFirst && !isFirstOfAll ? version.validFrom : SINCE_EVER;
  if (live.length === 0) {
    const dates = ones.map(({ statusDate }) => written(statusDate)).filter((date) => date !== null);
    const since = dates.length > 0 ? least(dates) : laterStart === SINCE_EVER ? version.day : laterStart;
    if (open)
      open.until = greatest([
        dayBefore(since),
        laterStart === SINCE_EVER ? SINCE_EVER : dayBefore(laterStart),
      ]);
    else if (ones.length > 0 && line.spells.length === 0) {
      // As a license that is first seen when it is no longer live: its status date says until when it was.
      const wasLive = ones.filter(({ status }) =>
        ['ended', 'lapsed', 'inactive'].includes(licenseStatusKind(status)),
      );
      const begins = least(wasLive.map(({ issueDate }) => written(issueDate) ?? NO_END));
      if (dates.length > 0 && wasLive.length > 0 && begins < since)
        line.spells.push({
          from: begins,
          until: dayBefore(since),
          dated: begins,
          knownFrom: isFirstOfAll ? version.day : SINCE_EVER,
        });
      line.notFrom ??= since;
      const first = least(
        ones.map(({ issueDate }) => written(issueDate) ?? (isFirst ? version.validFrom : version.day)),
      );
      line.given = least([line.given ?? NO_END, greatest([first, laterStart])]);
    }
    const isUnrecognized = ones.some(({ status }) => licenseStatusKind(status) === 'unrecognized');
    line.unrecognizedFrom = isUnrecognized ? (line.unrecognizedFrom ?? since) : null;
    return;
  }
  line.unrecognizedFrom = null;
  const given = live.map(({ issueDate }) => written(issueDate)).filter((date) => date !== null);
  const undated = live.length > given.length;
  const last = line.spells.at(-1);
  const undatedFrom = isFirst ? version.validFrom : version.day;
  const begins = greatest([least([...given, ...(undated ? [undatedFrom] : [])]), laterStart]);
  const dated = given.length > 0 ? greatest([least(given), laterStart]) : NO_END;
  const knownFrom = isFirstOfAll ? version.day : SINCE_EVER;
  if (open) {
    open.from = least([open.from, begins]);
    open.dated = least([open.dated, dated]);
  } else if (last) {
    // It was gone, and is back.
    const statusDates = live.map(({ statusDate }) => written(statusDate)).filter((date) => date !== null);
    const back = statusDates.length > 0 ? least(statusDates) : isFirst ? version.validFrom : version.day;
    line.spells.push({
      from: greatest([back, last.until, laterStart]),
      until: NO_END,
      dated: back,
      knownFrom: back,
    });
  } else {
    const { notFrom, given: earlier } = line;
    const from = least([begins, earlier ?? NO_END]);
    if (notFrom !== undefined && from < notFrom)
      line.spells.push({
        from,
        until: dayBefore(notFrom),
        dated: least([dated, earlier ?? NO_END]),
        knownFrom,
      });
    const statusDates = live.map(({ statusDate }) => written(statusDate)).filter((date) => date !== null);
    const back = statusDates.length > 0 ? least(statusDates) : version.day;
    const since = notFrom === undefined ? from : greatest([from, back]);
    line.spells.push({ from: since, until: NO_END, dated, knownFrom });
  }
}
