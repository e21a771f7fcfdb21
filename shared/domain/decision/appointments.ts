import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import {
  appointmentKey,
  type Company,
  changeDate,
  companiesOf,
  countyOf,
  einOf,
  lineOf,
  maybeSameCompany,
  nameOf,
} from './appointment-identity.ts';
import { type AppointmentDays, daysOf, kindOf, type Statement } from './appointment-timeline.ts';
import { includes, knownOn } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  type Fact,
  type Recording,
  recordedFromOf,
  rowsOf,
  type Unread,
} from './facts.ts';

/** An appointment: whose it is, for which line, and when it is in force. */
export interface AppointmentCoverage<Row extends AppointmentRow> extends AppointmentDays<Row> {
  /** The company's code, without leading zeros; null where none of its rows that are known has one. */
  readonly companyCode: string | null;
  /** The EINs and the names on its rows, as they are compared. */
  readonly eins: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** The line's code; null with a name, as it is compared, where only that is known, null without one where it covers all lines. */
  readonly lineCode: string | null;
  readonly lineName: string | null;
  /** The day from which it is known. */
  readonly recordedFrom: CalendarDate;
  /** A row of its company was set aside, which may say anything of it. */
  readonly isNotUnderstood: boolean;
}

/** An end that an import stated and that ended nothing. */
export interface UnmatchedEnd<Row> {
  readonly kind: 'appointment';
  readonly row: Row;
}

export interface AppointmentsOfState<Row extends AppointmentRow> {
  readonly appointments: readonly AppointmentCoverage<Row>[];
  readonly unmatchedEnds: readonly UnmatchedEnd<Row>[];
}

/**
 * What an appointment is on a day: in force by its rows, unless there is a code of what is not known; without either, it is not in
 * force.
 */
export function appointmentOn<Row extends AppointmentRow>(
  { spans, unknown, isNotUnderstood }: AppointmentCoverage<Row>,
  day: CalendarDate,
) {
  const rows = spans.filter((span) => includes(span, day)).map(({ row }) => row);
  const code = isNotUnderstood
    ? 'row_not_understood'
    : rows.length > 0
      ? undefined
      : unknown.find((span) => includes(span, day))?.code;
  return { rows, code } as const;
}

/** What is recorded under one key, without what was retracted. */
interface Recorded<Row extends AppointmentRow> {
  readonly date: CalendarDate;
  /** In the order of their commands. */
  readonly facts: readonly Fact<Row>[];
  /** One of its rows: all are of the same appointment. */
  readonly row: Row;
}

function recordedOf<Row extends AppointmentRow>(facts: readonly Fact<Row>[]): Recorded<Row> | undefined {
  const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);
  const first = counting.find((fact) => fact.what === 'stated');
  const [row] = first?.rows ?? [];
  if (first === undefined || row === undefined) return undefined;
  return { date: changeDate(row, first.validFrom), facts: counting, row };
}

/** The status changes of an appointment, and what identifies it. */
interface Group<Row extends AppointmentRow> extends Pick<AppointmentCoverage<Row>, 'eins' | 'names'> {
  readonly company: Company;
  readonly lineCode: string | null;
  readonly lineNames: ReadonlySet<string>;
  readonly county: string;
  readonly changes: readonly Recorded<Row>[];
  readonly isSeenLive: boolean;
}

function groupOf<Row extends AppointmentRow>(
  changes: readonly Recorded<Row>[],
  companyOf: (row: Row) => Company,
): Group<Row>[] {
  const rows = changes.flatMap(({ facts }) => rowsOf(facts));
  return changes.slice(0, 1).map(({ row }) => ({
    eins: new Set(rows.flatMap((one) => einOf(one) || [])),
    names: new Set(rows.flatMap((one) => nameOf(one) || [])),
    company: companyOf(row),
    lineCode: lineOf(row).code,
    lineNames: new Set(rows.flatMap((one) => lineOf(one).name ?? [])),
    county: countyOf(row),
    changes,
    isSeenLive: rows.some((one) => kindOf(one) === 'live'),
  }));
}

/** The ends that imports stated under a key. */
const endsOf = <Row extends AppointmentRow>({ facts }: Recorded<Row>) =>
  facts.flatMap((fact) => {
    if (fact.what !== 'stated' || fact.by !== 'import') return [];
    const rows = fact.rows.filter((row) => kindOf(row) === 'end');
    return rows.length === 0 ? [] : [{ ...fact, rows }];
  });

/** Whether an end may mean a line: it leaves out its own, or one of the two has a code and the other a name that may be its. */
function mayMeanLine<Row extends AppointmentRow>(end: Group<Row>, other: Group<Row>): boolean {
  if (end.lineCode === null && end.lineNames.size === 0) return true;
  if (end.lineCode !== null && other.lineCode !== null) return end.lineCode === other.lineCode;
  const [coded, named] = end.lineCode === null ? [other, end] : [end, other];
  const [name] = named.lineNames;
  const isNameless = coded.lineCode !== null && coded.lineNames.size === 0;
  return name !== undefined && (isNameless || coded.lineNames.has(name));
}

/** The appointments that an end of an import ends besides its own: all that it may mean. */
function meantBy<Row extends AppointmentRow>(end: Group<Row>, groups: readonly Group<Row>[]): Group<Row>[] {
  const ofCompany = groups.filter((one) => one.isSeenLive && maybeSameCompany(end.company, one.company));
  const isCountyHeld = end.county !== '' && ofCompany.some(({ county }) => county === end.county);
  return ofCompany.filter(
    (one) => one !== end && (!isCountyHeld || one.county === end.county) && mayMeanLine(end, one),
  );
}

/** What commands state of an appointment, one after the other, by its own changes and by ends of others that may mean it. */
function statementsOf<Row extends AppointmentRow>(
  changes: readonly Recorded<Row>[],
  others: readonly Recorded<Row>[],
  closings: readonly Closing[],
): Statement<Row>[] {
  const lists = new Set(closings.map(({ commandId }) => commandId));
  const ends = others.flatMap((one) => endsOf(one).map((fact) => ({ ...fact, date: one.date })));
  const commands = new Map<string, Pick<Recording, 'commandAt' | 'commandId'>>();
  for (const fact of [...changes.flatMap(({ facts }) => facts), ...ends]) {
    commands.set(`${fact.commandAt} ${fact.commandId}`, fact);
    if (lists.has(fact.commandId)) continue;
    // Of a list, only what it changes is recorded, but it states all that it does not leave out.
    const next = closings.find(({ commandAt }) => commandAt > fact.commandAt);
    if (next !== undefined) commands.set(`${next.commandAt} ${next.commandId}`, next);
  }
  return [...commands]
    .sort(([one], [other]) => compare(one, other))
    .map(([, { commandAt, commandId }]) => {
      const isList = lists.has(commandId);
      const stated = [
        ...changes.map(({ date, facts }) => ({
          date,
          rows: isList ? lastStated(facts, commandAt) : statedBy(facts, commandId),
        })),
        ...ends.filter((end) => end.commandId === commandId),
      ].filter(({ rows }) => rows.length > 0);
      const byDate = groupBy(stated, ({ date }) => date);
      const rows = new Map(Array.from(byDate, ([date, ones]) => [date, ones.flatMap((one) => one.rows)]));
      return { commandAt, isList, rows };
    });
}

const statedBy = <Row>(facts: readonly Fact<Row>[], commandId: string): readonly Row[] =>
  rowsOf(facts.filter((fact) => fact.commandId === commandId));

/** What a list states under a key: what was stated last, unless it was left out since. */
function lastStated<Row>(facts: readonly Fact<Row>[], commandAt: string): readonly Row[] {
  const last = facts.findLast((fact) => fact.commandAt <= commandAt);
  return last?.what === 'stated' ? statedBy(facts, last.commandId) : [];
}

type UnreadAppointment = Unread & { readonly kind: 'appointment' };

/** The companies of rows that are set aside: until the next list, or the next import that states an appointment of theirs. */
function companiesNotUnderstood<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
  unread: readonly Unread[],
): (Company & { readonly since: string })[] {
  const ofAppointments = unread.filter(
    (one): one is UnreadAppointment =>
      one.kind === 'appointment' && !closings.some(({ commandAt }) => commandAt > one.commandAt),
  );
  if (ofAppointments.length === 0) return [];
  const companyOf = companiesOf([...rowsOf(facts), ...ofAppointments]);
  const imported = facts.filter(({ by }) => by === 'import');
  return ofAppointments.flatMap((one) => {
    const company = companyOf(one);
    const later = rowsOf(imported.filter(({ commandAt }) => commandAt > one.commandAt));
    const isNamed = company.code !== null || company.eins.size + company.names.size > 0;
    return isNamed && !later.some((row) => maybeSameCompany(company, companyOf(row)))
      ? [{ ...company, since: one.commandAt }]
      : [];
  });
}

/**
 * A holder's appointments in a state, from what is known of them (OpenAPI, "How compliance is decided").
 * @param facts of one state, in the order of their commands.
 * @param closings of its lists of appointments, in that order.
 * @param unread rows of the state that were set aside; without a company, one says nothing of any appointment.
 */
export function appointmentsOf<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
  unread: readonly Unread[] = [],
): AppointmentsOfState<Row> {
  const recorded = Array.from(groupBy(facts, ({ key }) => key).values(), recordedOf).filter(
    (one) => one !== undefined,
  );
  const companyOf = companiesOf(recorded.flatMap((one) => rowsOf(one.facts)));
  const keyed = groupBy(recorded, ({ row }) => appointmentKey(row, companyOf(row).key));
  const groups = Array.from(keyed.values(), (changes) => groupOf(changes, companyOf)).flat();
  const ends = new Map<Group<Row>, Recorded<Row>[]>();
  const unmatchedEnds: UnmatchedEnd<Row>[] = [];
  for (const group of groups) {
    const ending = group.changes.filter((change) => endsOf(change).length > 0);
    if (ending.length === 0) continue;
    const meant = meantBy(group, groups);
    for (const one of meant) ends.set(one, [...(ends.get(one) ?? []), ...ending]);
    if (meant.length > 0 || group.isSeenLive) continue;
    const rows = ending.flatMap((change) => {
      const last = change.facts.at(-1);
      return last?.what === 'stated' && last.by === 'import' ? last.rows : [];
    });
    unmatchedEnds.push(...rows.map((row) => ({ kind: 'appointment' as const, row })));
  }
  const notUnderstood = companiesNotUnderstood(facts, closings, unread);
  return {
    appointments: [
      ...groups.map((group) => ({
        companyCode: group.company.code,
        eins: group.eins,
        names: group.names,
        lineCode: group.lineCode,
        lineName: group.lineCode === null ? ([...group.lineNames][0] ?? null) : null,
        recordedFrom: recordedFromOf(group.changes.flatMap((one) => one.facts)),
        isNotUnderstood: notUnderstood.some((company) => maybeSameCompany(company, group.company)),
        ...daysOf(statementsOf(group.changes, ends.get(group) ?? [], closings)),
      })),
      ...notUnderstood.map(({ code, eins, names, since }) => ({
        companyCode: code,
        eins,
        names,
        lineCode: null,
        lineName: null,
        recordedFrom: knownOn(since),
        isNotUnderstood: true,
        spans: [],
        unknown: [],
        changes: [],
      })),
    ],
    unmatchedEnds,
  };
}
