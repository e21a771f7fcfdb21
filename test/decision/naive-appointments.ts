import type { AppointmentRow } from '../../shared/domain/decision/facts.ts';
import { daysBetween } from '../../shared/platform/dates/calendar.ts';
import {
  companyCode,
  companyEin,
  companyName,
  type Heard,
  isLeftOutSince,
  mayBeOneCompany,
} from './naive-history.ts';
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
  ) => { is: 'covering' | 'not' } | { is: 'unknown'; code: 'appointment_unknown' | 'status_unrecognized' };
  /** Whether it covered a day before one. */
  coveredBefore: (day: string) => boolean;
  lastChangeOn: (day: string) => { at: string; isEnd: boolean; isForCause: boolean } | undefined;
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

/** The company of a row among the rows of a holder in a state. */
export function companyIn(
  all: readonly Stated[],
): (row: Pick<AppointmentRow, 'companyCode' | 'ein' | 'carrierName'>) => string {
  const only = (companies: readonly string[]) => {
    const [one, ...others] = [...new Set(companies)];
    return others.length === 0 ? one : undefined;
  };
  type Company = Parameters<typeof companyCode>[0];
  const byCode = (row: Company) => `code ${companyCode(row)}`;
  const coded = all.filter((row) => companyCode(row) !== '');
  const byEin = (row: Company) =>
    only(coded.filter((one) => companyEin(one) === companyEin(row)).map(byCode)) ?? `ein ${companyEin(row)}`;
  const identified = all.filter((row) => companyCode(row) !== '' || companyEin(row) !== '');
  const byName = (row: Company) =>
    only(
      identified
        .filter((one) => companyName(one) !== '' && companyName(one) === companyName(row))
        .map((one) => (companyCode(one) === '' ? byEin(one) : byCode(one))),
    ) ?? `name ${companyName(row)}`;
  return (row) => {
    if (companyCode(row) !== '') return byCode(row);
    return companyEin(row) === '' ? byName(row) : byEin(row);
  };
}

export const sameChange = (one: Stated, other: Stated, all: readonly Stated[]): boolean => {
  const company = companyIn(all);
  return (
    company(one) === company(other) &&
    lineOf(one) === lineOf(other) &&
    countyOf(one) === countyOf(other) &&
    dateOf(one) === dateOf(other)
  );
};

// ── What an end may mean that leaves something out

function mayBeOneLine(end: Stated, row: Stated, codes: Codes): boolean {
  const [one, other] = [lineOf(end), lineOf(row)];
  if (one === '') return true;
  if (other === '') return false;
  if (one === other) return true;
  const isCode = (line: string) => line.startsWith('code ');
  if (isCode(one) === isCode(other)) return false;
  const [coded, named] = isCode(one) ? [end, row] : [row, end];
  const [name, another] = [plain(coded.lineOfAuthorityName), plain(named.lineOfAuthorityName)];
  const ofName = codes(named.lineOfAuthorityName);
  if (name !== '' && name === another) return true;
  if (ofName.length > 0) return ofName.includes(plain(coded.lineOfAuthorityCode));
  return name === '';
}

const mayBeMeant = (end: Stated, row: Stated, held: readonly Stated[], codes: Codes): boolean => {
  const counties = held.filter((one) => mayBeOneCompany(end, one)).map(countyOf);
  return (
    mayBeOneCompany(end, row) &&
    mayBeOneLine(end, row, codes) &&
    (countyOf(end) === '' || countyOf(end) === countyOf(row) || !counties.includes(countyOf(end)))
  );
};

// ── The timeline

interface Change {
  at: string;
  kind: StatusKind;
  renewalDate: string;
  effectiveDate: string | null;
  order: number;
  isList: boolean;
  isUndated: boolean;
  isForCause: boolean;
}

export function appointmentsOf(statements: readonly Statement[], codes: Codes): NaiveAppointment[] {
  const all = statements.flatMap(({ rows }) => rows);
  const company = companyIn(all);
  const keyOf = (row: Stated) => JSON.stringify([company(row), lineOf(row), countyOf(row)]);
  const held = all.filter((row) => kindOf(row) === 'live');
  return [...new Set(all.map(keyOf))].map((key) => {
    const rows = all.filter((row) => keyOf(row) === key);
    const own = held.filter((row) => keyOf(row) === key);
    const heard = statements.map((statement) => ({
      ...statement,
      rows: statement.rows.filter(
        (row) =>
          keyOf(row) === key ||
          (!statement.isRegistry &&
            isEnd(kindOf(row)) &&
            own.some((one) => mayBeMeant(row, one, held, codes))),
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
      on: (day) => stateOn(timeline, day),
      coveredBefore: (day) => coveredBefore(timeline, day),
      lastChangeOn: (day) => {
        const last = lastOn(timeline, day);
        return last && { at: last.at, isEnd: isEnd(last.kind), isForCause: last.isForCause };
      },
    };
  });
}

/** Ends of imports that end no appointment. */
export function unmatchedAppointmentEndsOf(statements: readonly Statement[], codes: Codes): AppointmentRow[] {
  const all = statements.flatMap(({ rows }) => rows);
  const company = companyIn(all);
  const keyOf = (row: Stated) => JSON.stringify([company(row), lineOf(row), countyOf(row)]);
  const held = all.filter((row) => kindOf(row) === 'live');
  return statements
    .filter(({ isRegistry }) => !isRegistry)
    .flatMap((statement) =>
      statement.rows.filter(
        (row) =>
          isEnd(kindOf(row)) &&
          !isLeftOutSince(row, statement, statements) &&
          !held.some((one) => keyOf(one) === keyOf(row) || mayBeMeant(row, one, held, codes)),
      ),
    );
}

interface OfAppointment extends Statement {
  /** Whether it names the appointment itself. */
  isNamed: boolean;
}

/** What is said of one written date, or without one. */
interface OfDate {
  live?: Change;
  other?: Change;
}

function timelineOf(statements: readonly OfAppointment[]): Change[] {
  const byDate = new Map<string, OfDate>();
  let inferred: Change[] = [];
  let out: { day: string; last: Change } | undefined;
  const now = () =>
    [...byDate.values()].flatMap(({ live, other }) => [live, other].filter((one) => one !== undefined));
  const undatedSince = undatedSinceOf(statements);
  for (const statement of statements) {
    const { order, day, isList, rows, isNamed } = statement;
    if (isList && !isNamed) {
      const last = lastOn([...now(), ...inferred], day);
      for (const [date, { live, other }] of byDate)
        if ((live?.at ?? other?.at ?? '') > day) byDate.delete(date);
      if (last?.kind === 'live') {
        const gone = { kind: 'ended', effectiveDate: null, isUndated: false, isForCause: false } as const;
        inferred.push({ ...last, ...gone, at: day, order, isList });
        out = { day, last };
      }
      continue;
    }
    if (out && rows.some((row) => kindOf(row) === 'live')) {
      // It is back, within 30 days as if it had never been gone.
      const since = out;
      if (daysBetween(out.day, day) <= 30) inferred = inferred.filter(({ at }) => at !== since.day);
      else if (!rows.some((row) => (dateOf(row) ?? '') > since.day))
        inferred.push({ ...out.last, at: day, effectiveDate: null, order });
      out = undefined;
    }
    const wasLive = statements.some(
      (one) => one.order < order && one.rows.some((row) => kindOf(row) === 'live'),
    );
    if (isList) {
      const listed = rows.map((row) => dateOf(row) ?? NO_DATE);
      const days = rows.map((row) => {
        const date = dateOf(row);
        const held = byDate.get(date ?? NO_DATE);
        if (kindOf(row) === 'live') return date ?? undatedSince;
        if (date !== null && !held?.live) return date;
        if (!isEnd(kindOf(row))) return date ?? held?.other?.at ?? day;
        const renewalDate = written(row.renewalDate) ?? held?.live?.renewalDate ?? NO_END;
        return renewalDate < day ? renewalDate : (held?.other?.at ?? (wasLive ? day : SINCE_EVER));
      });
      const earliest = days.reduce((one, other) => (one < other ? one : other), NO_END);
      for (const [date, one] of byDate) {
        if (listed.includes(date)) continue;
        const { live, other } = one;
        if (live && live.at > earliest) delete one.live;
        if (other && other.at > earliest) delete one.other;
      }
    }
    for (const row of rows) {
      const date = dateOf(row) ?? NO_DATE;
      const kind = kindOf(row);
      // In one command the live one counts, of those of one day.
      if (
        kind !== 'live' &&
        rows.some((other) => (dateOf(other) ?? NO_DATE) === date && kindOf(other) === 'live')
      )
        continue;
      const one = byDate.get(date) ?? {};
      byDate.set(date, one);
      if (kind === 'live') {
        byDate.set(date, { live: changeOf(row, date === NO_DATE ? undatedSince : date, statement) });
      } else if (!isEnd(kind)) {
        byDate.set(date, {
          other: changeOf(row, date === NO_DATE ? (one.other?.at ?? day) : date, statement),
        });
      } else if (date !== NO_DATE && !one.live) {
        byDate.set(date, { other: changeOf(row, date, statement) });
      } else {
        const change = changeOf(row, day, statement);
        const replaced = one.live ?? lastOn(now(), day);
        const renewalDate =
          change.renewalDate === NO_END ? (replaced?.renewalDate ?? NO_END) : change.renewalDate;
        const first = one.other && isEnd(one.other.kind) ? one.other.at : day;
        if (renewalDate < day) one.other = { ...change, at: renewalDate };
        else if (wasLive) one.other = { ...change, at: first };
        else if (date === NO_DATE) one.other = { ...change, at: SINCE_EVER };
      }
    }
  }
  // What an end replaces that is dated before it.
  for (const one of byDate.values())
    if (one.live && one.other && one.other.at <= one.live.at) delete one.live;
  return ordered(withoutOutlived([...now(), ...inferred]));
}

const NO_DATE = 'no date';

/** The first day of the undated live rows, which are one change. */
function undatedSinceOf(statements: readonly OfAppointment[]): string {
  const days = statements.flatMap(({ day, rows }) =>
    rows.filter((row) => kindOf(row) === 'live' && dateOf(row) === null).map(() => day),
  );
  return days.reduce((one, other) => (one < other ? one : other), NO_END);
}

function changeOf(row: Stated, at: string, { order, isList }: Statement): Change {
  return {
    at,
    kind: kindOf(row),
    renewalDate: written(row.renewalDate) ?? NO_END,
    effectiveDate: written(row.effectiveDate),
    order,
    isList,
    isUndated: written(row.statusChangeDate) === null,
    isForCause: isEnd(kindOf(row)) && saysForCause(row.terminationReason),
  };
}

/** Without undated live rows of imports where a dated end says that it is over. */
function withoutOutlived(changes: readonly Change[]): Change[] {
  const isOver = (change: Change) =>
    changes.some((one) => isEnd(one.kind) && !one.isUndated && one.at <= change.at);
  const isOutlived = (change: Change) =>
    change.kind === 'live' &&
    change.isUndated &&
    !changes.some((one) => one.kind === 'live' && one.isUndated && one.isList) &&
    isOver(change);
  return changes.filter((change) => !isOutlived(change));
}

const ordered = (changes: readonly Change[]): Change[] =>
  changes.toSorted(
    (one, other) =>
      (one.at === other.at ? 0 : one.at < other.at ? -1 : 1) ||
      one.order - other.order ||
      Number(one.kind === 'live') - Number(other.kind === 'live'),
  );

const lastOn = (changes: readonly Change[], day: string): Change | undefined =>
  ordered(changes).findLast(({ at }) => at <= day);

function stateOn(timeline: readonly Change[], day: string): ReturnType<NaiveAppointment['on']> {
  const last = lastOn(timeline, day);
  if (last?.kind === 'live' && day <= last.renewalDate) return { is: 'covering' };
  for (const live of timeline.filter(({ kind }) => kind === 'live')) {
    const from = live.effectiveDate;
    if (from === null || day < from || live.at <= day || day > live.renewalDate) continue;
    const ended = timeline.some(({ kind, at }) => kind !== 'live' && from <= at && at <= day);
    if (!ended) return { is: 'covering' };
  }
  if (last?.kind === 'unrecognized') return { is: 'unknown', code: 'status_unrecognized' };
  const undated = timeline.some(
    ({ kind, isUndated, at, renewalDate }) => kind === 'live' && isUndated && day < at && day <= renewalDate,
  );
  const [first] = timeline;
  const before = first !== undefined && isEnd(first.kind) && day < first.at && day <= first.renewalDate;
  return undated || before ? { is: 'unknown', code: 'appointment_unknown' } : { is: 'not' };
}

/** Whether a live change was in force on some day before one. */
function coveredBefore(timeline: readonly Change[], day: string): boolean {
  const days = timeline.flatMap(({ at, effectiveDate, renewalDate }) => [
    at,
    effectiveDate ?? at,
    renewalDate,
  ]);
  return [...days].some((one) => one < day && one !== SINCE_EVER && stateOn(timeline, one).is === 'covering');
}
