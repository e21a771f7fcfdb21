import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { knownOn } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  changeKey,
  type Fact,
  type HolderFacts,
  inOrder,
  type LicenseRow,
  type ListKind,
  termKey,
} from './facts.ts';
import { statementInForce } from './license-history.ts';

/** Orders a command among others. */
export interface Command {
  readonly commandId: string;
  /** ISO time in UTC. */
  readonly commandAt: string;
}

/** A fact or a closing that is to be recorded. */
export type ToRecord<One> = One extends unknown ? Omit<One, 'recordedAt'> : never;

/** What a command adds to what is recorded. */
export interface Recorded<License, Appointment> {
  readonly licenses: readonly ToRecord<Fact<License>>[];
  readonly appointments: readonly ToRecord<Fact<Appointment>>[];
  readonly closings: readonly ToRecord<Closing>[];
}

/** The complete lists of a visit; a list that is undefined says nothing. */
export interface Lists<License, Appointment> {
  readonly licenses: readonly License[] | undefined;
  readonly appointments: readonly Appointment[] | undefined;
}

/** A row of an import. */
export interface ImportedRow<Row> {
  readonly row: Row;
  readonly validFrom: CalendarDate | null;
  /** It never was. */
  readonly isDeleted: boolean;
}

/** How rows of a kind are identified and compared. */
export interface RowKind<Row> {
  readonly keyOf: (row: Row, validFrom: CalendarDate | null) => string;
  /** The rows that count among the facts of a key, where a new one would count from `validFrom`, or from when they do. */
  readonly inForce: (
    facts: readonly Fact<Row>[],
    validFrom: CalendarDate | null,
    day: CalendarDate,
  ) => { readonly commandId: string; readonly rows: readonly Row[] } | undefined;
}

/** Our own members of a record, which no source states. */
const ownMembers = new Set(['registryDataSubscriptionId', 'npn', 'updatedAt', 'createdAt']);

const statedMembers = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ownMembers.has(name)));

/** Whether two rows state the same, whatever is our own in them. */
export const isSameRow = (one: object, other: object): boolean =>
  isDeepStrictEqual(statedMembers(one), statedMembers(other));

/** The rows of one list that another one lacks. */
const missingIn = <Row extends object>(rows: readonly Row[], others: readonly Row[]): Row[] =>
  rows.filter((row) => !others.some((other) => isSameRow(row, other)));

/** Each row once. */
export const distinct = <Row extends object>(rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => rows.findIndex((other) => isSameRow(row, other)) === index);

/** Facts of a kind, by state and key, in the order of their commands. */
export type FactsByKey<Row> = ReadonlyMap<string, readonly Fact<Row>[]>;

export const placeOf = ({ stateCode, key }: { readonly stateCode: string; readonly key: string }): string =>
  `${stateCode} ${key}`;

/** The facts of a kind, without what a list left out that is not complete. */
export function factsByKey<Row>(
  kind: ListKind,
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
): Map<string, Fact<Row>[]> {
  const lists = closings.filter((list) => list.kind === kind);
  const complete = new Set(lists.map(({ stateCode, commandId }) => `${stateCode} ${commandId}`));
  const counting = facts.filter(
    ({ what, stateCode, commandId }) => what !== 'left out' || complete.has(`${stateCode} ${commandId}`),
  );
  return groupBy(inOrder(counting), placeOf);
}

/** What a visit's complete list adds: what it states otherwise than what is recorded, and what it leaves out. */
function listed<Row extends LicenseRow | AppointmentRow>(
  { keyOf, inForce }: RowKind<Row>,
  known: FactsByKey<Row>,
  rows: readonly Row[],
  command: Command,
): ToRecord<Fact<Row>>[] {
  const day = knownOn(command.commandAt);
  const places = groupBy(rows, (row) => placeOf({ ...row, key: keyOf(row, null) }));
  const stated = Array.from(places, ([place, listedRows]): ToRecord<Fact<Row>>[] => {
    const ofPlace = distinct(listedRows);
    const [first] = ofPlace;
    if (first === undefined) return [];
    const now = inForce(known.get(place) ?? [], null, day)?.rows ?? [];
    if (missingIn(ofPlace, now).length + missingIn(now, ofPlace).length === 0) return [];
    const { stateCode } = first;
    return [
      { what: 'stated', stateCode, key: keyOf(first, null), rows: ofPlace, validFrom: null, ...command },
    ];
  });
  const leftOut = Array.from(known, ([place, facts]): ToRecord<Fact<Row>>[] => {
    const last = facts.at(-1);
    if (last?.what !== 'stated' || places.has(place)) return [];
    return [{ what: 'left out', stateCode: last.stateCode, key: last.key, ...command }];
  });
  return [...stated, ...leftOut].flat();
}

/** Whether the last command that spoke of a key stated just that: an import that is repeated adds nothing. */
function isRepeated<Row extends object>(
  facts: readonly Fact<Row>[],
  rows: readonly Row[],
  validFrom: CalendarDate | null,
): boolean {
  const last = facts.at(-1);
  const stated = facts.flatMap((fact) =>
    fact.what === 'stated' && fact.commandId === last?.commandId && fact.validFrom === validFrom
      ? fact.rows
      : [],
  );
  return last?.what === 'stated' && missingIn(rows, stated).length + missingIn(stated, rows).length === 0;
}

/** What rows of an import add. Others are not spoken of; one that is recorded already adds nothing. */
function imported<Row extends LicenseRow | AppointmentRow>(
  { keyOf, inForce }: RowKind<Row>,
  known: FactsByKey<Row>,
  lines: readonly ImportedRow<Row>[],
  command: Command,
): ToRecord<Fact<Row>>[] {
  const day = knownOn(command.commandAt);
  const placeOfLine = ({ row, validFrom }: ImportedRow<Row>): string =>
    placeOf({ ...row, key: keyOf(row, validFrom) });
  const deleted = new Set(lines.filter(({ isDeleted }) => isDeleted).map(placeOfLine));
  const statements = groupBy(
    lines.filter((line) => !deleted.has(placeOfLine(line))),
    (line) => `${placeOfLine(line)} ${line.validFrom ?? ''}`,
  );
  const stated = Array.from(statements.values(), (ofStatement): ToRecord<Fact<Row>>[] => {
    const [first] = ofStatement;
    if (first === undefined) return [];
    const { row, validFrom } = first;
    const key = keyOf(row, validFrom);
    const facts = known.get(placeOf({ ...row, key })) ?? [];
    const rows = distinct(ofStatement.map((one) => one.row));
    if (isRepeated(facts, rows, validFrom)) return [];
    const now = inForce(facts, validFrom, day);
    const added = missingIn(rows, now?.rows ?? []);
    // Lines of one command may come in several calls: together they are one statement.
    const isNew = now?.commandId !== command.commandId && missingIn(now?.rows ?? [], rows).length > 0;
    if (added.length === 0 && !isNew) return [];
    const { stateCode } = row;
    const fact = { what: 'stated' as const, stateCode, key, validFrom, ...command };
    return [{ ...fact, rows: now?.commandId === command.commandId ? added : rows }];
  });
  const retracted = lines
    .filter(({ isDeleted }) => isDeleted)
    .flatMap(({ row, validFrom }): ToRecord<Fact<Row>>[] => {
      const { stateCode } = row;
      const key = keyOf(row, validFrom);
      const last = known.get(placeOf({ stateCode, key }))?.at(-1);
      if (last === undefined || last.what === 'retracted') return [];
      return [{ what: 'retracted', stateCode, key, ...command }];
    });
  return [...stated.flat(), ...retracted];
}

/** The rows of facts, whatever became of them. */
const rowsOf = <Row>(facts: readonly Fact<Row>[]): readonly Row[] =>
  facts.flatMap((fact) => (fact.what === 'stated' ? fact.rows : []));

export const licenseRows = <Row extends LicenseRow>(): RowKind<Row> => ({
  keyOf: termKey,
  inForce: statementInForce,
});

export const appointmentRows = <Row extends AppointmentRow>(): RowKind<Row> => ({
  keyOf: changeKey,
  inForce(facts) {
    const last = facts.at(-1);
    if (last?.what !== 'stated') return undefined;
    return {
      commandId: last.commandId,
      rows: rowsOf(facts.filter((one) => one.commandId === last.commandId)),
    };
  },
});

/** States whose lists must be recorded as a whole: something of them is new, or an import stated it after the last list. */
function openStates<Row>(
  kind: ListKind,
  added: readonly ToRecord<Fact<Row>>[],
  known: FactsByKey<Row>,
  closings: readonly Closing[],
): Set<string> {
  const states = new Set(added.map(({ stateCode }) => stateCode));
  const closedAt = new Map<string, string>();
  for (const { kind: itsKind, stateCode, commandAt } of closings) {
    if (itsKind === kind && commandAt > (closedAt.get(stateCode) ?? '')) closedAt.set(stateCode, commandAt);
  }
  for (const facts of known.values()) {
    const last = facts.at(-1);
    if (last !== undefined && last.commandAt > (closedAt.get(last.stateCode) ?? ''))
      states.add(last.stateCode);
  }
  return states;
}

/**
 * What a visit of the registry adds to what is recorded of a holder: nothing where its lists say what is recorded. The
 * closings are to be written after everything else.
 */
export function recordLists<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  lists: Lists<License, Appointment>,
  command: Command,
): Recorded<License, Appointment> {
  const { closings } = facts;
  const knownLicenses = factsByKey('license', facts.licenses, closings);
  const knownAppointments = factsByKey('appointment', facts.appointments, closings);
  const { licenses: licenseList, appointments: appointmentList } = lists;
  const licenses =
    licenseList === undefined ? [] : listed(licenseRows<License>(), knownLicenses, licenseList, command);
  const appointments =
    appointmentList === undefined
      ? []
      : listed(appointmentRows<Appointment>(), knownAppointments, appointmentList, command);
  const closing = (kind: ListKind, states: Iterable<string>): ToRecord<Closing>[] =>
    Array.from(states, (stateCode) => ({ kind, stateCode, ...command }));
  return {
    licenses,
    appointments,
    closings: [
      ...(licenseList === undefined
        ? []
        : closing('license', openStates('license', licenses, knownLicenses, closings))),
      ...(appointmentList === undefined
        ? []
        : closing('appointment', openStates('appointment', appointments, knownAppointments, closings))),
    ],
  };
}

/** What lines of an import add to what is recorded of a holder. */
export function recordImport<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  lines: {
    readonly licenses: readonly ImportedRow<License>[];
    readonly appointments: readonly ImportedRow<Appointment>[];
  },
  command: Command,
): Recorded<License, Appointment> {
  const { closings } = facts;
  return {
    licenses: imported(
      licenseRows(),
      factsByKey('license', facts.licenses, closings),
      lines.licenses,
      command,
    ),
    appointments: imported(
      appointmentRows<Appointment>(),
      factsByKey('appointment', facts.appointments, closings),
      lines.appointments,
      command,
    ),
    closings: [],
  };
}
