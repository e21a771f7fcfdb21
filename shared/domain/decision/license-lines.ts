import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { type Days, never, withoutGaps, writtenDate } from './dates.ts';
import { comparableCode, comparableLineName, type LicenseRow, type LineRow, rowsOf } from './facts.ts';
import { interruptionsOf, type Period, type Saying, saidBy, type Version } from './license-history.ts';
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

/** The lines of a period, and those whose status is not recognized, from which day on. */
export interface LinesOfPeriod {
  readonly hasLines: boolean;
  readonly lines: ReadonlyMap<string, readonly LineDays[]>;
  readonly unrecognized: readonly (readonly [string, CalendarDate])[];
}

/**
 * Reads the lines of a term, period by period in their order: an import without lines says nothing of them, so that those that were
 * stated before stay.
 */
export function linesOfPeriods<Row extends LicenseRow>(
  periods: readonly Period<Row>[],
  codesOf: CodesOf,
): LinesOfPeriod[] {
  const begun = new Map<string, Pick<LineHistory, 'begins' | 'datedFrom'>>();
  let speaking: Version<Row>[] = [];
  return periods.map(({ from, versions }) => {
    const own = versions.filter(({ isOfLines }) => isOfLines);
    speaking = versions[0].isOfLines ? own : [...speaking, ...own];
    const histories = new Map<string, LineHistory>();
    for (const version of speaking) {
      const { kind, day, lines } = version;
      const stated = groupBy(
        lines.flatMap((line) => codesOf(line).map((code) => ({ code, line }))),
        ({ code }) => code,
      );
      // A live license shows all of its lines; one that is not live may show none, and says nothing of the others.
      for (const [code, { said }] of kind === 'live' ? histories : []) {
        if (!stated.has(code)) said.push({ kind: 'ended', day, statusDate: null });
      }
      for (const [code, ones] of stated) {
        const live = ones.filter(({ line }) => isLive(line));
        const known = begun.get(code);
        const history = histories.get(code) ?? {
          said: [],
          begins: known?.begins ?? never,
          datedFrom: known?.datedFrom ?? never,
          isSeenLive: false,
        };
        histories.set(code, history);
        const counting = (live.length === 0 ? ones : live).map(({ line }) => line);
        history.said.push(saidBy(counting, day));
        history.isSeenLive ||= live.length > 0;
        for (const { issueDate } of counting) {
          if (issueDate === null && live.length === 0) continue;
          const known = issueDate === null ? day : writtenDate(issueDate);
          const begins = issueDate === null && version === speaking[0] ? from : known;
          if (begins < history.begins) history.begins = begins;
          if (known < history.datedFrom) history.datedFrom = known;
        }
      }
    }
    for (const [code, { begins, datedFrom }] of histories) begun.set(code, { begins, datedFrom });
    return {
      hasLines: histories.size > 0,
      lines: new Map(Array.from(histories, ([code, history]) => [code, lineDaysOf(history)])),
      unrecognized: Array.from(histories, ([code, { said }]) => {
        const { unrecognizedFrom } = interruptionsOf(said);
        return unrecognizedFrom === undefined ? [] : [[code, unrecognizedFrom] as const];
      }).flat(),
    };
  });
}

function lineDaysOf({ said, begins, datedFrom, isSeenLive }: LineHistory): LineDays[] {
  if (!isSeenLive && !isDatedEnd(said.at(-1))) return [];
  const undatedBefore = datedFrom > begins ? datedFrom : null;
  return withoutGaps({ from: begins, until: never }, interruptionsOf(said).gaps).map((days) => ({
    ...days,
    undatedBefore,
  }));
}

/** Whether what is not in force, and was never seen so, was in force until a day that it names. */
export const isDatedEnd = (last: Saying | undefined): boolean =>
  last !== undefined && last.statusDate !== null && last.kind !== 'pending' && last.kind !== 'unrecognized';

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
