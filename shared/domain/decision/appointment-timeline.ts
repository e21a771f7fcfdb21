import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { isForCause, type StatusKind, statusKindOf } from '../registry/words.ts';
import {
  always,
  type Days,
  dayAfter,
  dayBefore,
  earlierOf,
  knownOn,
  laterOf,
  never,
  withoutGaps,
  writtenDate,
} from './dates.ts';
import { type AppointmentRow, daysOfAbsence, inFixedOrder } from './facts.ts';

/** What a status change says. */
type ChangeKind = 'live' | 'end' | 'unrecognized' | 'pending';

const kindOfStatus: Readonly<Record<StatusKind, ChangeKind>> = {
  live: 'live',
  ended: 'end',
  lapsed: 'end',
  inactive: 'end',
  unrecognized: 'unrecognized',
  pending: 'pending',
};

export const kindOf = ({
  status,
  terminationReason,
}: Pick<AppointmentRow, 'status' | 'terminationReason'>): ChangeKind =>
  kindOfStatus[statusKindOf(status, 'appointment', terminationReason)];

/** Of what one command says of one day, the first of these counts. */
const strongestFirst: readonly ChangeKind[] = ['live', 'end', 'unrecognized', 'pending'];

/** What a command says of an appointment. */
export interface Statement<Row> {
  readonly commandAt: string;
  /** A list: what it leaves out has ended. */
  readonly isList: boolean;
  /** By the date of the status change, `always` for one without a date; empty where a list does not name the appointment. */
  readonly rows: ReadonlyMap<CalendarDate, readonly Row[]>;
}

/** A status change on the timeline of an appointment. */
interface Change<Row> {
  readonly kind: ChangeKind;
  /** The day on which it stands: its date, else one that is inferred. */
  readonly at: CalendarDate;
  readonly isDated: boolean;
  /** The day on which it became known. */
  readonly known: CalendarDate;
  /** The last day that it allows: of a live one, or before an end. */
  readonly renewal: CalendarDate;
  /** Those that allow it. */
  readonly rows: readonly Row[];
  readonly isForCause: boolean;
  /** An end of unknown date of what was not known as live: no day before it became known is covered. */
  readonly isVoid: boolean;
  /** Which statement named it last, and which list; -1 if none did. */
  readonly order: number;
  readonly listOrder: number;
  /** Days on which lists left out the appointment; without an end until it is stated again. */
  readonly gaps: readonly Days[];
}

/** The changes of one date: an end may leave the live one that it replaced where it was, and stand later itself. */
interface Dated<Row> {
  readonly live?: Change<Row> | undefined;
  readonly other?: Change<Row> | undefined;
}

/** Where the live one that an end replaced stands later, the end stands there too: it gives no day to what was stated before. */
const changesOf = <Row>({ live, other }: Dated<Row>): Change<Row>[] =>
  [live && other && other.at < live.at ? { ...other, at: live.at } : live, other].filter(
    (one) => one !== undefined,
  );

const renewalOf = ({ renewalDate }: AppointmentRow): CalendarDate =>
  renewalDate === null ? never : writtenDate(renewalDate);

/** A statement among those of an appointment. */
interface Place {
  readonly date: CalendarDate;
  readonly day: CalendarDate;
  readonly order: number;
  readonly isList: boolean;
  /** The first day on which a live row was known. */
  readonly seenLiveOn: CalendarDate;
}

/** The changes of one date after one more statement of them. */
function stated<Row extends AppointmentRow>(
  before: Dated<Row>,
  rows: readonly Row[],
  { date, day, order, isList, seenLiveOn }: Place,
): Dated<Row> {
  const kinds = rows.map(kindOf);
  const kind = strongestFirst.find((one) => kinds.includes(one)) ?? 'pending';
  const ofKind = rows.filter((_, index) => kinds[index] === kind);
  const renewals = ofKind.map(renewalOf).sort(compare);
  const ownRenewal = renewals.at(kind === 'live' ? -1 : 0) ?? never;
  // An end without a renewal date keeps that of the live row that it replaces.
  const renewal = kind === 'end' && ownRenewal === never ? (before.live?.renewal ?? never) : ownRenewal;
  const said = kind === 'live' ? before.live : before.other;
  const known = said?.known ?? day;
  const isUndated = date === always;
  const isReplacing = kind === 'end' && before.live !== undefined;
  const inferred = kind === 'end' ? earlierOf(renewal, known) : known;
  const change: Change<Row> = {
    kind,
    at: (isUndated || isReplacing) && inferred > date ? inferred : date,
    isDated: kind === 'live' ? ofKind.some((row) => row.statusChangeDate !== null) : !isUndated,
    known,
    renewal,
    rows: inFixedOrder(ofKind.filter((row) => renewalOf(row) === ownRenewal)),
    isForCause:
      kind === 'end' && ofKind.some((row) => isForCause(row.terminationReason) || isForCause(row.status)),
    isVoid: kind === 'end' && isUndated && !isReplacing && known <= earlierOf(renewal, seenLiveOn),
    order,
    listOrder: isList ? order : (said?.listOrder ?? -1),
    gaps: (said?.gaps ?? []).flatMap((gap) => {
      if (gap.until !== never) return [gap];
      return day > addDays(gap.from, daysOfAbsence) ? [{ from: gap.from, until: dayBefore(day) }] : [];
    }),
  };
  if (kind === 'live') return { live: change };
  return isReplacing ? { live: before.live, other: change } : { other: change };
}

/** What a list that does not name a change leaves of it. */
function leftBy<Row>(
  change: Change<Row> | undefined,
  { earliest, day }: { readonly earliest: CalendarDate | undefined; readonly day: CalendarDate },
): Change<Row> | undefined {
  if (change === undefined || change.at > (earliest ?? day)) return undefined;
  const isLeftOut = change.gaps.at(-1)?.until === never;
  return earliest !== undefined || change.kind !== 'live' || isLeftOut
    ? change
    : { ...change, gaps: [...change.gaps, { from: day, until: never }] };
}

/** The status changes that the statements about an appointment leave, one after the other, in the order in which they stand. */
function timelineOf<Row extends AppointmentRow>(statements: readonly Statement<Row>[]): Change<Row>[] {
  const dates = new Map<CalendarDate, Dated<Row>>();
  let seenLiveOn = never;
  for (const [order, { commandAt, isList, rows }] of statements.entries()) {
    const day = knownOn(commandAt);
    for (const [date, ofDate] of rows)
      dates.set(date, stated(dates.get(date) ?? {}, ofDate, { date, day, order, isList, seenLiveOn }));
    if ([...dates.values()].some(({ live }) => live?.order === order))
      seenLiveOn = earlierOf(day, seenLiveOn);
    if (!isList) continue;
    const [earliest] = Array.from(
      rows.keys(),
      (date) => changesOf(dates.get(date) ?? {}).at(-1)?.at ?? never,
    ).sort(compare);
    for (const [date, { live, other }] of dates)
      if (!rows.has(date))
        dates.set(date, { live: leftBy(live, { earliest, day }), other: leftBy(other, { earliest, day }) });
  }
  const changes = [...dates.values()].flatMap(changesOf);
  // Of one day, the one that was named last counts, and of those that one command named, the live one.
  const rank = ({ kind }: Change<Row>): number => -strongestFirst.indexOf(kind);
  return changes
    .flatMap((one) => {
      const end = endOf(one, changes);
      if (end === undefined) return [one];
      // Past its days, it would give none to what was stated before, nor does its end.
      return one.renewal === never ? [] : [{ ...end, at: dayAfter(laterOf(one.renewal, dayBefore(one.at))) }];
    })
    .sort((one, other) => compare(one.at, other.at) || one.order - other.order || rank(one) - rank(other));
}

/** The dated end that ends a live change without a date, unless a list has named this one since without the end. */
const endOf = <Row>(change: Change<Row>, changes: readonly Change<Row>[]): Change<Row> | undefined =>
  change.kind === 'live' && !change.isDated
    ? changes.find(
        ({ kind, isDated, at, order }) =>
          kind === 'end' && isDated && at <= change.at && order >= change.listOrder,
      )
    : undefined;

/** When an appointment is in force, and on which days it is not known whether it is. */
export interface AppointmentDays<Row> {
  /** Each with the row by which it is in force. */
  readonly spans: readonly (Days & { readonly row: Row })[];
  /** Days on which it might be in force, unless it is known to be. */
  readonly unknown: readonly (Days & {
    readonly code: 'appointment_unknown' | 'status_unrecognized';
    readonly row: Row;
  })[];
  /** The status changes that count, each from a day on, the last of those of a day at the end. */
  readonly changes: readonly {
    readonly from: CalendarDate;
    readonly row: Row;
    readonly isForCause: boolean;
  }[];
}

/** The days that a live change covers, up to the next change; those before it up to one on which the appointment ended. */
function coveredBy<Row extends AppointmentRow>(
  { at, renewal, rows }: Change<Row>,
  last: CalendarDate,
  ends: readonly CalendarDate[],
): (Days & { readonly row: Row })[] {
  return rows.flatMap((row) => {
    const own = { row, from: at, until: earlierOf(renewal, last) };
    const effective = row.effectiveDate === null ? at : writtenDate(row.effectiveDate);
    if (effective >= at) return [own];
    const end = ends.find((day) => effective <= day && day <= at) ?? at;
    return [{ row, from: effective, until: earlierOf(renewal, dayBefore(end)) }, own];
  });
}

/** The days of which a change says that it is not known whether the appointment was in force. */
function notKnownBy<Row extends AppointmentRow>(
  { kind, isDated, at, renewal, rows: [row] }: Change<Row>,
  last: CalendarDate,
  isFirst: boolean,
): AppointmentDays<Row>['unknown'] {
  if (row === undefined) return [];
  if (kind === 'unrecognized') return [{ code: 'status_unrecognized', from: at, until: last, row }];
  return (kind === 'live' && !isDated) || (kind === 'end' && isFirst)
    ? [{ code: 'appointment_unknown', from: always, until: earlierOf(renewal, dayBefore(at)), row }]
    : [];
}

/**
 * The days of an appointment (OpenAPI, "How compliance is decided").
 * @param statements in the order of their commands.
 */
export function daysOf<Row extends AppointmentRow>(
  statements: readonly Statement<Row>[],
): AppointmentDays<Row> {
  const timeline = timelineOf(statements);
  const counting = timeline.filter(({ at }, index) => at !== timeline[index + 1]?.at);
  const voidBefore = timeline.findLast(({ isVoid }) => isVoid)?.at ?? always;
  const ends = [
    ...counting.flatMap(({ kind, at }) => (kind === 'end' ? [at] : [])),
    ...timeline.flatMap(({ gaps }) => gaps.map(({ from }) => from)),
  ].sort(compare);
  const ofEach = counting.map((change, index) => {
    const next = counting[index + 1];
    const last = next === undefined ? never : dayBefore(next.at);
    const taken =
      voidBefore === always ? change.gaps : [{ from: always, until: dayBefore(voidBefore) }, ...change.gaps];
    const left = <Span extends Days>(spans: readonly Span[]): Span[] =>
      spans.flatMap((span) => withoutGaps(span, taken).map((days) => ({ ...span, ...days })));
    return {
      spans: left(change.kind === 'live' ? coveredBy(change, last, ends) : []),
      unknown: left(notKnownBy(change, last, index === 0)),
    };
  });
  return {
    spans: ofEach.flatMap(({ spans }) => spans),
    unknown: ofEach.flatMap(({ unknown }) => unknown),
    changes: counting.flatMap(({ kind, at, isVoid, rows: [row] }) => {
      const isOfCause = kind === 'end' && timeline.some((one) => one.at === at && one.isForCause);
      return row === undefined ? [] : [{ from: isVoid ? always : at, row, isForCause: isOfCause }];
    }),
  };
}
