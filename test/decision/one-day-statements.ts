import type { DatedRow, Statement } from '#domain/decision/statements.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { isSame, keyOf, type Reach } from './one-day-things.ts';

export const never = '9999-12-31';
export const earliest = (...dates: readonly CalendarDate[]): CalendarDate =>
  dates.reduce((a, b) => (a < b ? a : b), never);
export const latest = (...dates: readonly (CalendarDate | null | undefined)[]): CalendarDate =>
  dates.reduce<CalendarDate>((a, b) => (b != null && b > a ? b : a), '');
export const isEnd = ({ status }: DatedRow): boolean => status !== 'live' && status !== 'pending';

export interface Said extends Statement {
  /** Whether what it does not state live is left out; of lines, also in some partial statements (rule 11). */
  readonly leavesOut: boolean;
}

/** A row that counts on days from one to another, with the beginning that it has or is known to have. */
export interface Counted {
  readonly row: DatedRow;
  readonly reach: Reach;
  /** Empty where nobody knows it. */
  readonly begin: CalendarDate;
  readonly from: CalendarDate;
  readonly until: CalendarDate;
  /** Of an end: since when it is so, the day that it ends something, which is that of its statement where it ends what began then (3). */
  readonly since: CalendarDate;
  readonly day: CalendarDate;
  /** Of an end: the beginning of what it ends. */
  readonly own: CalendarDate | null;
}

/** What a statement says of a thing. */
export interface Page {
  readonly said: Said;
  readonly live: readonly Counted[];
  readonly ends: readonly Counted[];
  /** Days on which beginnings first became known, by earlier statements. */
  readonly firstKnown: ReadonlyMap<CalendarDate, CalendarDate>;
  /** Whether an earlier statement has it live without a beginning. */
  readonly wasNamed: boolean;
  /** Whether no earlier statement has it live. */
  readonly isNew: boolean;
}

/** Without the rows that an import took back later, of what was recorded before; in the order in which they count. */
export function counting(statements: readonly Said[]): Said[] {
  const isTakenBack = (row: DatedRow, said: Said): boolean =>
    statements.some(({ recordedAt, rows }) =>
      rows.some(
        (other) =>
          other.isDeleted === true &&
          said.recordedAt < recordedAt &&
          isSame(row.identity, other.identity) &&
          row.status === other.status &&
          row.begins === other.begins &&
          // What is not live is told by its other dates too.
          (row.status === 'live' || (row.since === other.since && row.ends === other.ends)),
      ),
    );
  const orderOf = ({ at, recordedAt, id }: Said): string => `${at} ${recordedAt} ${id}`;
  return statements
    .map((said) => ({ ...said, rows: said.rows.filter((row) => !row.isDeleted && !isTakenBack(row, said)) }))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** A history of one thing. @param reachOf what a row is to it. */
export function pagesOf(statements: readonly Said[], reachOf: (row: DatedRow) => Reach | undefined): Page[] {
  let known: CalendarDate = '';
  let firstKnown = new Map<CalendarDate, CalendarDate>();
  let firstSaid = new Map<string, CalendarDate>();
  const wasLive = new Set<CalendarDate>();
  return statements.map((said): Page => {
    const named = said.rows.flatMap((row) => {
      const reach = row.status === 'pending' ? undefined : reachOf(row);
      return reach === undefined ? [] : { row, reach };
    });
    const own = named.flatMap(({ row, reach }) => (reach === 'own' ? [row] : []));
    const sinces = own.flatMap(({ since }) => (since === null ? [] : [since])).sort();
    const isLive = own.some((row) => !isEnd(row));
    const beginningOf = (rows: readonly DatedRow[]): CalendarDate =>
      latest(...rows.map(({ begins }) => begins));
    known = beginningOf(own.filter((row) => !isEnd(row))) || known || beginningOf(own);
    const saidNow = new Map<string, CalendarDate>();
    const counted = named
      .filter(({ reach }) => reach === 'own' || !isLive)
      .map(({ row, reach }): Counted => {
        const { begins, since, ends, notBefore } = row;
        // Each counts until the next one's date, where all have one (rule 8).
        const isOneOfSeveral = reach === 'own' && since !== null && sinces.length === own.length;
        const from = isOneOfSeveral && since !== sinces[0] ? since : '';
        const until = isOneOfSeveral ? (sinces.find((next) => next > since) ?? never) : never;
        if (!isEnd(row)) {
          const begin = begins ?? (known < ends ? known : '');
          const start = latest(begin, from, notBefore);
          return {
            row,
            reach,
            begin,
            from: start,
            until: earliest(until, ends),
            since: '',
            day: '',
            own: null,
          };
        }
        const key = JSON.stringify(row.identity);
        const first = firstSaid.get(key) ?? said.knownOn;
        const isOnBeginning = since !== null && wasLive.has(since) && (begins ?? since) === since;
        if (since === null || isOnBeginning) saidNow.set(key, first);
        return {
          row,
          reach,
          begin: begins ?? '',
          from,
          until,
          since: earliest(since ?? first, ends),
          day: earliest(isOnBeginning ? first : (since ?? first), ends),
          own: isOnBeginning ? since : begins,
        };
      });
    const orderOf = ({ row, begin, reach }: Counted): string =>
      isEnd(row)
        ? `${row.since ?? said.knownOn} ${row.begins ?? never} ${row.ends} ${row.status} ${row.since} ${reach} ${keyOf(row.identity)}`
        : `${begin} ${row.ends} ${row.since}`;
    const inOrder = counted.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const page = {
      said,
      live: inOrder.filter(({ row }) => !isEnd(row)),
      ends: inOrder.filter(({ row }) => isEnd(row)),
      firstKnown,
      wasNamed: wasLive.has(''),
      isNew: wasLive.size === 0,
    };
    firstSaid = isLive ? saidNow : new Map([...firstSaid, ...saidNow]);
    firstKnown = new Map([
      ...own.flatMap(({ begins }) => (begins === null ? [] : [[begins, said.knownOn] as const])),
      ...firstKnown,
    ]);
    for (const { begin } of page.live) wasLive.add(begin);
    return page;
  });
}

/** What is said of the lines of a license (rule 11). */
export function linesOf(pages: readonly Page[]): Said[] {
  const naming = pages.filter(({ live, ends }) => [...live, ...ends].some(({ reach }) => reach === 'own'));
  return naming.flatMap(({ said, live, ends }, index) => {
    const carriers = live.length > 0 ? live : ends.filter(({ reach }) => reach === 'own');
    const rows = carriers.flatMap(({ row, begin, from, until }) => {
      const end = row.status === 'unrecognized' ? never : (row.since ?? said.knownOn);
      const last = isEnd(row) ? earliest(end, row.ends) : until;
      return (row.lines ?? []).map((line) => ({
        ...line,
        begins: line.begins ?? ((index === 0 && begin) || null),
        notBefore: isEnd(row) ? begin : from,
        ends: earliest(line.ends, last),
      }));
    });
    const isSilent = rows.length === 0 && !said.isComplete;
    return isSilent ? [] : [{ ...said, rows, leavesOut: live.length > 0 }];
  });
}
