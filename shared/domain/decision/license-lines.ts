import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type Days, never, withoutGaps, writtenDate } from './dates.ts';
import { comparableCode, comparableLineName, type LicenseRow, type LineRow, rowsOf } from './facts.ts';
import {
  interruptionsOf,
  noInterruptions,
  type Period,
  type Saying,
  saidBy,
  type Version,
  withLaterOnes,
} from './license-history.ts';
import { isLive, type KeyFacts } from './license-identity.ts';

/** Days on which a line of authority counts. */
export interface LineDays extends Days {
  /** For days before this one, it is not known whether the line had begun; null where its date is known. */
  readonly undatedBefore: CalendarDate | null;
}

export type CodesOf = (line: Pick<LineRow, 'code' | 'name'>) => readonly string[];

/** What was said of a line of authority. */
interface LineHistory {
  readonly said: Saying[];
  /** The first day that any version gave it, and the first of which that is known to be right. */
  begins: CalendarDate;
  datedFrom: CalendarDate;
  isSeenLive: boolean;
}

/** The lines of a period, and the days on which the status of one is not recognized. */
export interface LinesOfPeriod {
  readonly hasLines: boolean;
  readonly lines: ReadonlyMap<string, readonly LineDays[]>;
  readonly unrecognized: readonly (readonly [string, readonly Days[]])[];
}

/**
 * Reads the lines of a term, period by period in their order: an import without lines says nothing of them, so that those that were
 * stated before stay.
 */
export function linesOfPeriods<Row extends LicenseRow>(
  periods: readonly Period<Row>[],
  codesOf: CodesOf,
): LinesOfPeriod[] {
  const begun = new Map<string, LineHistory>();
  let speaking: Version<Row>[] = [];
  const ofPeriods = periods.map(({ from, versions }) => {
    const own = versions.filter(({ isOfLines }) => isOfLines);
    speaking = versions[0].isOfLines ? own : [...speaking, ...own];
    const histories = new Map<string, LineHistory>();
    for (const [index, { kind, day, lines }] of speaking.entries()) {
      // What is known before it speaks does not count before.
      const since = day > from ? day : from;
      const last = speaking[index - 1];
      if (last !== undefined && (kind !== 'live' || last.kind === kind) && isSame(lines, last.lines))
        continue;
      const stated = new Map<string, LineRow[]>();
      for (const line of lines) {
        for (const code of codesOf(line)) {
          const ofCode = stated.get(code);
          if (ofCode === undefined) stated.set(code, [line]);
          else ofCode.push(line);
        }
      }
      // A live license shows all of its lines; one that is not live may show none, and says nothing of the others.
      if (kind === 'live') {
        for (const [code, { said }] of histories) {
          if (!stated.has(code)) said.push({ kind: 'ended', day: since, statusDate: null });
        }
      }
      for (const [code, rows] of stated) {
        const live = rows.filter(isLive);
        const before = begun.get(code);
        const history = histories.get(code) ?? {
          said: [],
          begins: before?.begins ?? never,
          datedFrom: before?.datedFrom ?? never,
          isSeenLive: false,
        };
        histories.set(code, history);
        history.said.push(saidBy(live.length === 0 ? rows : live, since));
        history.isSeenLive ||= live.length > 0;
        for (const { issueDate } of live.length === 0 ? rows : live) {
          if (issueDate === null && live.length === 0) continue;
          const known = issueDate === null ? day : writtenDate(issueDate);
          const begins = issueDate === null && index === 0 ? from : known;
          if (begins < history.begins) history.begins = begins;
          if (known < history.datedFrom) history.datedFrom = known;
        }
      }
    }
    for (const [code, history] of histories) begun.set(code, history);
    return { from, histories };
  });
  return ofPeriods.map(({ histories }, index) => {
    const lines = new Map<string, readonly LineDays[]>();
    const unrecognized: [string, readonly Days[]][] = [];
    for (const [code, history] of histories) {
      const said = ofPeriods.slice(index).flatMap(({ from, histories: ofPeriod }) => {
        const one = ofPeriod.get(code);
        return one === undefined ? [] : { from, ...interruptionsOf(one.said) };
      });
      const [{ gaps, doubts } = noInterruptions] = withLaterOnes(said);
      lines.set(code, lineDaysOf(history, [...gaps, ...doubts]));
      if (doubts.length > 0) unrecognized.push([code, doubts.flatMap((one) => withoutGaps(one, gaps))]);
    }
    return { hasLines: histories.size > 0, lines, unrecognized };
  });
}

/** Whether two versions say the same of lines, as most do. */
const isSame = (lines: readonly LineRow[], others: readonly LineRow[]): boolean =>
  lines.length === others.length &&
  lines.every((line, index) => {
    const other = others[index];
    return (
      line.code === other?.code &&
      line.name === other.name &&
      line.status === other.status &&
      line.issueDate === other.issueDate &&
      line.statusDate === other.statusDate
    );
  });

function lineDaysOf({ said, begins, datedFrom, isSeenLive }: LineHistory, gaps: readonly Days[]): LineDays[] {
  if (!isSeenLive && !isDatedEnd(said)) return [];
  const undatedBefore = datedFrom > begins ? datedFrom : null;
  return withoutGaps({ from: begins, until: never }, gaps).map(({ from, until }) => ({
    from,
    until,
    undatedBefore,
  }));
}

/** Whether what was never seen in force was so until a day that is named. */
export const isDatedEnd = (said: readonly Saying[]): boolean =>
  !['pending', 'unrecognized'].includes(said.at(-1)?.kind ?? '') &&
  said.some(({ statusDate }) => statusDate !== null);

/** By the comparable name of a line of authority, the codes that any version of a license gives it. */
export function codesOfLines<Row extends LicenseRow>(
  keys: readonly KeyFacts<Row>[],
): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const { facts } of keys) {
    for (const { code, name } of rowsOf(facts).flatMap((row) => row.linesOfAuthority)) {
      const [line, own] = [comparableLineName(name), comparableCode(code)];
      if (own !== '') codes.set(line, (codes.get(line) ?? new Set()).add(own));
    }
  }
  return codes;
}
