import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { coverageOf, type StateCoverage } from '../decision/coverage.ts';
import { includes, never } from '../decision/dates.ts';
import type { Appointment } from './appointment.ts';
import type { RecordedFacts } from './facts.ts';
import type { AppointmentFilters, HeldRecords, LicenseFilters } from './held-records.ts';
import type { License } from './license.ts';

/** Without both, what is held now. */
interface OfDay {
  /** Only what covers that day, each as the row that covers it. */
  readonly asOf?: CalendarDate | undefined;
  /** With a day, ISO time in UTC: what was recorded later does not exist. */
  readonly knownAt?: string | undefined;
}

/** What an NPN holds now, or held on a day: one query. */
export interface RecordLists {
  licensesOf(owner: string, npn: string, filters?: LicenseFilters & OfDay): AsyncIterable<License[]>;
  appointmentsOf(
    owner: string,
    npn: string,
    filters?: AppointmentFilters & OfDay,
  ): AsyncIterable<Appointment[]>;
}

/** Each row of spans that include a day, once. */
const rowsOn = <Row>(
  ofRecords: readonly {
    readonly spans: readonly {
      readonly from: CalendarDate;
      readonly until: CalendarDate;
      readonly row: Row;
    }[];
  }[],
  day: CalendarDate,
): Row[] => [
  ...new Set(
    ofRecords.flatMap(({ spans }) => spans.filter((span) => includes(span, day)).map(({ row }) => row)),
  ),
];

export function createRecordLists({ factsOf }: RecordedFacts, held: HeldRecords): RecordLists {
  async function* covering<Row extends { readonly status: string }>(
    owner: string,
    npn: string,
    { stateCode, status, asOf, knownAt = never }: LicenseFilters & OfDay & { readonly asOf: CalendarDate },
    rowsOf: (coverage: StateCoverage<License, Appointment>, day: CalendarDate) => readonly Row[],
  ): AsyncGenerator<Row[]> {
    const coverage = coverageOf(await factsOf(owner, npn, stateCode), knownAt);
    for (const ofState of coverage.values()) {
      yield rowsOf(ofState, asOf).filter((row) => status === undefined || row.status === status);
    }
  }

  return {
    licensesOf: (owner, npn, { asOf, ...filters } = {}) =>
      asOf === undefined
        ? held.licensesOf(owner, npn, filters)
        : covering(owner, npn, { ...filters, asOf }, ({ terms }, day) => rowsOn(terms, day)),
    appointmentsOf: (owner, npn, { asOf, ...filters } = {}) =>
      asOf === undefined
        ? held.appointmentsOf(owner, npn, filters)
        : covering(owner, npn, { ...filters, asOf }, ({ appointments }, day) => rowsOn(appointments, day)),
  };
}
