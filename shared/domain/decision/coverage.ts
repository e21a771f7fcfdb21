import { lazily } from '#platform/contract/lazily.ts';
import { compare } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { type ClassKind, type ClassKindVersion, classKindOf } from './classes.ts';
import { type DatedSource, datedAppointment, datedLicense, datedStatements } from './dated.ts';
import { always, dayAfter, earlierOf, earliest, includes, knownOn, laterOf, never } from './dates.ts';
import { type Mark, markOn } from './days.ts';
import { type Holding, holdingsOf, namingRows, stateOn, takenBackOf } from './holdings.ts';
import { actionsOf, type Order } from './orders.ts';
import { isUnreadIn, statementsOf } from './record.ts';
import {
  type AppointmentRow,
  type HolderRecords,
  isSameRow,
  type LicenseRow,
  type Recorded,
  type RecordedReport,
  type RecordedStatement,
  type RecordKind,
  type RowsOfKinds,
  recordKinds,
  type SaleDay,
} from './records.ts';
import { type DatedRow, isEnd, isLive, isSame } from './statements.ts';

export type LicenseHolding<License = LicenseRow> = Holding<DatedSource<License>>;
export type AppointmentHolding<Appointment = AppointmentRow> = Holding<DatedSource<Appointment>>;

/** A row of something that an import says never was, and that nothing else says is there. */
export type TakenBack<Rows extends RowsOfKinds> = {
  [Kind in RecordKind]: Recorded<Rows[Kind]> & { readonly kind: Kind };
}[RecordKind];

/** Knowledge of a holder in one state, as known at a moment. */
export interface StateCoverage<Rows extends RowsOfKinds = RowsOfKinds> {
  readonly licenses: readonly LicenseHolding<Rows['license']>[];
  readonly appointments: readonly AppointmentHolding<Rows['appointment']>[];
  readonly orders: readonly Order[];
  /** Each as it was stated last, those that later statements leave out too. */
  readonly actions: readonly Recorded<Rows['regulatory action']>[];
  readonly takenBack: readonly TakenBack<Rows>[];
  /** Kinds of records of which a row could not be read, and that no complete statement has stated since. */
  readonly unread: readonly RecordKind[];
  /** Moment of the last complete file; empty: never. ISO time in UTC. */
  readonly filedAt: Readonly<Record<'license' | 'appointment', string>>;
  /** Days on which the holder sold where the carrier appoints when it binds. */
  readonly sales: readonly SaleDay[];
}

/** Knowledge of a holder at a moment, by state. */
export interface Coverage<Rows extends RowsOfKinds = RowsOfKinds> {
  readonly get: (stateCode: string) => StateCoverage<Rows> | undefined;
  readonly keys: () => Iterable<string>;
  readonly values: () => Iterable<StateCoverage<Rows>>;
  /** Kinds given to classes of licenses by then. */
  readonly classKinds: readonly ClassKindVersion[];
  /** The resident licenses of all states that may be a producer's, with what else is known of each one's state. */
  readonly home: () => readonly (Pick<StateCoverage, 'orders' | 'unread'> & {
    readonly holding: LicenseHolding<Rows['license']>;
  })[];
  /** Whether the registry's last report has a license that cannot be read, in whichever state: it may be that of the home state. */
  readonly isHomeUnread: () => boolean;
  /** Whether the registry does not find the NPN, and found it before, or a file had something of it before. */
  readonly isNotFound: () => boolean;
  /** Moment at which a complete statement last said what licenses and appointments there are in a state; null: never. ISO time in UTC. */
  readonly verifiedAt: (stateCode: string) => string | null;
}

/**
 * Turns what is recorded of a holder into days (OpenAPI, "How compliance is decided"). Each state is folded when it is first asked
 * for.
 * @param records of the states that are asked for, and of those where the holder has resident licenses.
 * @param knownAt ISO time in UTC: what was recorded later does not exist.
 */
export function coverageOf<Rows extends RowsOfKinds>(
  records: HolderRecords<Rows>,
  knownAt: string,
  classKinds: readonly ClassKindVersion[] = [],
): Coverage<Rows> {
  const known = <One extends { readonly recordedAt: string }>(all: readonly One[]): One[] =>
    all.filter(({ recordedAt }) => recordedAt <= knownAt);
  const reports = known(records.reports);
  const statements = known(records.statements).map(({ repetitions, ...statement }) =>
    repetitions === undefined ? statement : { ...statement, repetitions: known(repetitions) },
  );
  /** Statements of a kind, whose rows are of it. */
  const ofKind = <Kind extends RecordKind>(kind: Kind) =>
    statements.filter((one) => one.kind === kind) as RecordedStatement<Rows[Kind]>[];
  const [licenses, appointments] = [ofKind('license'), ofKind('appointment')];
  const actions = ofKind('regulatory action');
  const stateOf = (stateCode: string): StateCoverage<Rows> => {
    const ofKinds = {
      license: statementsOf(licenses, reports, 'license', stateCode),
      appointment: statementsOf(appointments, reports, 'appointment', stateCode),
      'regulatory action': statementsOf(actions, reports, 'regulatory action', stateCode),
    };
    const ofLicenses = datedStatements(ofKinds.license, datedLicense<Rows['license']>);
    const ofAppointments = datedStatements(ofKinds.appointment, datedAppointment<Rows['appointment']>);
    const ofActions = actionsOf(ofKinds['regulatory action']);
    const licenseHoldings = holdingsOf(ofLicenses);
    const appointmentHoldings = holdingsOf(ofAppointments);
    return {
      licenses: licenseHoldings,
      appointments: appointmentHoldings,
      actions: ofActions.actions,
      takenBack: [
        ...takenBackOf('license', ofLicenses, licenseHoldings),
        ...takenBackOf('appointment', ofAppointments, appointmentHoldings),
        ...ofActions.takenBack.map((one) => ({ kind: 'regulatory action', ...one }) as const),
      ],
      orders: ofActions.orders,
      unread: recordKinds.filter((kind) => isUnread(ofKinds[kind])),
      filedAt: { license: filedAt(ofKinds.license), appointment: filedAt(ofKinds.appointment) },
      sales: records.sales.filter((sale) => sale.stateCode === stateCode),
    };
  };
  const unread = reports.flatMap((report) => report.unread);
  const inStates = [...statements, ...records.sales, ...unread];
  const stateCodes = new Set(inStates.flatMap(({ stateCode }) => stateCode ?? []));
  const states = new Map(Array.from(stateCodes, (code) => [code, lazily(() => stateOf(code))] as const));
  const homes = licenses.flatMap(({ rows, stateCode }) => (rows.some(isResident) ? stateCode : []));
  return coverageFrom({
    states,
    homes: () => Array.from(new Set(homes)).flatMap((stateCode) => states.get(stateCode)?.() ?? []),
    classKinds: known(classKinds),
    reports,
    firstSaidAt: firstSaidAt(statements),
  });
}

/**
 * Makes the coverage of a holder of its states, whether these are folded or read.
 * @param homes the states with resident licenses.
 * @param reports those of the registry about the holder.
 * @param firstSaidAt moment of the first statement about the holder; counts where the registry never found it. ISO time in UTC.
 */
export function coverageFrom<Rows extends RowsOfKinds>({
  states,
  homes,
  classKinds,
  reports,
  firstSaidAt: saidAt = never,
}: {
  readonly states: ReadonlyMap<string, () => StateCoverage<Rows>>;
  readonly homes: () => readonly Pick<StateCoverage<Rows>, 'licenses' | 'orders' | 'unread'>[];
  readonly classKinds: readonly ClassKindVersion[];
  readonly reports: readonly RecordedReport[];
  readonly firstSaidAt?: string;
}): Coverage<Rows> {
  const mayBeOfResidentProducer = ({ said }: LicenseHolding): boolean =>
    namingRows(said).some(
      ({ row: { source } }) => isResident(source) && mayBeProducer(classKindOf(source, classKinds)),
    );
  /** Finds when a file or a report last said all of a kind in a state; empty: never. */
  const verifiedAt = (kind: 'license' | 'appointment', stateCode: string): string => {
    const saying = reports.filter(
      ({ isFound, kinds, unread }) => isFound && kinds.includes(kind) && !isUnreadIn(unread, kind, stateCode),
    );
    const { filedAt } = states.get(stateCode)?.() ?? emptyState;
    return saying.map(({ at }) => at).reduce(laterOf, filedAt[kind]);
  };
  return {
    classKinds,
    isHomeUnread: () => {
      const saying = reports.filter(({ isFound, kinds }) => isFound && kinds.includes('license'));
      const lastAt = saying.map(({ at }) => at).reduce(laterOf, '');
      return saying.some(({ at, unread }) => at === lastAt && unread.some(({ kind }) => kind === 'license'));
    },
    isNotFound: () => isNotFound(reports, saidAt),
    verifiedAt: (stateCode) =>
      earlierOf(verifiedAt('license', stateCode), verifiedAt('appointment', stateCode)) || null,
    get: (stateCode) => states.get(stateCode)?.() ?? unnamedState(reports, stateCode),
    keys: () => states.keys(),
    values: () => Array.from(states.values(), (coverage) => coverage()),
    home: lazily(() =>
      homes().flatMap(({ licenses, orders, unread }) =>
        licenses.filter(mayBeOfResidentProducer).map((holding) => ({ holding, orders, unread })),
      ),
    ),
  };
}

const mayBeProducer = (kind: ClassKind): boolean => kind === 'producer' || kind === 'unrecognized';

export const isResident = ({ residencyStatus }: LicenseRow): boolean => residencyStatus === 'resident';

/** Whether a row could not be read, and no complete statement has followed. */
function isUnread(statements: readonly RecordedStatement[]): boolean {
  const last = statements.findLast((statement) => statement.isPartlyUnread || statement.isComplete);
  return last?.isPartlyUnread === true;
}

/** A state of which nothing is recorded, where a row that cannot be read may be of it. */
export function unnamedState(
  reports: readonly RecordedReport[],
  stateCode: string,
): StateCoverage<never> | undefined {
  if (!reports.some(({ unread }) => unread.length > 0)) return undefined;
  const unread = recordKinds.filter((kind) => isUnread(statementsOf([], reports, kind, stateCode)));
  return unread.length === 0 ? undefined : { ...emptyState, unread };
}

/** Nothing that is known. */
export const emptyState: StateCoverage<never> = {
  licenses: [],
  appointments: [],
  orders: [],
  actions: [],
  takenBack: [],
  unread: [],
  filedAt: { license: '', appointment: '' },
  sales: [],
};

const filedAt = (statements: readonly RecordedStatement[]): string =>
  statements.findLast(({ by, isComplete }) => by === 'import' && isComplete)?.at ?? '';

/** Moment of the first of some statements; never without any. ISO time in UTC. */
export const firstSaidAt = (statements: readonly Pick<RecordedStatement, 'at'>[]): string =>
  statements.map(({ at }) => at).reduce(earlierOf, never);

/** Whether the registry did not find the NPN when it was asked last, and it, or a file, had something of it before. */
function isNotFound(reports: readonly RecordedReport[], saidAt: string): boolean {
  const lastAt = (wasFound: boolean): string =>
    reports.flatMap(({ isFound, at }) => (isFound === wasFound ? at : [])).reduce(laterOf, '');
  const [foundAt, notFoundAt] = [lastAt(true), lastAt(false)];
  return notFoundAt > (foundAt || saidAt);
}

/**
 * The row of a license by a mark, where that is its own, else by the last one that is: an end may be of another. Where it does not
 * name the class, with what an earlier one says of it.
 */
export function rowBy(
  { said }: Pick<LicenseHolding, 'said'>,
  mark: Mark<DatedSource<LicenseRow>> | undefined,
): LicenseRow | undefined {
  const naming = namingRows(said).map((mention) => mention.row.source);
  const isOwn = mark?.is === 'in force' || (mark !== undefined && isLive(mark.row));
  const row = isOwn ? mark.row.source : naming.at(-1);
  if (row === undefined || (row.licenseClassCode !== null && row.licenseClassName !== null)) return row;
  const rows = [row, ...naming.toReversed()];
  return {
    ...row,
    licenseClassCode: rows.find((one) => one.licenseClassCode !== null)?.licenseClassCode ?? null,
    licenseClassName: rows.find((one) => one.licenseClassName !== null)?.licenseClassName ?? null,
  };
}

/** Whether a holder is licensed at home on a day: by which rows; not known; not, as complete statements said; of none it is known. */
export interface HomeState {
  readonly is: 'licensed' | 'not known' | 'not licensed' | 'none known';
  readonly rows: readonly LicenseRow[];
}

/** The mark of a day, or the last one before it: what ended by its own last day has none. */
const lastMarkOn = <Row extends DatedRow>({ days }: Pick<Holding<Row>, 'days'>, day: CalendarDate) =>
  days.findLast(({ from, mark }) => from <= day && mark !== undefined)?.mark;

export function homeStateOn(
  { home, classKinds, isHomeUnread }: Pick<Coverage, 'home' | 'classKinds' | 'isHomeUnread'>,
  day: CalendarDate,
): HomeState {
  const known = home().flatMap(({ holding, orders, unread }) => {
    const ordersOfDay = orders.filter((order) => includes(order, day));
    const state = stateOn(holding, day);
    const last = lastMarkOn(holding, day);
    // Where the holder lives its own rows say: an end may be of another license.
    const naming = namingRows(holding.said).map(({ row }) => row);
    const isOwn = naming.some(({ identity }) => last && isSame(identity, last.row.identity));
    const source = ((isOwn ? undefined : naming.at(-1)) ?? last?.row)?.source;
    const shown = rowBy(holding, last) ?? source;
    if (source === undefined || shown === undefined) return [];
    const kind = classKindOf(shown, classKinds);
    if (!isResident(shown) || !mayBeProducer(kind)) return [];
    // What was left out before it began has not ended.
    const hasBegun = holding.days.some(({ from, mark }) => from <= day && mark && mark.is !== 'left out');
    const wasThere = holding.said.some(({ row }) => row.status !== 'pending');
    if (last === undefined || (wasThere && !hasBegun)) return { source, kind, is: 'not begun' };
    const isComplete =
      last.is === 'left out' ||
      holding.said.some((one) => one.statement.isComplete && isSameRow(one.row.source, last.row.source));
    const isOrdered = ordersOfDay.some(({ is }) => is === 'in force');
    // A row that could not be read may be the license, its end, or an order; one that is only applied for has not ended.
    const isRead = !unread.includes('license');
    const isEnded = isOrdered || (state === 'not in force' && isComplete && isRead && wasThere);
    const isUnderOrder = ordersOfDay.length > 0 || unread.includes('regulatory action');
    const isLicensed = state === 'in force' && isRead && !isUnderOrder;
    return { source, kind, is: isLicensed ? 'licensed' : isEnded ? 'ended' : 'not known' };
  });
  const producers = known.filter(({ kind }) => kind === 'producer');
  const licensedRows = producers.flatMap(({ is, source }) => (is === 'licensed' ? source : []));
  if (licensedRows.length > 0) return { is: 'licensed', rows: licensedRows };
  // Licenses in force whose class nobody recognizes are at worst not a producer’s.
  if (producers.length === 0 && known.every(({ is }) => is === 'licensed'))
    return { is: isHomeUnread() ? 'not known' : 'none known', rows: [] };
  const isAnyUnclear =
    known.length > producers.length ||
    known.some(({ is }) => is === 'not known') ||
    known.every(({ is }) => is === 'not begun');
  return { is: isAnyUnclear ? 'not known' : 'not licensed', rows: [] };
}

/** The rows by which licenses, or appointments, are in force on a day. */
export const rowsInForce = <Source>(
  holdings: readonly Holding<DatedSource<Source>>[],
  day: CalendarDate,
): Source[] =>
  holdings.flatMap((holding) => {
    const mark = markOn(holding.days, day);
    return mark === undefined || stateOn(holding, day) !== 'in force' ? [] : mark.row.source;
  });

/** The day on which something that marks a day, or days before it, was first recorded: a live row of that beginning, or another row. */
function recordedOn<Source>(
  { said }: Holding<DatedSource<Source>>,
  { row }: Mark,
  day: CalendarDate,
): CalendarDate {
  const first = said.find(
    (one) =>
      one.row.begins === row.begins &&
      isLive(one.row) === isLive(row) &&
      one.row.since === row.since &&
      (one.row.ends === row.ends || day < earlierOf(row.ends, one.row.ends)),
  );
  return first === undefined ? never : knownOn(first.statement.recordedAt);
}

/** The licenses at home on which those of a state depend. */
const homeOf = ({ home }: Coverage, { licenses }: Pick<StateCoverage, 'licenses'>) =>
  licenses.some(({ said }) => said.some(({ row }) => !isResident(row.source))) ? home() : [];

/** The days on which what counts for a day in a state was recorded. */
export function recordedDaysOf(coverage: Coverage, stateCode: string, day: CalendarDate): CalendarDate[] {
  const state = coverage.get(stateCode) ?? emptyState;
  const atHome = homeOf(coverage, state);
  const recordedBy = <Source>(holding: Holding<DatedSource<Source>>, mark: Mark | undefined) =>
    mark === undefined ? [] : recordedOn(holding, mark, day);
  const orders = [state, ...atHome].flatMap((one) => one.orders);
  return [
    ...state.licenses.flatMap((one) => recordedBy(one, markOn(one.days, day))),
    ...state.appointments.flatMap((one) => recordedBy(one, markOn(one.days, day))),
    ...atHome.flatMap(({ holding }) => recordedBy(holding, lastMarkOn(holding, day))),
    ...orders.flatMap(({ from, recordedAt }) => (from <= day ? knownOn(recordedAt) : [])),
  ];
}

/** The first days of what an answer about a state may rest on, in no order. */
function* firstDaysOf({ licenses, appointments, orders, sales }: StateCoverage): Generator<CalendarDate> {
  for (const { days, lines } of licenses) {
    for (const { from, mark } of days) {
      yield from;
      // What ended before its last day has expired only after that.
      if (mark !== undefined) yield mark.row.ends;
    }
    for (const line of lines) for (const { from } of line.days) yield from;
  }
  for (const { days, said } of appointments) {
    // An end for cause counts from its day on, whatever days it marks.
    for (const { row, statement } of said) if (isEnd(row)) yield row.since ?? statement.knownOn;
    for (const { from, mark } of days) {
      yield from;
      // The warning that the renewal date has passed begins within the days that are in force.
      const renewalDate = mark?.row.source.renewalDate;
      if (renewalDate != null) yield dayAfter(renewalDate.slice(0, 10));
    }
  }
  for (const { from, until } of orders) {
    yield from;
    yield dayAfter(until);
  }
  // From a sale on, an appointment may be due.
  for (const { day } of sales) yield day;
}

/** Days on which an answer about a state may come to be another one, and those on which something of it was recorded too, in order. */
interface DaysOfState {
  readonly changes: readonly CalendarDate[];
  readonly alike: () => readonly CalendarDate[];
}

const daysOfStates = new WeakMap<StateCoverage, DaysOfState>();

const inOrder = (days: readonly CalendarDate[]): readonly CalendarDate[] => [...new Set(days)].sort(compare);

/** The days of a state, and those at home where a license depends on that. */
function daysOf(coverage: Coverage, state: StateCoverage): DaysOfState {
  const knownDays = daysOfStates.get(state);
  if (knownDays !== undefined) return knownDays;
  const atHome = homeOf(coverage, state);
  const changes = inOrder([
    ...firstDaysOf(state),
    ...atHome.flatMap(({ holding, orders }) => [
      ...firstDaysOf({ ...emptyState, licenses: [holding], orders }),
    ]),
  ]);
  const recordedDays = () => {
    const holdings = [...state.licenses, ...state.appointments, ...atHome.map(({ holding }) => holding)];
    const statements = holdings.flatMap(({ said }: Pick<Holding, 'said'>) =>
      said.map(({ statement }) => statement),
    );
    const orders = [state, ...atHome].flatMap((one) => one.orders);
    return [...statements, ...orders].map(({ recordedAt }) => knownOn(recordedAt));
  };
  const days = { changes, alike: lazily(() => inOrder([...changes, ...recordedDays()])) };
  daysOfStates.set(state, days);
  return days;
}

/** The first day after this one on which what is known of some states, or of the home state, may come to another answer. */
export function nextChangeOf(
  coverage: Coverage,
  day: CalendarDate,
  stateCodes: Iterable<string> = coverage.keys(),
): CalendarDate | null {
  const laterDays = Array.from(stateCodes).flatMap((stateCode) => {
    const state = coverage.get(stateCode);
    return (state && daysOf(coverage, state).changes.find((from) => from > day && from !== never)) ?? [];
  });
  return earliest(laterDays);
}

/**
 * The first of the days around this one on which an answer about a holder in a state is the same in each word, but for appointments
 * that are due.
 */
export function firstDayAlike(coverage: Coverage, stateCode: string, day: CalendarDate): CalendarDate {
  const state = coverage.get(stateCode);
  const days = state === undefined ? [] : daysOf(coverage, state).alike();
  return days.findLast((first) => first <= day) ?? always;
}
