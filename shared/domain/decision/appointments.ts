import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { addDays, type CalendarDate } from '../../platform/dates/calendar.ts';
import { type ChangeFacts, changeFacts, type Statement, statementsOf } from './appointment-statements.ts';
import { type AppointmentSpan, entriesOf, type LiveBefore, spansOf } from './appointment-timeline.ts';
import { companiesOf } from './companies.ts';
import { always, type Days, dayBefore, knownOn, never, withoutGaps } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  comparableLineName,
  daysOfAbsence,
  type Fact,
  isPresentAt,
  lineKey,
  recordedFromOf,
  rowsOf,
} from './facts.ts';

/** An appointment: whose it is, for which line, and when it is in force. */
export interface AppointmentCoverage<Row extends AppointmentRow> {
  /** The company's code; null where none of its rows that are known has one. */
  readonly companyCode: string | null;
  /** The line's code; null with a name where only the name is known, null without one where it covers all lines. */
  readonly lineCode: string | null;
  readonly lineName: string | null;
  readonly spans: readonly AppointmentSpan<Row>[];
  /** The day from which it is known. */
  readonly recordedFrom: CalendarDate;
  /** It is reported as ended on an unknown day and was never seen live, so that it covers no day. */
  readonly isNeverSeenLive: boolean;
}

/** The status changes of an appointment by date, with their statements. */
type Changes<Row extends AppointmentRow> = ReadonlyMap<
  CalendarDate,
  { readonly facts: readonly ChangeFacts<Row>[]; readonly statements: readonly Statement<Row>[] }
>;

/** What complete lists left of an appointment. */
interface Remainder<Row> {
  /** The statements of its status changes by date, without those that never were. */
  readonly changes: ReadonlyMap<CalendarDate, readonly Statement<Row>[]>;
  /** Lists that did not name it at all: until it is back, nothing covers, and what is not stated again does not later. */
  readonly omissions: readonly { readonly commandAt: string; readonly gap: Days }[];
}

/**
 * What is left of an appointment by the lists that were complete, one after the other: what one took back, the next one no
 * longer finds (OpenAPI, "How compliance is decided").
 */
function remainderOf<Row extends AppointmentRow>(
  changes: Changes<Row>,
  closings: readonly Closing[],
  liveBefore: LiveBefore<Row>,
): Remainder<Row> {
  const left = new Map(Array.from(changes, ([date, { statements }]) => [date, statements]));
  const facts = [...changes.values()].flatMap((one) => one.facts);
  const omissions: { commandAt: string; gap: Days }[] = [];
  if (!facts.some(({ isLeftOut }) => isLeftOut)) return { changes: left, omissions };
  const stated = facts
    .flatMap((one) => one.presence.flatMap(({ commandAt, isPresent }) => (isPresent ? [commandAt] : [])))
    .sort(compare);
  for (const { commandAt } of closings) {
    const isListed = (date: CalendarDate): boolean =>
      changes.get(date)?.facts.some((one) => isPresentAt(one, commandAt)) === true;
    const listed = [...left].filter(([date]) => isListed(date));
    if (listed.length > 0) {
      const [after = always] = listed
        .flatMap(([date, statements]) => {
          const until = statements.filter((one) => one.commandAt <= commandAt);
          // Of an end and the live row that it replaced, the end is listed.
          return entriesOf(date, until, liveBefore).at(-1)?.at ?? [];
        })
        .sort(compare);
      for (const [date, statements] of left) {
        if (!isListed(date)) left.set(date, withdrawn(date, statements, { commandAt, after }, liveBefore));
      }
    } else if (stated.some((at) => at <= commandAt)) {
      const day = knownOn(commandAt);
      const back = stated.find((at) => at > commandAt);
      const backOn = back === undefined ? never : knownOn(back);
      if (backOn > addDays(day, daysOfAbsence)) {
        omissions.push({
          commandAt,
          gap: { from: day, until: back === undefined ? never : dayBefore(backOn) },
        });
      }
    }
  }
  return { changes: left, omissions };
}

/** The statements of a change that a list without it leaves: those of later commands, and what stands up to a day. */
function withdrawn<Row extends AppointmentRow>(
  date: CalendarDate,
  statements: readonly Statement<Row>[],
  { commandAt, after }: { readonly commandAt: string; readonly after: CalendarDate },
  liveBefore: LiveBefore<Row>,
): readonly Statement<Row>[] {
  const until = statements.filter((one) => one.commandAt <= commandAt);
  const entries = entriesOf(date, until, liveBefore);
  const staying = entries.filter(({ at }) => at <= after);
  if (staying.length === entries.length) return statements;
  const lastLive = until.findLastIndex(({ isLive }) => isLive);
  const kept = staying.some(({ isLive }) => isLive) ? until.slice(0, lastLive + 1) : [];
  return [...kept, ...statements.filter((one) => one.commandAt > commandAt)];
}

function appointmentOf<Row extends AppointmentRow>(
  companyCode: string | null,
  facts: readonly ChangeFacts<Row>[],
  closings: readonly Closing[],
): AppointmentCoverage<Row> | undefined {
  const changes: Changes<Row> = new Map(
    Array.from(
      groupBy(facts, ({ date }) => date),
      ([date, ofDate]) => [date, { facts: ofDate, statements: statementsOf(ofDate, closings) }],
    ),
  );
  // By date, and so in a fixed order: those of one command may have been stated in any.
  const all = [...changes]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([, { statements }]) => statements);
  const row = all[0]?.rows[0];
  if (row === undefined) return undefined;
  const live = all
    .filter(({ isLive }) => isLive)
    .sort((one, other) => compare(one.commandAt, other.commandAt));
  const liveBefore: LiveBefore<Row> = (commandAt) => live.findLast((one) => one.commandAt < commandAt);
  const left = remainderOf(changes, closings, liveBefore);
  const entries = Array.from(left.changes, ([date, statements]) =>
    entriesOf(date, statements, liveBefore),
  ).flat();
  const spans = spansOf(entries).flatMap(({ commandAt, row: covering, ...days }) =>
    withoutGaps(
      days,
      left.omissions.map((one) => (commandAt > one.commandAt ? one.gap : { ...one.gap, until: never })),
    ).map((span) => ({ ...span, row: covering })),
  );
  const code = row.lineOfAuthorityCode?.trim() ?? '';
  return {
    companyCode,
    lineCode: code === '' ? null : code,
    lineName: comparableLineName(row.lineOfAuthorityName) || null,
    spans,
    recordedFrom: recordedFromOf(facts.flatMap((one) => one.facts)),
    isNeverSeenLive: entries.every(({ at, isLive }) => at === always && !isLive),
  };
}

/**
 * A holder's appointments in a state, from what is known of them (OpenAPI, "How compliance is decided").
 * @param facts of one state, in the order of their commands.
 * @param closings of its lists of appointments, in that order.
 */
export function appointmentsOf<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
): AppointmentCoverage<Row>[] {
  const changes = Array.from(groupBy(facts, ({ key }) => key).values(), changeFacts).filter(
    (one) => one !== undefined,
  );
  const companyOf = companiesOf(changes.flatMap((change) => rowsOf(change.facts)));
  const known = changes.map((change) => {
    const [key, companyCode] = companyOf(change.row);
    return { change, companyCode, key: `${key}#${lineKey(change.row)}#${change.row.countyName ?? ''}` };
  });
  return Array.from(groupBy(known, ({ key }) => key).values()).flatMap((ofAppointment) => {
    const [first] = ofAppointment;
    if (first === undefined) return [];
    return (
      appointmentOf(
        first.companyCode,
        ofAppointment.map(({ change }) => change),
        closings,
      ) ?? []
    );
  });
}
