import type { CalendarDate } from '../../platform/dates/dates.ts';
import { appointmentsAmong, changeDate, changeKey, meantBy } from './appointment-identity.ts';
import { kindOf } from './appointment-timeline.ts';
import { knownOn } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  comparableNumber,
  counting,
  type Fact,
  inOrder,
  isPresentAt,
  type LicenseRow,
  type ListKind,
  rowsOf,
  termKey,
} from './facts.ts';
import { mayEnd } from './license-ends.ts';
import { beginsOf, presenceOf, statementInForce } from './license-history.ts';
import { isCoded, isLive, mayBeOneClass } from './license-identity.ts';

/** A row, and the first day for which an import says so. */
export interface GivenRow<Row> {
  readonly row: Row;
  readonly validFrom: CalendarDate | null;
}

/** How rows of a kind are identified and compared. */
export interface RowKind<Row> {
  readonly kind: ListKind;
  /** Tells the term or the status change that a row is of, among rows some of which may have another key for it. */
  readonly identityAmong: (rows: readonly Row[]) => (row: Row, validFrom: CalendarDate | null) => string;
  /** Tells whether a row of an import, among rows, means more than the same row of a list, which facts may already say. */
  readonly meansMoreAmong: (rows: readonly Row[]) => (row: Row, facts: readonly Fact<Row>[]) => boolean;
  /**
   * Tells whether facts say, since a time, what a row of a command undoes, or is undone by.
   * @param rows that the command states.
   */
  readonly isUndoneAmong: (
    facts: readonly Fact<Row>[],
    rows: readonly Row[],
  ) => (
    row: Row,
    command: {
      readonly since: string;
      readonly day: CalendarDate;
      readonly isList: boolean;
    },
  ) => boolean;
  /**
   * Tells whether a row of a command is recorded though it only repeats what is, since others of its rows are new: what it says of
   * one license number counts as a whole, whatever is said later of classes.
   */
  readonly beside: (added: readonly Row[]) => (row: Row) => boolean;
  /** Tells whether rows of two keys, among rows, are of one term or status change for what deletes one of them. */
  readonly isOneAmong: (rows: readonly Row[]) => (one: GivenRow<Row>, other: GivenRow<Row>) => boolean;
  readonly keyOf: (row: Row, validFrom: CalendarDate | null) => string;
  /** The rows that count among the facts of a key, where a new one would count from `validFrom`, or from when they do. */
  readonly inForce: (
    facts: readonly Fact<Row>[],
    validFrom: CalendarDate | null,
    day: CalendarDate,
  ) => { readonly rows: readonly Row[] } | undefined;
}

export const placeOf = ({ stateCode, key }: { readonly stateCode: string; readonly key: string }): string =>
  `${stateCode} ${key}`;

/** Facts of a kind, by state and key, in the order of their commands. */
export type FactsByKey<Row> = ReadonlyMap<string, readonly Fact<Row>[]>;

/** The facts of a kind that count. */
export const factsByKey = <Row>(
  kind: ListKind,
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
): Map<string, Fact<Row>[]> => Map.groupBy(counting(kind, inOrder(facts), closings), placeOf);

/** The first row that was stated under a key; undefined where none was. */
export function givenRowOf<Row>(facts: readonly Fact<Row>[]): GivenRow<Row> | undefined {
  const first = facts.find((fact) => fact.what === 'stated');
  const [row] = first?.rows ?? [];
  return row === undefined ? undefined : { row, validFrom: first?.validFrom ?? null };
}

/** The facts of a term or a status change, in the order of their commands, key by key: a status change may have several keys. */
export type FactsOfOne<Row> = readonly (readonly Fact<Row>[])[];

export const factsOfEach = <Row>(
  known: FactsByKey<Row>,
  identityOf: ReturnType<RowKind<Row>['identityAmong']>,
): ReadonlyMap<string, FactsOfOne<Row>> =>
  Map.groupBy([...known.values()], (facts) => {
    const given = givenRowOf(facts);
    return given === undefined ? '' : identityOf(given.row, given.validFrom);
  });

/**
 * Whether a day has come, since a term was last stated, from which an import said otherwise: who repeats what was stated then says
 * it of this day too.
 */
export function isOutdated(kind: ListKind, ofKeys: FactsOfOne<unknown>, day: CalendarDate): boolean {
  const stated = inOrder(ofKeys.flat().filter((fact) => fact.what === 'stated'));
  const statedOn = stated.at(-1)?.commandAt;
  if (kind !== 'license' || statedOn === undefined) return false;
  return stated.some(
    ({ validFrom }) => validFrom !== null && knownOn(statedOn) < validFrom && validFrom <= day,
  );
}

/** The number of a license, among those of all states. */
export const numberOf = ({ stateCode, licenseNumber }: LicenseRow): string =>
  `${stateCode} ${comparableNumber(licenseNumber)}`;

/** Whether a row states the term live of which another one of its state is. */
const isLiveOf = (row: LicenseRow, other: LicenseRow): boolean =>
  isLive(row) &&
  numberOf(row) === numberOf(other) &&
  beginsOf(row) === beginsOf(other) &&
  mayBeOneClass(row, other);

export const licenseRows = <Row extends LicenseRow>(): RowKind<Row> => ({
  kind: 'license',
  keyOf: termKey,
  identityAmong(rows) {
    const uncoded = new Set(rows.filter((row) => !isCoded(row)).map(numberOf));
    return (row) =>
      placeOf({
        ...row,
        key: uncoded.has(numberOf(row)) ? `${numberOf(row)}#${beginsOf(row)}` : termKey(row),
      });
  },
  meansMoreAmong: () => () => false,
  isOneAmong:
    () =>
    ({ row }, { row: other }) =>
      numberOf(row) === numberOf(other) && beginsOf(row) === beginsOf(other) && mayBeOneClass(row, other),
  isUndoneAmong(facts, rows) {
    const ofNumbers = Map.groupBy(facts, (fact) => rowsOf([fact]).slice(0, 1).map(numberOf).join());
    const ofKeys = [...Map.groupBy(facts, placeOf).values()];
    /** The rows of a number that stood at a time. */
    const standing = (number: string, at: string): readonly Row[] =>
      ofKeys.flatMap((ofKey) => {
        const last = ofKey.findLast(({ what, commandAt }) => what === 'stated' && commandAt <= at);
        const said = ofKey.filter(({ commandId }) => commandId === last?.commandId);
        const known = rowsOf(said).filter((row) => numberOf(row) === number);
        return known.length > 0 && isPresentAt({ presence: presenceOf(ofKey) }, at) ? known : [];
      });
    const isLiveBeside = (end: Row, at: string): boolean =>
      standing(numberOf(end), at).some((one) => isLive(one) && mayBeOneClass(one, end));
    return (row, { since, day }) => {
      const ofNumber = ofNumbers.get(numberOf(row)) ?? [];
      if (!isLive(row)) {
        const isEnding = (other: Row): boolean => mayEnd(row, other, day);
        return ofNumber.some((fact) => fact.commandAt > since && rowsOf([fact]).some(isEnding));
      }
      /** Whether one of some rows ends this one, known at a time with others. */
      const isEndedBy = (ends: readonly Row[], known: () => readonly Row[], on: CalendarDate): boolean =>
        ends.some((end) => mayEnd(end, row, on) && !known().some((other) => isLiveOf(other, end)));
      return (
        ofNumber.some(
          (fact) =>
            (fact.commandAt >= since ||
              // An import is no return from an end of its own day, and the same import of a later day is one.
              (knownOn(fact.commandAt) === knownOn(since) && knownOn(since) < day)) &&
            isEndedBy(
              // A list that states the license live beside an end ends nothing.
              rowsOf([fact]).filter((end) => fact.by === 'import' || !isLiveBeside(end, fact.commandAt)),
              () => rowsOf(ofNumber.filter(({ commandAt }) => commandAt <= fact.commandAt)),
              knownOn(fact.commandAt),
            ),
        ) &&
        // What states the end too, as the command before did, says nothing new.
        !isEndedBy(
          rows.filter((other) => numberOf(other) === numberOf(row)),
          () => [...rowsOf(ofNumber), ...rows],
          day,
        )
      );
    };
  },
  beside(added) {
    const numbers = new Set(added.map(numberOf));
    return (row) => numbers.has(numberOf(row));
  },
  inForce: statementInForce,
});

/** Which codes licenses give a line is not known here. */
const anyCode = () => ({ has: () => true });

const amongStates = <Row extends AppointmentRow>(rows: readonly Row[]) =>
  new Map(
    Array.from(
      Map.groupBy(rows, ({ stateCode }) => stateCode),
      ([state, ofState]) => [state, appointmentsAmong(ofState)],
    ),
  );

/** Tells the status change that a row is of, among rows that may call its company otherwise. */
function changeAmong<Row extends AppointmentRow>(rows: readonly Row[]) {
  const ofStates = amongStates(rows);
  return (row: Row, validFrom: CalendarDate | null): string =>
    JSON.stringify([row.stateCode, ofStates.get(row.stateCode)?.keyOf(row), changeDate(row, validFrom)]);
}

export const appointmentRows = <Row extends AppointmentRow>(): RowKind<Row> => ({
  kind: 'appointment',
  keyOf: changeKey,
  identityAmong: changeAmong,
  isUndoneAmong(facts, rows) {
    const ofStates = amongStates([...rowsOf(facts), ...rows]);
    const factsOf = Map.groupBy(facts, ({ stateCode }) => stateCode);
    const ends = rows.filter((row) => kindOf(row) === 'end');
    const live = new Set(
      rows
        .filter((row) => kindOf(row) === 'live')
        .map((row) => placeOf({ ...row, key: changeKey(row, null) })),
    );
    return (row, { since, isList }) => {
      if (isList) return false;
      const { appointments, keyOf } = ofStates.get(row.stateCode) ?? appointmentsAmong([row]);
      const isMeantBy = (end: Row, other: Row): boolean => {
        const own = end.stateCode === other.stateCode ? appointments.get(keyOf(end)) : undefined;
        return (
          own !== undefined &&
          meantBy(own, appointments.values(), anyCode).some(({ key }) => key === keyOf(other))
        );
      };
      // An end ends once more what it means and was stated live since, or of its day by the same command, but is not any more.
      if (kindOf(row) === 'end') {
        return (factsOf.get(row.stateCode) ?? []).some(
          (fact) =>
            fact.what === 'stated' &&
            fact.commandAt >= since &&
            fact.rows.some(
              (other) =>
                kindOf(other) === 'live' &&
                (keyOf(row) === keyOf(other) || isMeantBy(row, other)) &&
                (fact.commandAt > since ||
                  (changeDate(other, fact.validFrom) === changeDate(row, null) && !live.has(placeOf(fact)))),
            ),
        );
      }
      // Of what one import states of a day, the live row counts: also beside an end that is of another appointment and means this
      // one.
      return (
        kindOf(row) === 'live' &&
        ends.some((end) => changeDate(end, null) === changeDate(row, null) && isMeantBy(end, row))
      );
    };
  },
  beside: () => () => false,
  isOneAmong(rows) {
    const changeOf = changeAmong(rows);
    return (one, other) => changeOf(one.row, one.validFrom) === changeOf(other.row, other.validFrom);
  },
  meansMoreAmong(rows) {
    const ofStates = amongStates(rows);
    // An end of an import may mean other appointments, also ones that become known later.
    return (row, facts) => {
      if (kindOf(row) !== 'end') return false;
      const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);
      const isFirst = !rowsOf(counting.filter(({ by }) => by === 'import')).some(
        (one) => kindOf(one) === 'end',
      );
      const { appointments, keyOf } = ofStates.get(row.stateCode) ?? appointmentsAmong([row]);
      const own = appointments.get(keyOf(row));
      return isFirst || (own !== undefined && meantBy(own, appointments.values(), anyCode).length > 0);
    };
  },
  inForce(facts) {
    const last = facts.at(-1);
    return last?.what === 'stated'
      ? { rows: rowsOf(facts.filter(({ commandId }) => commandId === last.commandId)) }
      : undefined;
  },
});
