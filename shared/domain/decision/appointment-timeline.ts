import { compare } from '../../platform/data/compare.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { Statement } from './appointment-statements.ts';
import { always, type Days, dayBefore, never } from './dates.ts';
import type { AppointmentRow } from './facts.ts';

/** Days on which an appointment is in force, by the same row. */
export interface AppointmentSpan<Row> extends Days {
  readonly row: Row;
}

/** One whose row a command stated. */
export interface StatedSpan<Row> extends AppointmentSpan<Row> {
  readonly commandAt: string;
}

/** A change on the timeline of an appointment. */
export interface Entry<Row> {
  readonly at: CalendarDate;
  readonly commandAt: string;
  /** The last command that said so. */
  readonly namedAt: string;
  readonly isLive: boolean;
  /** The last day that it allows: of a live row, or of what is inferred before an end. */
  readonly renewal: CalendarDate;
  /** Of rows that say the same of when it is in force, all. */
  readonly rows: readonly Row[];
}

export type LiveBefore<Row> = (commandAt: string) => Statement<Row> | undefined;

/** Where a status change stands on the timeline: its date, or the one that is inferred for an end without one of its own. */
export function entriesOf<Row extends AppointmentRow>(
  date: CalendarDate,
  statements: readonly Statement<Row>[],
  liveBefore: LiveBefore<Row>,
): Entry<Row>[] {
  const last = statements.at(-1);
  if (last === undefined) return [];
  const { commandAt, namedAt, rows, renewal } = last;
  if (last.isLive) return [{ at: date, commandAt, namedAt, isLive: true, renewal, rows }];
  const lastLive = statements.findLastIndex(({ isLive }) => isLive);
  const replaced = statements[lastLive];
  const ended = statements[lastLive + 1] ?? last;
  const before = replaced ?? liveBefore(ended.commandAt);
  // What is inferred before an end ends where the last live row did, unless the end names a day.
  const until = renewal === never && before !== undefined ? before.renewal : renewal;
  const end = { commandAt, namedAt, isLive: false, renewal: until, rows };
  if (date !== always && replaced === undefined) return [{ ...end, at: date }];
  const stated = replaced === undefined ? renewal : until;
  const inferred = stated < ended.day ? stated : before === undefined ? always : ended.day;
  const inferredEnd = { ...end, at: inferred < date ? date : inferred };
  if (replaced === undefined) return [inferredEnd];
  return [{ ...replaced, at: date }, inferredEnd];
}

/** The days that the entries of a timeline cover. */
export function spansOf<Row>(entries: readonly Entry<Row>[]): StatedSpan<Row>[] {
  const sorted = entries.toSorted(
    (one, other) =>
      compare(one.at, other.at) ||
      compare(one.namedAt, other.namedAt) ||
      Number(one.isLive) - Number(other.isLive),
  );
  const spans = sorted.map(({ at, commandAt, isLive, renewal, rows }, index) => {
    if (!isLive) {
      // Where nothing earlier is known, it was in force before its end.
      const isFirst =
        at !== always &&
        sorted[index + 1]?.at !== at &&
        sorted.every((one) => one.at > at || (one.at === at && !one.isLive));
      const until = isFirst ? dayBefore(at) : always;
      return { from: always, until: renewal < until ? renewal : until, commandAt, rows, isCovered: isFirst };
    }
    const next = sorted[index + 1];
    const until = next === undefined ? never : dayBefore(next.at);
    const covered = { commandAt, rows, isCovered: next?.at !== at };
    return { from: at, until: renewal < until ? renewal : until, ...covered };
  });
  return spans
    .filter(({ from, until, isCovered }) => isCovered && from <= until)
    .flatMap(({ from, until, commandAt, rows }) => rows.map((row) => ({ from, until, commandAt, row })));
}
