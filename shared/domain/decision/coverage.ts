import { lazily } from '../../platform/contract/lazily.ts';
import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import {
  type AppointmentCoverage,
  appointmentsOf,
  type UnmatchedEnd as UnmatchedAppointmentEnd,
} from './appointments.ts';
import { type ClassKindVersion, classKindOf } from './classes.ts';
import { always, type Days, dayAfter, includes, never, withoutGaps } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  comparableNumber,
  counting,
  type Fact,
  type HolderFacts,
  knownBy,
  type LicenseRow,
  type ListKind,
  type Recording,
  rowsOf,
  type SaleDay,
  type Unread,
} from './facts.ts';
import { liveLists, type UnmatchedEnd } from './license-ends.ts';
import type { KindOf } from './license-identity.ts';
import {
  daysInForce,
  type LicensesOfState,
  licensesOf,
  type Term,
  type UnreadLicense,
} from './license-terms.ts';
import { type Order, ordersOf } from './orders.ts';

/** A row that was set aside, and what it may change: any day. */
type Doubt = Days &
  ({ readonly kind: 'license'; readonly isLive: boolean } | { readonly kind: 'appointment' });

/** What is known of a holder in one state, as known at a moment. */
export interface StateCoverage<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> extends Pick<LicensesOfState<License>, 'terms' | 'codesOfLine' | 'statusDates'> {
  readonly orders: readonly Order[];
  readonly appointments: readonly AppointmentCoverage<Appointment>[];
  /** Rows of licenses that are set aside, and of appointments whose company is not known. */
  readonly unread: readonly Doubt[];
  /** Days on which the holder sold where the carrier appoints when it binds. */
  readonly sales: readonly SaleDay[];
  /** Ends of imports that ended nothing. */
  readonly unmatchedEnds: readonly (UnmatchedEnd | UnmatchedAppointmentEnd<Appointment>)[];
}

/** Where a holder is licensed at home: by resident producer licenses of any state. */
export interface HomeCoverage<License extends LicenseRow = LicenseRow> {
  /** Days on which one of them is in force, without orders of its state, each with its row. */
  readonly licensed: readonly (Days & { readonly row: License })[];
  /** Who stated the last one that began by a day; undefined where none did. */
  readonly begun: (day: CalendarDate) => 'registry' | 'import' | undefined;
  /** The first days of all. */
  readonly begins: readonly CalendarDate[];
}

/** By state, what is known of a holder at a moment. */
export interface Coverage<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> {
  readonly get: (stateCode: string) => StateCoverage<License, Appointment> | undefined;
  readonly keys: () => Iterable<string>;
  readonly values: () => Iterable<StateCoverage<License, Appointment>>;
  readonly home: HomeCoverage<License>;
  /** The registry found the NPN before and does not any more. */
  readonly isNotFound: boolean;
}

/**
 * Turns what is recorded of a holder into the days on which licenses and appointments are in force (OpenAPI,
 * "How compliance is decided"). The order of the facts does not matter. Each state is made when it is first asked for.
 * @param facts of the states that are asked for, and of those where the holder has resident licenses.
 * @param knownAt ISO time in UTC: what was recorded later does not exist.
 */
export function coverageOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  knownAt: string,
  classKinds: readonly ClassKindVersion[] = [],
): Coverage<License, Appointment> {
  const known = <One extends Recording & { readonly stateCode: string }>(all: readonly One[]) =>
    Map.groupBy(knownBy(all, knownAt), ({ stateCode }) => stateCode);
  const closings = known(facts.closings);
  const [licenses, appointments] = [known(facts.licenses), known(facts.appointments)];
  const [actions, unread] = [known(facts.actions), known(facts.unread)];
  const sales = known(facts.sales ?? []);
  const versions = classKinds.filter(({ recordedAt }) => recordedAt <= knownAt);
  const kindOf: KindOf = (row) => classKindOf(row, versions);
  const states = new Map<string, () => StateCoverage<License, Appointment>>();
  for (const stateCode of [licenses, appointments, actions, unread, sales].flatMap((one) => [
    ...one.keys(),
  ])) {
    if (states.has(stateCode)) continue;
    const ofState = <One>(all: ReadonlyMap<string, readonly One[]>) => all.get(stateCode) ?? [];
    const make = () =>
      stateCoverageOf(
        {
          licenses: ofState(licenses),
          appointments: ofState(appointments),
          closings: ofState(closings),
          actions: ofState(actions),
          unread: ofState(unread),
          sales: ofState(sales),
        },
        kindOf,
      );
    states.set(stateCode, lazily(make));
  }
  const isHome = (stateCode: string): boolean =>
    licenses.get(stateCode)?.some((fact) => fact.what === 'stated' && fact.rows.some(isResident)) === true;
  const home = lazily(() =>
    homeOf([...states].flatMap(([stateCode, coverage]) => (isHome(stateCode) ? coverage() : []))),
  );
  return {
    get: (stateCode) => states.get(stateCode)?.(),
    keys: () => states.keys(),
    values: () => Array.from(states.values(), (coverage) => coverage()),
    get home() {
      return home();
    },
    isNotFound: isNotFound(knownBy(facts.notFound, knownAt), knownBy(facts.closings, knownAt)),
  };
}

const isResident = ({ residencyStatus }: LicenseRow): boolean => residencyStatus === 'resident';

/** Whether the registry no longer knew the NPN at its last visit. */
function isNotFound(notFound: readonly Recording[], closings: readonly Closing[]): boolean {
  const last = notFound.at(-1);
  const visits = closings.filter(({ by }) => by !== 'import');
  return (
    last !== undefined && visits.length > 0 && visits.every(({ commandAt }) => commandAt < last.commandAt)
  );
}

function stateCoverageOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: Omit<HolderFacts<License, Appointment>, 'notFound'>,
  kindOf: KindOf,
): StateCoverage<License, Appointment> {
  const closingsOf = (kind: ListKind): Closing[] => facts.closings.filter((list) => list.kind === kind);
  const closings = { license: closingsOf('license'), appointment: closingsOf('appointment') };
  const known = counting('license', facts.licenses, closings.license);
  const setAside = licensesSetAside(facts.unread, known, closings.license);
  const licenses = licensesOf(known, closings.license, setAside, kindOf);
  const appointments = appointmentsOf(
    counting('appointment', facts.appointments, closings.appointment),
    closings.appointment,
    facts.unread,
    (name) => licenses.codesOfLine().get(name),
  );
  return {
    terms: licenses.terms,
    codesOfLine: licenses.codesOfLine,
    statusDates: licenses.statusDates,
    orders: ordersOf(facts.actions, () => liveLists(known, closings.license)),
    appointments: appointments.appointments,
    unread: [
      ...setAside.map(({ kind, isLive }) => ({ kind, isLive, from: always, until: never })),
      ...(appointments.isCompanyUnread ? [{ kind: 'appointment' as const, from: always, until: never }] : []),
    ],
    sales: [...new Map((facts.sales ?? []).map((fact) => [fact.transactionId, fact])).values()].filter(
      (fact) => fact.what === 'stated',
    ),
    unmatchedEnds: [...licenses.unmatchedEnds, ...appointments.unmatchedEnds],
  };
}

/** Rows of licenses that are set aside: until the next list, or the next import that states their number. */
function licensesSetAside(
  unread: readonly Unread[],
  facts: readonly Fact<LicenseRow>[],
  closings: readonly Closing[],
): UnreadLicense[] {
  const ofLicenses = unread.filter((one): one is UnreadLicense => one.kind === 'license');
  return ofLicenses.filter(({ commandAt, licenseNumber }) => {
    const number = licenseNumber === null ? undefined : comparableNumber(licenseNumber);
    return !(
      closings.some((list) => list.commandAt > commandAt) ||
      facts.some(
        (fact) =>
          fact.commandAt > commandAt &&
          fact.by === 'import' &&
          rowsOf([fact]).some((row) => comparableNumber(row.licenseNumber) === number),
      )
    );
  });
}

function homeOf<License extends LicenseRow>(
  states: readonly StateCoverage<License>[],
): HomeCoverage<License> {
  const licensed: (Days & { row: License })[] = [];
  const resident: Term<LicenseRow>[] = [];
  for (const { terms, orders } of states) {
    const inForce = orders.filter(({ isCeaseAndDesist }) => !isCeaseAndDesist);
    for (const term of terms) {
      if (term.kind !== 'producer') continue;
      if (term.isResident) resident.push(term);
      for (const span of term.spans) {
        if (!isResident(span.row)) continue;
        const days = daysInForce(span).flatMap((one) => withoutGaps(one, inForce));
        licensed.push(...days.map((one) => ({ ...one, row: span.row })));
      }
    }
  }
  resident.sort((one, other) => compare(one.begins, other.begins) || compare(one.statedBy, other.statedBy));
  return {
    licensed,
    begun: (day) => resident.findLast(({ begins }) => begins <= day)?.statedBy,
    begins: resident.map(({ begins }) => begins),
  };
}

/** The rows that cover a day, each once: of a license or an appointment, the row by which it is in force. */
export function coveringOn<License extends LicenseRow, Appointment extends AppointmentRow>(
  coverage: Coverage<License, Appointment>,
  day: CalendarDate,
): { readonly licenses: readonly License[]; readonly appointments: readonly Appointment[] } {
  const states = [...coverage.values()];
  const ofDay = <Row>(spans: readonly (Days & { readonly row: Row })[]): Row[] =>
    spans.filter((span) => includes(span, day)).map(({ row }) => row);
  return {
    licenses: states.flatMap(({ terms }) =>
      terms.flatMap(({ spans }) =>
        spans.filter((span) => daysInForce(span).some((days) => includes(days, day))).map(({ row }) => row),
      ),
    ),
    appointments: states.flatMap(({ appointments }) => appointments.flatMap(({ spans }) => ofDay(spans))),
  };
}

/** Days from one to another on which what a state's records come to may change: with the first, and the day after the last. */
function* changesOf({ terms, statusDates, orders, appointments }: StateCoverage): Generator<Days> {
  for (const { begins, ownEnds, spans, unknown } of terms) {
    for (const { from, ownEnd } of ownEnds) yield { from, until: ownEnd };
    yield { from: begins, until: never };
    for (const span of spans) {
      yield span;
      for (const ofLine of span.lines.values()) {
        yield* ofLine;
        for (const { undatedBefore } of ofLine) yield { from: undatedBefore ?? never, until: never };
      }
    }
    yield* unknown;
  }
  for (const from of statusDates()) yield { from, until: never };
  yield* orders;
  for (const { spans, unknown, changes } of appointments) {
    yield* spans;
    yield* unknown;
    for (const { from } of changes) yield { from, until: never };
  }
}

function* changesAtHome({ licensed, begins }: HomeCoverage): Generator<Days> {
  yield* licensed;
  for (const from of begins) yield { from, until: never };
}

/**
 * The first day after this one on which what the records of some states come to may change, or whether the holder is licensed at
 * home, whatever is said of kinds of classes.
 */
export function nextChangeOf(
  coverage: Coverage,
  day: CalendarDate,
  stateCodes: Iterable<string> = coverage.keys(),
): CalendarDate | null {
  let [begins, ends] = [never, never];
  const count = ({ from, until }: Days): void => {
    if (from > day && from < begins) begins = from;
    if (until >= day && until < ends) ends = until;
  };
  for (const stateCode of stateCodes) {
    const state = coverage.get(stateCode);
    if (state !== undefined) for (const days of changesOf(state)) count(days);
  }
  for (const days of changesAtHome(coverage.home)) count(days);
  const next = begins > ends ? dayAfter(ends) : begins;
  return next === never ? null : next;
}

const firstDays = new WeakMap<StateCoverage, readonly CalendarDate[]>();

/**
 * The first of the days around this one on which an answer about a holder in a state is the same in each word, but for appointments
 * that are due: by what the records come to, and by when they were recorded.
 */
export function firstDayAlike(coverage: Coverage, stateCode: string, day: CalendarDate): CalendarDate {
  const state = coverage.get(stateCode);
  if (state === undefined) return always;
  const known = firstDays.get(state) ?? firstDaysOf(state, coverage);
  firstDays.set(state, known);
  return known.findLast((first) => first <= day) ?? always;
}

function firstDaysOf(state: StateCoverage, coverage: Coverage): CalendarDate[] {
  const { terms, appointments } = state;
  // Only a non-resident license depends on those of the home states.
  const ofHome = terms.every(({ isResident }) => isResident) ? [] : changesAtHome(coverage.home);
  const changes = [...changesOf(state), ...ofHome];
  const days = [
    ...changes.map(({ from }) => from),
    ...changes.flatMap(({ until }) => (until === always || until === never ? [] : dayAfter(until))),
    ...[...terms, ...appointments].map(({ recordedFrom }) => recordedFrom),
  ];
  return [...new Set(days)].sort(compare);
}
