import type { CalendarDate } from '../../platform/dates/dates.ts';
import { coverageOf } from './coverage.ts';
import { never } from './dates.ts';
import {
  type AppointmentRow,
  distinct,
  type Fact,
  type HolderFacts,
  type LicenseRow,
  rowsOf,
} from './facts.ts';
import { keyFactsOf } from './license-history.ts';
import { licensesByKey } from './license-identity.ts';
import { daysInForce } from './license-terms.ts';
import { appointmentRows, type FactsByKey, factsByKey, licenseRows, type RowKind } from './row-kinds.ts';

/** Rows that are held under one key: of a term of a license, or of a status change of an appointment. */
export interface HeldRows<Row> {
  readonly key: string;
  readonly stateCode: string;
  readonly rows: readonly [Row, ...Row[]];
}

/** What is held: all that lists without a day show. */
interface PresentRows<License, Appointment> {
  readonly licenses: readonly HeldRows<License>[];
  readonly appointments: readonly HeldRows<Appointment>[];
  /** By state and `licenseKey`, which license it is of. */
  readonly licensesByKey: ReadonlyMap<string, string>;
}

/**
 * The rows that are held on a day: those that count of what was stated and no list left out; and those that a list left out
 * but which cover the day or a later one, as the former term of a license that was renewed early does.
 */
export function presentRows<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  today: CalendarDate,
): PresentRows<License, Appointment> {
  const licenses = factsByKey('license', facts.licenses, facts.closings);
  const appointments = factsByKey('appointment', facts.appointments, facts.closings);
  const isLeftOut = [...licenses.values(), ...appointments.values()].some((ofKey) =>
    ofKey.some(({ what }) => what === 'left out'),
  );
  const covering = isLeftOut ? coveringRows(facts, today) : new Set<License | Appointment>();
  return {
    licenses: held(licenseRows<License>(), licenses, covering, today),
    appointments: held(appointmentRows<Appointment>(), appointments, covering, today),
    licensesByKey: byKey([...licenses.values()]),
  };
}

function byKey<License extends LicenseRow>(
  licenses: readonly (readonly Fact<License>[])[],
): Map<string, string> {
  const keys = licenses.map(keyFactsOf).filter((one) => one !== undefined);
  return new Map(
    Array.from(Map.groupBy(keys, ({ row }) => row.stateCode)).flatMap(([stateCode, ofState]) =>
      Array.from(licensesByKey(ofState), ([key, license]) => [`${stateCode} ${key}`, license] as const),
    ),
  );
}

/** The rows that cover a day or a later one. */
function coveringRows<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  today: CalendarDate,
): Set<License | Appointment> {
  const rows = new Set<License | Appointment>();
  for (const { terms, appointments } of coverageOf(facts, never).values()) {
    for (const span of terms.flatMap(({ spans }) => spans)) {
      if (daysInForce(span).some(({ until }) => until >= today)) rows.add(span.row);
    }
    for (const { until, row } of appointments.flatMap(({ spans }) => spans)) {
      if (until >= today) rows.add(row);
    }
  }
  return rows;
}

function held<Row extends LicenseRow | AppointmentRow>(
  { inForce }: RowKind<Row>,
  known: FactsByKey<Row>,
  covering: ReadonlySet<object>,
  today: CalendarDate,
): HeldRows<Row>[] {
  /** Of what begins later, what counts then; of what a list left out, what still covers. */
  const heldOf = (facts: readonly Fact<Row>[]): readonly Row[] =>
    (inForce(facts, null, today) ?? inForce(facts, null, never))?.rows ??
    rowsOf(facts).filter((row) => covering.has(row));
  return Array.from(known.values(), (facts): HeldRows<Row>[] => {
    const [fact] = facts;
    const [row, ...rows] = distinct(heldOf(facts));
    return fact === undefined || row === undefined
      ? []
      : [{ key: fact.key, stateCode: fact.stateCode, rows: [row, ...rows] }];
  }).flat();
}
