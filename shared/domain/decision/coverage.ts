import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { type AppointmentCoverage, appointmentsOf } from './appointments.ts';
import { type Days, dayAfter, includes, never } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  counting,
  type Fact,
  type HolderFacts,
  knownBy,
  type LicenseRow,
  type ListKind,
} from './facts.ts';
import { type LicensesOfState, licensesOf } from './license-terms.ts';

/** When a holder's licenses and appointments of one state are in force, as known at a moment. */
export interface StateCoverage<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> extends LicensesOfState<License> {
  readonly appointments: readonly AppointmentCoverage<Appointment>[];
}

/** By state, when a holder's licenses and appointments are in force, as known at a moment. */
export type Coverage<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> = ReadonlyMap<string, StateCoverage<License, Appointment>>;

/** A coverage, as a question about one state reads it. */
export type StateCoverages<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> = Pick<Coverage<License, Appointment>, 'get'>;

/**
 * Turns what is recorded of a holder into the days on which licenses and appointments are in force (OpenAPI,
 * "How compliance is decided"). The order of the facts does not matter.
 * @param knownAt ISO time in UTC: what was recorded later does not exist.
 */
export function coverageOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  knownAt: string,
): Coverage<License, Appointment> {
  const closings = knownBy(facts.closings, knownAt);
  const licenses = byState(counting('license', knownBy(facts.licenses, knownAt), closings));
  const appointments = byState(counting('appointment', knownBy(facts.appointments, knownAt), closings));
  const listsOf = (kind: ListKind, stateCode: string): Closing[] =>
    closings.filter((list) => list.kind === kind && list.stateCode === stateCode);
  return new Map(
    Array.from(new Set([...licenses.keys(), ...appointments.keys()]), (stateCode) => {
      const ofLicenses = licenses.get(stateCode) ?? [];
      const ofAppointments = appointments.get(stateCode) ?? [];
      return [
        stateCode,
        {
          ...licensesOf(ofLicenses, listsOf('license', stateCode)),
          appointments: appointmentsOf(ofAppointments, listsOf('appointment', stateCode)).appointments,
        },
      ];
    }),
  );
}

const byState = <Row>(facts: readonly Fact<Row>[]): Map<string, Fact<Row>[]> =>
  groupBy(facts, ({ stateCode }) => stateCode);

/** The rows that cover a day, each once: of a license or an appointment, the row by which it is in force. */
export function coveringOn<License extends LicenseRow, Appointment extends AppointmentRow>(
  coverage: Coverage<License, Appointment>,
  day: CalendarDate,
): { readonly licenses: readonly License[]; readonly appointments: readonly Appointment[] } {
  const ofDay = <Row>(spans: readonly (Days & { readonly row: Row })[]): Row[] =>
    spans.filter((span) => includes(span, day)).map(({ row }) => row);
  const states = [...coverage.values()];
  return {
    licenses: states.flatMap(({ terms }) => terms.flatMap(({ spans }) => ofDay(spans))),
    appointments: states.flatMap(({ appointments }) => appointments.flatMap(({ spans }) => ofDay(spans))),
  };
}

/** Days from one to another on which what a state's records come to may change: with the first, and the day after the last. */
function* changesOf({ terms, appointments }: StateCoverage): Generator<Days> {
  for (const { begins, ownEnds, spans } of terms) {
    for (const { from, ownEnd } of ownEnds) yield { from, until: ownEnd };
    yield { from: begins, until: never };
    for (const span of spans) {
      yield span;
      for (const ofLine of span.lines.values()) yield* ofLine;
    }
  }
  for (const { spans, unknown, changes } of appointments) {
    yield* spans;
    yield* unknown;
    for (const { from } of changes) yield { from, until: never };
  }
}

/** The days on which what a state's records come to may change. */
export function boundariesOf(coverage: StateCoverage): Set<CalendarDate> {
  const days = new Set<CalendarDate>();
  for (const { from, until } of changesOf(coverage)) days.add(from).add(dayAfter(until));
  days.delete(never);
  return days;
}

/** The first of them after a day: it takes less than to know them all. */
export function nextChangeOf(coverage: StateCoverage | undefined, day: CalendarDate): CalendarDate | null {
  if (coverage === undefined) return null;
  let [begins, ends] = [never, never];
  for (const { from, until } of changesOf(coverage)) {
    if (from > day && from < begins) begins = from;
    if (until >= day && until < ends) ends = until;
  }
  const next = begins > ends ? dayAfter(ends) : begins;
  return next === never ? null : next;
}

/** The first day after this one on which what the records of any state come to may change. */
export const nextChangeAmong = (coverage: Coverage, day: CalendarDate): CalendarDate | null =>
  Array.from(coverage.values(), (state) => nextChangeOf(state, day))
    .filter((next) => next !== null)
    .sort(compare)[0] ?? null;
