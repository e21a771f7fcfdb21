import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import {
  appointmentsAmong,
  type CodesOfLine,
  type Company,
  changeDate,
  companiesOf,
  maybeSameCompany,
  meantBy,
} from './appointment-identity.ts';
import { type AppointmentDays, daysOf, kindOf, type Statement } from './appointment-timeline.ts';
import { earlierOf, includes, knownOn, never } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  type Fact,
  isSameSet,
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
  /** The line as it is compared; null with a name where only that is known, null without one where it covers all lines. */
  readonly lineCode: string | null;
  readonly lineName: string | null;
  /** The day from which it is known. */
  readonly recordedFrom: CalendarDate;
  /** A row of its company was set aside, which may say anything of it. */
  readonly isNotUnderstood: boolean;
  /** Whether a row states it that could be read. */
  readonly isStated: boolean;
}

/** An end that an import stated and that ended nothing: until the next list. */
export interface UnmatchedEnd<Row> {
  readonly kind: 'appointment';
  readonly row: Row;
}

interface AppointmentsOfState<Row extends AppointmentRow> {
  readonly appointments: readonly AppointmentCoverage<Row>[];
  readonly unmatchedEnds: readonly UnmatchedEnd<Row>[];
  /** A row that names no company was set aside. */
  readonly isCompanyUnread: boolean;
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

/** What a command said under a key: nothing where it left it out. */
interface Stated<Row> extends Pick<Recording, 'commandId' | 'commandAt' | 'by'> {
  readonly rows: readonly Row[];
}

/** What is recorded under one key, without what was retracted. */
interface Recorded<Row extends AppointmentRow> {
  readonly date: CalendarDate;
  /** One of its rows: all are of the same appointment. */
  readonly row: Row;
  readonly recordedFrom: CalendarDate;
  /** In the order of the commands. */
  readonly sayings: readonly Stated<Row>[];
}

function recordedOf<Row extends AppointmentRow>(facts: readonly Fact<Row>[]): Recorded<Row> | undefined {
  const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);
  const first = counting.find((fact) => fact.what === 'stated');
  const [row] = first?.rows ?? [];
  if (first === undefined || row === undefined) return undefined;
  const sayings: Stated<Row>[] = [];
  for (const fact of counting) {
    const { commandId, commandAt, by } = fact;
    const rows = fact.what === 'stated' ? fact.rows : [];
    const last = sayings.at(-1);
    if (last?.commandId !== commandId) sayings.push({ commandId, commandAt, by, rows });
    else sayings[sayings.length - 1] = { ...last, rows: [...last.rows, ...rows] };
  }
  return { date: changeDate(row, first.validFrom), row, recordedFrom: recordedFromOf(counting), sayings };
}

/** The ends that imports stated under a key. */
const endsOf = <Row extends AppointmentRow>({ date, sayings }: Recorded<Row>) =>
  sayings.flatMap(({ rows, ...command }) => {
    const ends = command.by === 'import' ? rows.filter((row) => kindOf(row) === 'end') : [];
    return ends.length === 0 ? [] : [{ ...command, date, rows: ends }];
  });

/** What commands state of an appointment, one after the other, by its own changes and by ends of others that may mean it. */
function statementsOf<Row extends AppointmentRow>(
  changes: readonly Recorded<Row>[],
  others: readonly Recorded<Row>[],
  closings: ReadonlyMap<string, Closing>,
): Statement<Row>[] {
  const ends = others.flatMap(endsOf);
  const commands = new Map<string, Pick<Recording, 'commandAt' | 'commandId'>>();
  for (const saying of [...changes.flatMap(({ sayings }) => sayings), ...ends]) {
    commands.set(`${saying.commandAt} ${saying.commandId}`, saying);
    if (closings.has(saying.commandId) || changes.length + others.length === 1) continue;
    // Of a list, only what it changes is recorded, but it states all that it does not leave out.
    const next = [...closings.values()].find(({ commandAt }) => commandAt > saying.commandAt);
    if (next !== undefined) commands.set(`${next.commandAt} ${next.commandId}`, next);
  }
  return [...commands]
    .sort(([one], [other]) => compare(one, other))
    .map(([, { commandAt, commandId }]) => {
      const isList = closings.has(commandId);
      const rows = new Map<CalendarDate, readonly Row[]>();
      const add = (date: CalendarDate, said: Pick<Stated<Row>, 'rows'> | undefined): void => {
        if (said !== undefined && said.rows.length > 0)
          rows.set(date, [...(rows.get(date) ?? []), ...said.rows]);
      };
      for (const { date, sayings } of changes)
        add(
          date,
          sayings.findLast((one) => (isList ? one.commandAt <= commandAt : one.commandId === commandId)),
        );
      for (const end of ends) if (end.commandId === commandId) add(end.date, end);
      return { commandAt, isList, rows };
    });
}

type UnreadAppointment = Unread & { readonly kind: 'appointment' };

/**
 * The companies of rows that are set aside: until the next list, or the next import that states an appointment of theirs. A row
 * may name none.
 * @param stated rows that no import retracted.
 */
function companiesSetAside<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
  stated: readonly Row[],
  closings: readonly Closing[],
  unread: readonly Unread[],
): (Company & { readonly since: string })[] {
  const ofAppointments = unread.filter(
    (one): one is UnreadAppointment =>
      one.kind === 'appointment' && !closings.some(({ commandAt }) => commandAt > one.commandAt),
  );
  if (ofAppointments.length === 0) return [];
  const companyOf = companiesOf([...stated, ...ofAppointments]);
  const imported = facts.filter(({ by }) => by === 'import');
  return ofAppointments.flatMap((one) => {
    const company = companyOf(one);
    const later = rowsOf(imported.filter(({ commandAt }) => commandAt > one.commandAt));
    const isReadSince = later.some((row) => maybeSameCompany(company, companyOf(row)));
    return isReadSince ? [] : [{ ...company, since: one.commandAt }];
  });
}

/**
 * A holder's appointments in a state, from what is known of them (OpenAPI, "How compliance is decided").
 * @param facts of one state, in the order of their commands.
 * @param closings of its lists of appointments, in that order.
 * @param unread rows of the state that were set aside.
 * @param codesOf what its licenses say.
 */
export function appointmentsOf<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
  unread: readonly Unread[] = [],
  codesOf: CodesOfLine = () => undefined,
): AppointmentsOfState<Row> {
  const recorded = Array.from(Map.groupBy(facts, ({ key }) => key).values(), recordedOf).filter(
    (one) => one !== undefined,
  );
  const stated = recorded.flatMap(({ sayings }) => sayings.flatMap(({ rows }) => rows));
  const { appointments, keyOf } = appointmentsAmong(stated);
  const changesOf = Map.groupBy(recorded, ({ row }) => keyOf(row));
  const lists = new Map(closings.map((closing) => [closing.commandId, closing]));
  /** The ends of imports that may mean an appointment that they are not of, by its key. */
  const endsOfOthers = new Map<string, Recorded<Row>[]>();
  const unmatchedEnds: UnmatchedEnd<Row>[] = [];
  for (const [key, changes] of changesOf) {
    const ends = changes.filter((change) => endsOf(change).length > 0);
    const own = appointments.get(key);
    if (own === undefined || ends.length === 0) continue;
    const meant = meantBy(own, appointments.values(), codesOf);
    for (const other of meant) endsOfOthers.set(other.key, [...(endsOfOthers.get(other.key) ?? []), ...ends]);
    if (own.isSeenLive || meant.length > 0) continue;
    const isEnd = (row: Row): boolean => kindOf(row) === 'end';
    const rows = ends.flatMap(({ date, sayings }) => {
      const last = sayings.at(-1);
      const isSuperseded = changes.some(
        (one) =>
          one.date === date && one.sayings.some(({ commandAt }) => commandAt > (last?.commandAt ?? '')),
      );
      // What repeats the end that an import stated once is nothing new, whether or not it is recorded.
      const news = sayings.filter(
        (one, index) =>
          one.by === 'import' &&
          !(
            isSameSet(one.rows, sayings[index - 1]?.rows ?? []) &&
            sayings.slice(0, index).some((other) => other.by === 'import' && other.rows.some(isEnd))
          ),
      );
      const isNew = news.some((one) => !closings.some(({ commandAt }) => commandAt > one.commandAt));
      return isNew && !isSuperseded ? (last?.rows ?? []) : [];
    });
    unmatchedEnds.push(...rows.filter(isEnd).map((row) => ({ kind: 'appointment' as const, row })));
  }
  const setAside = companiesSetAside(facts, stated, closings, unread);
  const notUnderstood = setAside.filter(
    ({ code, eins, names }) => code !== null || eins.size + names.size > 0,
  );
  const known = Array.from(appointments.values(), (one): AppointmentCoverage<Row> => {
    const { company, eins, names, lineCode, lineNames, key } = one;
    const changes = changesOf.get(key) ?? [];
    return {
      companyCode: company.code,
      eins,
      names,
      lineCode,
      lineName: lineCode === null ? ([...lineNames][0] ?? null) : null,
      recordedFrom: changes.reduce((first, change) => earlierOf(first, change.recordedFrom), never),
      isNotUnderstood: notUnderstood.some((other) => maybeSameCompany(other, company)),
      isStated: true,
      ...daysOf(statementsOf(changes, endsOfOthers.get(key) ?? [], lists)),
    };
  });
  const perhaps = notUnderstood.flatMap((one): AppointmentCoverage<Row>[] => {
    const mayBe = Array.from(appointments.values(), ({ company }) => company).filter((company) =>
      maybeSameCompany(one, company),
    );
    return Array.from(new Set([one, ...mayBe].map(({ code }) => code)), (companyCode) => ({
      companyCode,
      eins: one.eins,
      names: one.names,
      lineCode: null,
      lineName: null,
      recordedFrom: knownOn(one.since),
      isNotUnderstood: true,
      isStated: false,
      spans: [],
      unknown: [],
      changes: [],
    }));
  });
  return {
    appointments: [...known, ...perhaps],
    unmatchedEnds,
    isCompanyUnread: setAside.length > notUnderstood.length,
  };
}
