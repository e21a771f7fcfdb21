import type { LicenseRow } from '../../shared/domain/decision/facts.ts';
import { addDays, daysBetween } from '../../shared/platform/dates/dates.ts';
import type { Heard } from './naive-history.ts';
import {
  type ClassKind,
  kindOfClass,
  licenseStatusKind,
  type NaiveClassKind,
  plain,
  plainNumber,
  type StatusKind,
  sameClassAs,
  written,
} from './naive-words.ts';

// The chapter's part about licenses, for the naive implementation: whether a term covers one day is worked out anew for that day.

/** As texts, before every date and after every date. */
export const SINCE_EVER = '';
export const NO_END = '~';
type Statement = Heard<LicenseRow>;
type Stated = Statement['rows'][number];

export interface NaiveLine {
  /** The earliest day that any version gave it, and the first of which that is known to be right. */
  begins: string;
  datedFrom: string;
  /** What was said of it, in the order in which it became known, and what versions say that speak later. */
  said: { kind: StatusKind; day: string; statusDate: string | null }[];
  saidLater: NaiveLine['said'][];
}

export interface TermOnDay {
  /** Whether it covers the day, it might, or it does not. */
  is: 'covering' | 'unknown' | 'not';
  code?: 'license_unknown' | 'status_unrecognized';
  row: LicenseRow;
  ownEnd: string;
  lines: ReadonlyMap<string, NaiveLine>;
  hasLines: boolean;
  /** Of one that might cover: the lines that its last row names, whatever their status. */
  named?: ReadonlySet<string>;
}

interface NaiveTerm {
  begins: string;
  kindOf: (row: LicenseRow) => ClassKind;
  isResident: boolean;
  rows: Stated[];
  isStatedByRegistry: boolean;
  on: (day: string) => TermOnDay | undefined;
}

export interface NaiveLicense {
  number: string;
  /** What its own rows say of its class. */
  ofClass: Pick<LicenseRow, 'licenseClassCode' | 'licenseClassName'>;
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
  /** All of its rows, as text. */
  text: string;
  lines: LicenseRow['linesOfAuthority'];
}

const isLive = ({ kind }: Pick<Version, 'kind'>) => kind === 'live';
const least = (days: readonly string[]) => days.reduce((one, other) => (one < other ? one : other), NO_END);
const greatest = (days: readonly string[]) =>
  days.reduce((one, other) => (one > other ? one : other), SINCE_EVER);
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
  return groupsOf(statements, said).map((group) => ({
    number: group.number,
    ofClass: classOf(statements, group, said),
    terms: termsOf(statements, group, codes, said),
  }));
}

/** Rows of imports that fit no term and end nothing. */
export function unmatchedEndsOf(
  statements: readonly Statement[],
  said: readonly NaiveClassKind[],
): LicenseRow[] {
  const codes = codesByName(statements);
  const licenses = groupsOf(statements, said).map((group) => ({
    terms: termsOf(statements, group, codes, said),
    statements: statements.map((one) => pick(one, group.isOf)),
    isOwn: group.isOwn,
  }));
  return statements
    .filter(
      ({ isRegistry, order }) => !isRegistry && !statements.some((one) => one.isList && one.order > order),
    )
    .flatMap((statement) =>
      statement.rows.filter((row) => {
        if (rowIsLive(row)) return false;
        const ofRow = licenses.filter((one) => one.statements.some(({ rows }) => rows.includes(row)));
        const begins = issueOf(row);
        const wasLive = (some: readonly Statement[], issueDate: string) =>
          some.some(({ rows }) => rows.some((one) => issueOf(one) === issueDate && rowIsLive(one)));
        const { begunBefore } = endedBy(row, statement.day);
        return !ofRow.some(
          (one) =>
            // It is of a term that was live, or ended another one that was, or is nothing new.
            wasLive(
              // What may be of another license too ends none that its own command states live.
              one.isOwn(row)
                ? one.statements
                : one.statements.filter(({ order }) => order !== statement.order),
              begins,
            ) ||
            one.terms.some(
              (term) =>
                // What a list corrected never was, whatever was said of it before.
                term.begins !== begins && term.begins < begunBefore && term.rows.some(rowIsLive),
            ) ||
            (row.validFrom === undefined &&
              isThereBefore(statement.order, begins, one.statements) &&
              (isRepeatedIn(one.statements, statement.order, (other) => issueOf(other) === begins) ||
                !versionsOf(one.statements, begins).some(({ order }) => order === statement.order))),
        );
      }),
    );
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
  /** Whether it is of no other license too. */
  isOwn: (row: Stated) => boolean;
}

function groupsOf(statements: readonly Statement[], said: readonly NaiveClassKind[]): Group[] {
  const all = statements.flatMap(({ rows }) => rows);
  const numbers = [...new Set(all.map((row) => plainNumber(row.licenseNumber)))];
  return numbers.flatMap((number) => {
    const rows = all.filter((row) => plainNumber(row.licenseNumber) === number);
    return classesOf(rows, said).map(({ has, own }) => ({
      number,
      isOf: (row: Stated) => has.has(row),
      isOwn: (row: Stated) => own.has(row),
    }));
  });
}

/** The rows of each license of one number. */
function classesOf(rows: readonly Stated[], said: readonly NaiveClassKind[]) {
  const codeOf = (row: LicenseRow) => plain(row.licenseClassCode);
  const kindsOf = (some: readonly LicenseRow[]) =>
    new Set(some.filter((row) => plain(row.licenseClassName) !== '').map((row) => kindOfClass(row, said)));
  const mayBeOne = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    some.size === 0 || others.size === 0 || [...some].some((kind) => others.has(kind));
  const licenseOf = (some: readonly Stated[]) => ({ has: new Set(some), kinds: kindsOf(some) });

  const uncoded = rows.filter((row) => codeOf(row) === '');
  const coded = [...new Set(rows.map(codeOf))]
    .filter((code) => code !== '')
    .map((code) => licenseOf(rows.filter((row) => codeOf(row) === code)));
  const licenses = [...coded];
  // Those with a name before those without.
  const kinds = [...kindsOf(uncoded), undefined];
  for (const kind of kinds) {
    const some = uncoded.filter((row) => [...kindsOf([row])][0] === kind);
    const [one, ...others] = licenses.filter((license) => mayBeOne(license.kinds, kindsOf(some)));
    if (some.length === 0) continue;
    if (one && others.length === 0) for (const row of some) one.has.add(row);
    else if (!one || some.some(rowIsLive)) licenses.push(licenseOf(some));
  }
  const owned = licenses.map(({ has }) => ({ has, own: new Set(has) }));
  // A row that is not live is of all that it may be of, one with a code of those without one.
  for (const row of rows.filter((one) => !rowIsLive(one)))
    for (const license of licenses)
      if ((codeOf(row) === '' || !coded.includes(license)) && mayBeOne(license.kinds, kindsOf([row])))
        license.has.add(row);
  return owned;
}

// ── Terms

const pick = (statement: Statement, isOf: (row: Stated) => boolean): Statement => ({
  ...statement,
  rows: statement.rows.filter(isOf),
});

/** What some rows of its own say of the class of a license counts for all of them, of names the last one, if its kind is clear. */
function classOf(
  all: readonly Statement[],
  { isOwn }: Group,
  said: readonly NaiveClassKind[],
): NaiveLicense['ofClass'] {
  const owned = all.map((one) => pick(one, isOwn).rows);
  const coded = owned.flat().find((row) => plain(row.licenseClassCode) !== '');
  const isNamed = (row: Stated) => plain(row.licenseClassName) !== '';
  const named = (owned.findLast((rows) => rows.some(isNamed)) ?? []).filter(isNamed);
  const [name = null] = named.map(({ licenseClassName }) => licenseClassName).toSorted();
  const kinds = new Set(
    owned
      .flat()
      .filter(isNamed)
      .map((row) => kindOfClass(row, said)),
  );
  return {
    licenseClassCode: coded?.licenseClassCode ?? null,
    licenseClassName: kinds.size > 1 ? null : name,
  };
}

function termsOf(
  all: readonly Statement[],
  group: Group,
  codes: (name: string | null) => string[],
  said: readonly NaiveClassKind[],
): NaiveTerm[] {
  const { isOf, isOwn } = group;
  const kindOf = (row: LicenseRow): ClassKind => kindOfClass(row, said);
  const ownDates = new Set(all.flatMap(({ rows }) => rows.filter(isOwn).map(issueOf)));
  // What may be of another license too is a version of none of its terms: it ends them, or may be one of its own.
  const isOther = (row: Stated) => isOf(row) && !isOwn(row) && ownDates.has(issueOf(row));
  const statements = all.map((one) => pick(one, (row) => isOf(row) && !isOther(row)));
  const ofClass = classOf(all, group, said);
  // Of a term, the name that its last version has, else that of the license.
  const withClassOf =
    (versions: readonly Version[]) =>
    (row: Stated): Stated => ({
      ...row,
      licenseClassCode: ofClass.licenseClassCode,
      licenseClassName:
        versions
          .toSorted((one, other) =>
            one.validFrom < other.validFrom ? -1 : Number(one.validFrom !== other.validFrom),
          )
          .filter(
            (version, index, all) =>
              all.findLastIndex((one) => one.validFrom === version.validFrom) === index,
          )
          .findLast((version) => plain(version.row.licenseClassName) !== '')?.row.licenseClassName ??
        ofClass.licenseClassName,
    });
  /** What is said with a term: one that never was covers no day, and what is said to be its end since is of no term. */
  const heardOf = (begins: string) => {
    const absences = absencesOf(begins, statements);
    const neverWas = absences.find((one) => 'neverWasBy' in one);
    const heard =
      neverWas === undefined ? statements : statements.map((one) => afterCorrection(one, begins, neverWas));
    return { absences, neverWas, heard };
  };
  const drafts = issueDatesOf(statements)
    .toSorted()
    .flatMap((begins) => {
      const { absences, neverWas, heard } = heardOf(begins);
      const versions = versionsOf(heard, begins);
      if (versions.length === 0) return [];
      const gone =
        neverWas === undefined
          ? absences.filter((one) => 'until' in one)
          : [{ from: SINCE_EVER, until: NO_END }];
      return [{ begins, heard, versions, gone }];
    });
  const sameTermAs = (row: Stated) => (other: Stated) =>
    plainNumber(row.licenseNumber) === plainNumber(other.licenseNumber) &&
    issueOf(row) === issueOf(other) &&
    sameClassAs(row, other, said);
  const enders = drafts.flatMap(({ begins, heard }): Ender[] => {
    const firstLive = firstLiveOf(begins, heard);
    const ofTerm = heard.map((one) => pick(one, (row) => issueOf(row) === begins && one.order < firstLive));
    return endersOf(begins, ofTerm, heard, all, sameTermAs).map((one) => ({ ...one, spares: begins }));
  });
  for (const begins of ownDates) {
    const { heard } = heardOf(begins);
    const others = all.map((one) => pick(one, (row) => isOther(row) && issueOf(row) === begins));
    for (const ender of endersOf(begins, others, heard, all, sameTermAs))
      enders.push(...endingOwn(ender, heard));
  }
  /** Whether an import states beside a term what ends it, also where that is nothing new. */
  const isEndedIn = (begins: string) => (version: Version) => {
    const mayEnd = (row: Stated) =>
      (isOther(row) || firstLiveOf(issueOf(row), statements) > version.order) && !rowIsLive(row);
    const beside = all.find(({ order }) => order === version.order)?.rows ?? [];
    return (
      !version.isRegistry &&
      beside.some(
        (row) =>
          isOf(row) &&
          issueOf(row) !== begins &&
          mayEnd(row) &&
          endedBy(row, version.day).begunBefore > begins,
      )
    );
  };
  return drafts.map(({ begins, heard, versions, gone }) => {
    const withClass = withClassOf(versions);
    const isEnded = isEndedIn(begins);
    const again = versionsOf(heard, begins, true).filter(
      (version) => versions.some(({ order }) => order === version.order) || !isEnded(version),
    );
    const ends = enders.filter(
      ({ spares, only = begins, row }) =>
        spares !== begins &&
        only === begins &&
        // What may end a term of which no day is certain says nothing new.
        (ownDates.has(begins) || licenseStatusKind(row.status) !== 'unrecognized'),
    );
    const on = (day: string, some: readonly Ender[]) =>
      termOn(day, begins, versions, again, gone, some, codes);
    return {
      begins,
      kindOf,
      isResident: speakingOn(versions, NO_END).at(-1)?.row.residencyStatus === 'resident',
      rows: versions.map(({ row }) => withClass(row)),
      isStatedByRegistry:
        versions.some(({ isRegistry }) => isRegistry) ||
        statements.some(({ isList, order }) => isList && presenceOf(begins, statements).get(order) === true),
      on: (day) => {
        const term = on(day, ends);
        // Rows that may all be of another license give no day for certain.
        const isPerhaps = term?.is === 'covering' && !ownDates.has(begins);
        return term && { ...term, row: withClass(term.row), ...(isPerhaps ? perhaps(term) : {}) };
      },
    };
  });
}

/** The versions of a term in the order in which they were recorded. */
function versionsOf(statements: readonly Statement[], begins: string, withRepeated = false): Version[] {
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
    for (const start of [...starts.keys()].toSorted()) {
      const version = versionOf(starts.get(start) ?? [], start, statement);
      const replaced = versions.findLast(({ validFrom }) => validFrom === start);
      // What repeats the version that it would replace is none, unless a list left the term out between them.
      const isThere = isThereBefore(statement.order, begins, statements);
      if (withRepeated || !(isThere && replaced?.text === version.text)) versions.push(version);
    }
  }
  return versions;
}

const strictest: readonly StatusKind[] = ['ended', 'lapsed', 'inactive', 'pending', 'unrecognized'];

/** Of rows that say the same strongest thing, its first date, or the last where it is that they are live. */
function saidBy(rows: readonly Pick<LicenseRow, 'status' | 'statusDate'>[]) {
  const kinds = rows.map((row) => licenseStatusKind(row.status));
  const kind = kinds.includes('live')
    ? ('live' as const)
    : (strictest.find((one) => kinds.includes(one)) ?? 'unrecognized');
  const dates = rows
    .filter((_, index) => kinds[index] === kind)
    .map(({ statusDate }) => written(statusDate))
    .filter((date) => date !== null);
  return { kind, statusDate: dates.length === 0 ? null : kind === 'live' ? greatest(dates) : least(dates) };
}

function versionOf(rows: readonly Stated[], validFrom: string, statement: Statement): Version {
  const live = rows.filter(rowIsLive);
  const counting = live.length > 0 ? live : rows;
  const ownEnd = greatest(counting.map(ownEndOf));
  const lasting = counting.filter((row) => ownEndOf(row) === ownEnd);
  return {
    ...statement,
    ...saidBy(lasting),
    validFrom,
    isGiven: rows.some((row) => row.validFrom !== undefined),
    ownEnd,
    row: lasting
      .filter(({ status }) => licenseStatusKind(status) === saidBy(lasting).kind)
      .toSorted((one, other) => (contentOf(one) < contentOf(other) ? -1 : 1))[0] as Stated,
    text: textOf(rows),
    lines: counting.flatMap(({ linesOfAuthority }) => linesOfAuthority),
  };
}

/** The versions that speak on a day: those of the greatest `validFrom` that is not after it. */
function speakingOn(versions: readonly Version[], day: string): Version[] {
  const start = greatest(versions.map(({ validFrom }) => validFrom).filter((from) => from <= day));
  return versions.filter(({ validFrom }) => validFrom <= day && validFrom === start);
}

/**
 * A version's own end; that of the last live version before it for one that is not live and names none, of those that speak from the
 * same day if there is one.
 */
function endOf(version: Version, versions: readonly Version[]): string {
  if (isLive(version) || version.ownEnd !== NO_END) return version.ownEnd;
  const before = versions.filter((one) => isLive(one) && one.order < version.order);
  const replaced = before.findLast(({ validFrom }) => validFrom === version.validFrom);
  return (replaced ?? before.at(-1))?.ownEnd ?? NO_END;
}

function termOn(
  day: string,
  begins: string,
  versions: readonly Version[],
  again: readonly Version[],
  absences: readonly Absence[],
  enders: readonly Ender[],
  codes: (name: string | null) => string[],
): TermOnDay | undefined {
  const speaking = speakingOn(versions, day);
  const last = speaking.at(-1);
  if (!last || day < begins) return undefined;
  const ownEnd = endOf(last, versions);
  const answer = (is: TermOnDay['is'], code?: TermOnDay['code']): TermOnDay => ({
    is,
    ...(code ? { code } : {}),
    row: (speaking.findLast(isLive) ?? last).row,
    ownEnd,
    ...linesOn(day, versions, codes),
    // Of one that may be in force: what its row names.
    ...(is === 'unknown' ? { named: namedBy(last, codes) } : {}),
  });
  if (day > ownEnd || absences.some(({ from, until }) => from <= day && day < until)) return answer('not');
  let mayBeEnded = false;
  for (const ender of enders) {
    const back = backAfter(ender, again);
    const isEnded = begins < ender.begunBefore && ender.from <= day && !(back !== undefined && day >= back);
    if (isEnded && licenseStatusKind(ender.row.status) !== 'unrecognized') return answer('not');
    mayBeEnded ||= isEnded;
  }
  const code = cutOn(day, speaking, versions);
  if (code === undefined) {
    const covering = answer('covering');
    return mayBeEnded ? { ...covering, ...perhaps(covering), code: 'status_unrecognized' } : covering;
  }
  return code === 'not' ? answer('not') : answer('unknown', code);
}

const namedBy = (version: Version, codes: (name: string | null) => string[]): Set<string> =>
  new Set(version.lines.flatMap((line) => keysOf(line, codes)));

/** What says that a term is not, or may not be, in force on a day that is within its own dates. */
function cutOn(
  day: string,
  speaking: readonly Version[],
  versions: readonly Version[],
): 'not' | 'status_unrecognized' | 'license_unknown' | undefined {
  const last = speaking.at(-1) as Version;
  const starts = [...new Set(versions.map(({ validFrom }) => validFrom))].toSorted();
  // What a later one dates before the day from which it speaks counts too.
  const said = starts
    .filter((start) => start >= last.validFrom)
    .map((start) => {
      const ofStart = versions.filter(({ validFrom }) => validFrom === start);
      const lastOfStart = ofStart.at(-1) as Version;
      const isOver = !isLive(lastOfStart) && day > endOf(lastOfStart, versions);
      return isOver ? 'not' : interruptedOn(day, datesOf(ofStart, versions, start));
    });
  if (said.includes('not')) return 'not';
  if (said.includes('unrecognized')) return 'status_unrecognized';
  const wasLive = starts
    .filter((one) => one < last.validFrom)
    .some((start) => {
      const ofStart = versions.findLast(({ validFrom }) => validFrom === start);
      return ofStart !== undefined && isLive(ofStart);
    });
  const run = speaking.slice(speaking.findLastIndex(isLive) + 1);
  // After a live one, an import says from which day the term is not live.
  if (wasLive && run.some(({ isGiven }) => isGiven)) return 'not';
  const [firstOfRun] = run;
  if (firstOfRun === undefined) return undefined;
  const isSeenLive = versions.some((one) => isLive(one) && one.order < firstOfRun.order);
  const isDated =
    last.kind !== 'pending' &&
    last.kind !== 'unrecognized' &&
    speaking.some(({ statusDate }) => statusDate !== null);
  if (isSeenLive || last.kind === 'lapsed' || isDated) return undefined;
  return last.kind === 'ended' || last.kind === 'inactive' ? 'license_unknown' : 'not';
}

type Said = NaiveLine['said'][number];

/** What versions that speak from one day say, each known from the first on that said that it is not live, and not before they speak. */
const datesOf = (some: readonly Version[], versions: readonly Version[], start: string): Said[] =>
  some.map((version) => {
    const live = versions.findLast((one) => isLive(one) && one.order < version.order);
    const first = versions.find((one) => one.order > (live?.order ?? -1) && !isLive(one));
    const known = isLive(version) ? version.day : (first?.day ?? version.day);
    return { kind: version.kind, statusDate: version.statusDate, day: greatest([known, start]) };
  });

/** Whether something is not in force on a day, by what was said one after the other, or that is not recognized. */
function interruptedOn(day: string, said: readonly Said[]): 'not' | 'unrecognized' | undefined {
  let from: string | undefined;
  let unrecognizedFrom: string | undefined;
  for (const { kind, day: known, statusDate } of said) {
    if (kind === 'live') {
      if (from !== undefined && from <= day && day < (statusDate ?? known)) return 'not';
      [from, unrecognizedFrom] = [undefined, undefined];
      continue;
    }
    // A word that is in no row of the table moves no end to a later day.
    if (kind !== 'unrecognized' || from === undefined || from > (statusDate ?? known))
      from = statusDate ?? from ?? known;
    unrecognizedFrom = kind === 'unrecognized' ? (statusDate ?? unrecognizedFrom ?? known) : undefined;
  }
  if (unrecognizedFrom !== undefined && day >= unrecognizedFrom) return 'unrecognized';
  return from !== undefined && day >= from ? 'not' : undefined;
}

// ── Rows that are not live and fit no term

interface Ender {
  begins: string;
  /** The term that it does not end since it is of it, and the only one that it ends. */
  spares?: string;
  only?: string;
  row: Stated;
  order: number;
  day: string;
  isRegistry: boolean;
  begunBefore: string;
  from: string;
}

/** What of a row that may be of several licenses ends a license that has own rows of its `issueDate`. */
function endingOwn(ender: Ender, statements: readonly Statement[]): Ender[] {
  const live = statements.filter(({ rows }) =>
    rows.some((row) => issueOf(row) === ender.begins && rowIsLive(row)),
  );
  // Of rows of one time, the live ones count.
  if (live.some(({ order }) => order === ender.order)) return [];
  if (!live.some(({ order }) => order < ender.order)) return [ender];
  // It fits a term: that ended at its own end, or before its `statusDate`, else before the day on which this became known.
  const ownEnd = ownEndOf(ender.row);
  const from = least([
    written(ender.row.statusDate) ?? ender.day,
    ownEnd === NO_END ? NO_END : addDays(ownEnd, 1),
  ]);
  return [{ ...ender, only: ender.begins, begunBefore: NO_END, from }];
}

const perhaps = ({ lines }: TermOnDay) =>
  ({ is: 'unknown', code: 'license_unknown', named: new Set(lines.keys()) }) as const;

/** The rows of a term that was not seen live by then, each with what it ends. */
function endersOf(
  begins: string,
  ofTerm: readonly Statement[],
  statements: readonly Statement[],
  all: readonly Statement[],
  isOfTerm: (row: Stated) => (other: Stated) => boolean,
): Ender[] {
  return ofTerm
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ rows, order, day, isRegistry }) => {
      // A list that states the license live knows its ends; of what one that is not complete does not name, it says nothing.
      if (isRegistry && isStatedLive(order, statements)) return [];
      const enders = rows.map((row) => ({ begins, row, order, day, isRegistry, ...endedBy(row, day) }));
      // What repeats what is recorded is none, unless a license that it ends was stated live since.
      const before = ofTerm.findLast((one) => one.order < order && one.rows.length > 0);
      const isRepeated = rows.every((row) => {
        const ofRow = all.map((one) => pick(one, isOfTerm(row)));
        return !versionsOf(ofRow, begins).some((one) => one.order === order);
      });
      // What was stated while the license was live may have ended nothing.
      const isNewlyAlone = isRegistry && before !== undefined && isStatedLive(before.order, statements);
      const isUndone = enders.some(({ begunBefore }) =>
        issueDatesOf(statements).some(
          (other) =>
            other < begunBefore &&
            versionsOf(statements, other).some(
              // Or is by the same import, which then states its end too.
              (one) =>
                isLive(one) &&
                one.order > (before?.order ?? order) &&
                (one.order < order || (one.order === order && !isRegistry)),
            ),
        ),
      );
      return isRepeated && !isUndone && !isNewlyAlone ? [] : enders;
    });
}

/** The place of the first command that states a term live. */
const firstLiveOf = (begins: string, statements: readonly Statement[]): number =>
  statements.find(({ rows }) => rows.some((row) => issueOf(row) === begins && rowIsLive(row)))?.order ??
  Number.POSITIVE_INFINITY;

const issueDatesOf = (statements: readonly Statement[]): string[] => [
  ...new Set(statements.flatMap(({ rows }) => rows.map(issueOf))),
];

/** Whether a command says of some rows just what was said of them before. */
function isRepeatedIn(
  statements: readonly Statement[],
  order: number,
  isOne: (row: Stated) => boolean,
): boolean {
  const ofOne = statements.map((one) => pick(one, isOne)).filter(({ rows }) => rows.length > 0);
  const [own, before] = [
    ofOne.find((one) => one.order === order),
    ofOne.findLast((one) => one.order < order),
  ];
  return own !== undefined && before !== undefined && textOf(before.rows) === textOf(own.rows);
}

/** Whether the license is live by a list: by a row of it, or by what it does not name and does not end. */
function isStatedLive(order: number, statements: readonly Statement[]): boolean {
  const list = statements.find((one) => one.order === order);
  if (list?.rows.some(rowIsLive)) return true;
  if (!list || list.isList) return false;
  return issueDatesOf(statements).some((begins) => {
    const stated = statements.findLast(
      (one) => one.order <= order && one.rows.some((row) => issueOf(row) === begins),
    );
    const isLiveThen = stated?.rows.some((row) => issueOf(row) === begins && rowIsLive(row));
    return isLiveThen && isThereBefore(order, begins, statements);
  });
}

/** What a row states, whatever the order of its members. */
const contentOf = ({ validFrom: _from, isDeleted: _deleted, ...row }: Stated): string =>
  JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** All of some rows, as text. */
const textOf = (rows: readonly Stated[]): string =>
  [...new Set(rows.map(({ validFrom: _from, isDeleted: _deleted, ...row }) => JSON.stringify(row)))]
    .toSorted()
    .join();

/** Which terms a row ends, those that began before a day, and from which day on. */
function endedBy(row: LicenseRow, known: string): { begunBefore: string; from: string } {
  const statusDate = written(row.statusDate);
  if (statusDate !== null) return { begunBefore: statusDate, from: statusDate };
  const ownEnd = ownEndOf(row);
  return ownEnd < known
    ? { begunBefore: ownEnd, from: addDays(ownEnd, 1) }
    : { begunBefore: known, from: known };
}

/** The first day on which a term is live again after such an end. */
function backAfter(ender: Ender, versions: readonly Version[]): string | undefined {
  const back = versions.find(
    (version) =>
      isLive(version) &&
      version.order > ender.order &&
      (version.isRegistry || version.day > ender.day) &&
      (!version.isGiven || version.validFrom >= ender.day),
  );
  const together = versions.filter((one) => isLive(one) && one.order === back?.order);
  return back && greatest(together.map(({ statusDate, day }) => statusDate ?? day));
}

// ── Lists that leave a term out

interface Absence {
  /** The first day on which it is gone, and the first on which it is not. */
  from: string;
  until: string;
}

/** Whether a term is there once a command has spoken, by the places of the commands since it was first stated. */
function presenceOf(begins: string, statements: readonly Statement[]): Map<number, boolean> {
  const isThere = new Map<number, boolean>();
  let outSince: string | undefined;
  for (const { order, day, isList, rows: all } of statements) {
    const rows = all.filter((row) => issueOf(row) === begins);
    if (isThere.size === 0 && rows.length === 0) continue;
    // What an import says of days before the list that left it out is history, and no return.
    const isBack = rows.some(({ validFrom }) => (written(validFrom) ?? NO_END) >= (outSince ?? SINCE_EVER));
    if (isBack) outSince = undefined;
    else if (rows.length === 0 && isList) outSince ??= day;
    isThere.set(order, outSince === undefined);
  }
  return isThere;
}

const isThereBefore = (order: number, begins: string, statements: readonly Statement[]): boolean =>
  [...presenceOf(begins, statements)].findLast(([one]) => one < order)?.[1] === true;

/** What a list says of a term that it leaves out since its `issueDate` is corrected. */
interface NeverWas {
  /** The place of the list. */
  neverWasBy: number;
}

/** Of a term that a list corrected, what is stated after the list and not live. */
const afterCorrection = (statement: Statement, begins: string, { neverWasBy }: NeverWas): Statement =>
  pick(statement, (row) => issueOf(row) !== begins || (statement.order > neverWasBy && !rowIsLive(row)));

function absencesOf(begins: string, statements: readonly Statement[]): (Absence | NeverWas)[] {
  const ofTerm = ({ rows }: Pick<Statement, 'rows'>) => rows.filter((row) => issueOf(row) === begins);
  const first = statements.find((one) => ofTerm(one).length > 0);
  if (!first) return [];
  const isThere = presenceOf(begins, statements);
  return statements
    .filter(({ order, isList, rows }) => isList && order > first.order && ofTerm({ rows }).length === 0)
    .flatMap((list): (Absence | NeverWas)[] => {
      // An end is no return.
      const back = statements.find(
        (one) => one.order > list.order && isThere.get(one.order) === true && ofTerm(one).some(rowIsLive),
      );
      if (back && daysBetween(list.day, back.day) <= 30) return [];
      const from = outFrom(begins, list, statements, first);
      if (back === undefined)
        return [from === 'never was' ? { neverWasBy: list.order } : { from, until: NO_END }];
      const before = statements.filter(({ order }) => order < list.order);
      const end = endIn(begins, before);
      const gone = from === 'never was' ? list.day : end === NO_END || from <= end ? from : addDays(end, 1);
      return [{ from: greatest([gone, list.day]), until: back.day }];
    });
}

/** The own end of a term by the version that speaks last. */
function endIn(issueDate: string, among: readonly Statement[]): string {
  const versions = versionsOf(among, issueDate);
  const last = speakingOn(versions, NO_END).at(-1);
  return last ? endOf(last, versions) : NO_END;
}

/** The first day on which a term is gone that a list leaves out. */
function outFrom(
  begins: string,
  list: Statement,
  statements: readonly Statement[],
  first: Statement,
): string | 'never was' {
  const others = [...new Set(list.rows.map(issueOf))];
  const told = statements.filter(({ order }) => order <= list.order);
  const end = endIn(begins, told);
  for (const other of others) {
    const overlap = begins <= endIn(other, told) && other <= end;
    const together = statements.some(
      ({ isList, rows }) =>
        isList && [begins, other].every((issueDate) => rows.some((row) => issueOf(row) === issueDate)),
    );
    if (overlap && !together && other <= first.day) return 'never was';
  }
  const next = others.filter((other) => other > begins).toSorted()[0];
  return next ?? list.day;
}

// ── Lines

type Line = LicenseRow['linesOfAuthority'][number];

const keysOf = (line: Line, codes: (name: string | null) => string[]): string[] => {
  if (plain(line.code) !== '') return [plain(line.code)];
  const named = codes(line.name);
  return named.length > 0 ? named : [`name ${plain(line.name)}`];
};

/** The lines of a term on a day, by code, or by name where no license gives it a code. */
function linesOn(
  day: string,
  versions: readonly Version[],
  codes: (name: string | null) => string[],
): { lines: Map<string, NaiveLine>; hasLines: boolean } {
  const saysOfLines = (version: Version) => version.lines.length > 0 || version.isRegistry;
  const starts = [...new Set(versions.map(({ validFrom }) => validFrom))].toSorted();
  const begun = new Map<string, Pick<NaiveLine, 'begins' | 'datedFrom'>>();
  let told: Version[] = [];
  const lines = new Map<string, NaiveLine>();
  for (const start of starts) {
    const ofStart = versions.filter(({ validFrom }) => validFrom === start);
    const [first] = ofStart;
    const own = ofStart.filter(saysOfLines);
    // An import without lines says nothing of them: those that were stated before stay.
    told = first && saysOfLines(first) ? own : [...told, ...own];
    const spoken = linesOfVersions(told, start, begun, codes);
    for (const [key, { begins, datedFrom }] of spoken) begun.set(key, { begins, datedFrom });
    if (start <= day) {
      lines.clear();
      for (const [key, line] of spoken) lines.set(key, line);
    } else for (const [key, { said }] of spoken) lines.get(key)?.saidLater.push(said);
  }
  return { lines, hasLines: lines.size > 0 };
}

function linesOfVersions(
  told: readonly Version[],
  start: string,
  begun: ReadonlyMap<string, Pick<NaiveLine, 'begins' | 'datedFrom'>>,
  codes: (name: string | null) => string[],
): Map<string, NaiveLine> {
  const lines = new Map<string, NaiveLine>();
  for (const [index, version] of told.entries()) {
    const stated = new Map<string, Line[]>();
    for (const line of version.lines)
      for (const key of keysOf(line, codes)) stated.set(key, [...(stated.get(key) ?? []), line]);
    // A live license shows all of its lines; one that is not says nothing of those that it leaves out.
    if (isLive(version))
      for (const [key, line] of lines)
        if (!stated.has(key))
          line.said.push({ kind: 'ended', day: greatest([version.day, start]), statusDate: null });
    for (const [key, rows] of stated) {
      const line = lines.get(key) ?? {
        begins: begun.get(key)?.begins ?? NO_END,
        datedFrom: begun.get(key)?.datedFrom ?? NO_END,
        said: [],
        saidLater: [],
      };
      lines.set(key, line);
      const live = rows.filter(({ status }) => licenseStatusKind(status) === 'live');
      line.said.push({ ...saidBy(live.length > 0 ? live : rows), day: greatest([version.day, start]) });
      for (const { issueDate } of live.length > 0 ? live : rows) {
        const given = written(issueDate);
        if (given === null && live.length === 0) continue;
        line.begins = least([line.begins, given ?? (index === 0 ? start : version.day)]);
        line.datedFrom = least([line.datedFrom, given ?? version.day]);
      }
    }
  }
  return lines;
}

/** Whether a line counts on a day, or has a status then that is a word in no row of the table. */
export function lineOn(
  { begins, said, saidLater }: NaiveLine,
  day: string,
): 'counts' | 'unrecognized' | 'not' {
  const interruptions = [said, ...saidLater].map((one) => interruptedOn(day, one));
  if (interruptions.includes('not')) return 'not';
  if (interruptions.includes('unrecognized')) return 'unrecognized';
  const last = said.at(-1);
  const isDated =
    last?.kind !== 'pending' &&
    last?.kind !== 'unrecognized' &&
    said.some(({ statusDate }) => statusDate !== null);
  return day >= begins && (said.some(({ kind }) => kind === 'live') || isDated) ? 'counts' : 'not';
}
