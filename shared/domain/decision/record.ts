import type { CalendarDate } from '../../platform/dates/dates.ts';
import type { UnreadRow } from '../registry/registry.ts';
import { knownOn } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  distinct,
  type Fact,
  type HolderFacts,
  inOrder,
  isSameSet,
  isSameUnread,
  type LicenseRow,
  type ListKind,
  listKinds,
  missingIn,
  type Recording,
  rowsOf,
  type Unread,
} from './facts.ts';
import { mayBeLifted } from './orders.ts';
import {
  appointmentRows,
  type FactsByKey,
  type FactsOfOne,
  factsByKey,
  factsOfEach,
  type GivenRow,
  givenRowOf,
  isOutdated,
  licenseRows,
  placeOf,
  type RowKind,
} from './row-kinds.ts';

/** Orders a command among others. */
export type Command = Omit<Recording, 'recordedAt'>;

/** A fact or a closing that is to be recorded. */
export type ToRecord<One> = One extends unknown ? Omit<One, 'recordedAt' | 'by'> : never;

/** What a command adds to what is recorded. */
export interface Recorded<License, Appointment> {
  readonly licenses: readonly ToRecord<Fact<License>>[];
  readonly appointments: readonly ToRecord<Fact<Appointment>>[];
  readonly closings: readonly ToRecord<Closing>[];
  readonly unread: readonly ToRecord<Unread>[];
}

/** The complete lists of a poll; a list that is undefined says nothing. */
export interface Lists<License, Appointment> {
  readonly licenses: readonly License[] | undefined;
  readonly appointments: readonly Appointment[] | undefined;
  /** Rows of the lists that cannot be read: in their states the list of their kind ends nothing. */
  readonly unread?: readonly UnreadRow[] | undefined;
}

/** A row of an import. */
export interface ImportedRow<Row> extends GivenRow<Row> {
  /** It never was. */
  readonly isDeleted: boolean;
}

const listsAmong = (kind: ListKind, closings: readonly Closing[]): ReadonlySet<string> =>
  new Set(closings.filter((list) => list.kind === kind).map(({ commandId }) => commandId));

/** What a poll's complete list adds: what it states otherwise than what is recorded, and what it leaves out. */
function listed<Row extends LicenseRow | AppointmentRow>(
  { kind, keyOf, identityAmong, isUndoneAmong, beside, inForce }: RowKind<Row>,
  known: FactsByKey<Row>,
  closings: readonly Closing[],
  rows: readonly Row[],
  command: Command,
): ToRecord<Fact<Row>>[] {
  const day = knownOn(command.commandAt);
  const lists = listsAmong(kind, closings);
  const identityOf = identityAmong([...[...known.values()].flatMap(rowsOf), ...rows]);
  const factsOf = factsOfEach(known, identityOf);
  /** Whether an import has spoken since of the same status change, under another key. */
  const isSuperseded = (row: Row, facts: readonly Fact<Row>[]): boolean => {
    const last = inOrder((factsOf.get(identityOf(row, null)) ?? []).flat()).at(-1);
    return last !== undefined && last.commandId !== facts.at(-1)?.commandId && !lists.has(last.commandId);
  };
  const isUndone = isUndoneAmong([...known.values()].flat(), rows);
  const places = Map.groupBy(rows, (row) => placeOf({ ...row, key: keyOf(row, null) }));
  const missing = leftOut(known, places, command);
  const stated = Array.from(places, ([place, listedRows]) => {
    const ofPlace = distinct(listedRows);
    const facts = known.get(place) ?? [];
    const since = facts.at(-1)?.commandAt ?? command.commandAt;
    const isNothingNew =
      isSameSet(ofPlace, inForce(facts, null, day)?.rows ?? []) &&
      ofPlace.every(
        (row) =>
          !isSuperseded(row, facts) &&
          !isOutdated(kind, factsOf.get(identityOf(row, null)) ?? [], day) &&
          !isUndone(row, { since, day, isList: true }),
      );
    return { rows: ofPlace, isAdded: !isNothingNew };
  });
  const isBeside = beside([
    ...stated.flatMap((one) => (one.isAdded ? one.rows : [])),
    ...missing.flatMap((one) => rowsOf(known.get(placeOf(one)) ?? [])),
  ]);
  const added = stated.flatMap(({ rows: ofPlace, isAdded }): ToRecord<Fact<Row>>[] => {
    const [first] = ofPlace;
    if (first === undefined || !(isAdded || ofPlace.some(isBeside))) return [];
    const { stateCode } = first;
    return [
      { what: 'stated', stateCode, key: keyOf(first, null), rows: ofPlace, validFrom: null, ...command },
    ];
  });
  return [...added, ...missing];
}

/** What a complete list leaves out of what is stated. @param places what it names. */
const leftOut = <Row>(
  known: FactsByKey<Row>,
  places: Pick<ReadonlySet<string>, 'has'>,
  command: Command,
): ToRecord<Fact<Row>>[] =>
  Array.from(known, ([place, facts]): ToRecord<Fact<Row>>[] => {
    const last = facts.at(-1);
    if (last?.what !== 'stated' || places.has(place)) return [];
    return [{ what: 'left out', stateCode: last.stateCode, key: last.key, ...command }];
  }).flat();

/** Rows that a command states under a key from the same day on. */
interface StatementOf<Row> {
  readonly key: string;
  readonly validFrom: CalendarDate | null;
  readonly rows: readonly Row[];
}

/** What a command stated as another one does. */
const statedBy = <Row>(
  facts: readonly Fact<Row>[],
  commandId: string | undefined,
  { key, validFrom }: StatementOf<Row>,
): readonly Row[] =>
  rowsOf(facts.filter((fact) => fact.commandId === commandId && isOfStatement(fact, { key, validFrom })));

const isOfStatement = (
  fact: Fact<unknown>,
  { key, validFrom }: Pick<StatementOf<unknown>, 'key' | 'validFrom'>,
): boolean => fact.what === 'stated' && fact.key === key && fact.validFrom === validFrom;

/**
 * Whether the last command that spoke of something said just this: an import that is repeated adds nothing.
 * @param retracted what the import retracts, by state and key.
 */
function isRepeated<Row extends object>(
  ofKeys: FactsOfOne<Row>,
  statements: readonly StatementOf<Row>[],
  retracted: ReadonlySet<string>,
  lists: ReadonlySet<string>,
): boolean {
  // What is retracted already is not retracted again, whichever command did it.
  const facts = inOrder(ofKeys.flat()).filter(
    (fact) => fact.what !== 'retracted' || !retracted.has(placeOf(fact)),
  );
  const commandId = facts.at(-1)?.commandId ?? '';
  // A list names all that it does not leave out, and states only what it changes.
  const said =
    ofKeys.length > 1 && lists.has(commandId)
      ? ofKeys.flatMap((ofKey) => {
          const last = ofKey.at(-1);
          return last?.what === 'stated' ? ofKey.filter((fact) => fact.commandId === last.commandId) : [];
        })
      : facts.filter((fact) => fact.commandId === commandId);
  return (
    said.every((fact) => statements.some((one) => isOfStatement(fact, one))) &&
    statements.every((one) => isSameSet(one.rows, rowsOf(said.filter((fact) => isOfStatement(fact, one)))))
  );
}

/** What rows of an import add. Others are not spoken of; one that is recorded already adds nothing. */
function imported<Row extends LicenseRow | AppointmentRow>(
  { kind, keyOf, identityAmong, meansMoreAmong, isUndoneAmong, beside, isOneAmong, inForce }: RowKind<Row>,
  recorded: readonly Fact<Row>[],
  { closings, unread }: Pick<HolderFacts, 'closings' | 'unread'>,
  lines: readonly ImportedRow<Row>[],
  command: Command,
): ToRecord<Fact<Row>>[] {
  const known = factsByKey(kind, recorded, closings);
  const day = knownOn(command.commandAt);
  const placeOfLine = ({ row, validFrom }: ImportedRow<Row>): string =>
    placeOf({ ...row, key: keyOf(row, validFrom) });
  const heldRows = [...known.values()].flatMap(rowsOf);
  const deleted = new Set<string>();
  const deleting = lines.filter(({ isDeleted }) => isDeleted);
  if (deleting.length > 0) {
    const isOne = isOneAmong([...heldRows, ...lines.map(({ row }) => row)]);
    const isOfDeleted = (given: GivenRow<Row> | undefined): boolean =>
      given !== undefined && deleting.some((line) => isOne(line, given));
    for (const line of lines) if (line.isDeleted || isOfDeleted(line)) deleted.add(placeOfLine(line));
    for (const [place, facts] of known) if (isOfDeleted(givenRowOf(facts))) deleted.add(place);
  }
  const stating = lines.filter((line) => !deleted.has(placeOfLine(line)));
  const rows = [...heldRows, ...stating.map(({ row }) => row)];
  const identityOf = identityAmong(rows);
  const meansMore = meansMoreAmong(rows);
  const isUndone = isUndoneAmong(
    [...known.values()].flat(),
    stating.map(({ row }) => row),
  );
  const factsOf = factsOfEach(known, identityOf);
  const lists = listsAmong(kind, closings);
  /** When the last list spoke since facts of one state were recorded, or recorded the last of them. */
  const listedAt = (facts: readonly Fact<Row>[]): string | undefined => {
    const last = facts.at(-1);
    return inOrder(closings).findLast(
      (list) => list.kind === kind && list.stateCode === last?.stateCode && list.commandAt >= last.commandAt,
    )?.commandAt;
  };
  /** Whether a row that the import may make good was set aside with facts of one state, or since they were recorded. */
  const isSetAsideSince = (facts: readonly Fact<Row>[]): boolean => {
    const last = facts.at(-1);
    return unread.some(
      (one) =>
        last !== undefined &&
        one.kind === kind &&
        one.stateCode === last.stateCode &&
        one.commandAt >= last.commandAt,
    );
  };
  const groups = Array.from(
    Map.groupBy(stating, ({ row, validFrom }) => identityOf(row, validFrom)),
    ([identity, ofOne]) => {
      const ofKeys = factsOf.get(identity) ?? [];
      const facts = inOrder(ofKeys.flat());
      const statements = Array.from(
        Map.groupBy(ofOne, (line) => `${placeOfLine(line)} ${line.validFrom ?? ''}`).values(),
        ([first, ...others]) => ({
          key: first === undefined ? '' : keyOf(first.row, first.validFrom),
          validFrom: first?.validFrom ?? null,
          rows: distinct([first, ...others].flatMap((line) => line?.row ?? [])),
        }),
      );
      // What a command states of one is one, in however many calls it comes: all of it is recorded, or nothing.
      const isBegun = facts.some(({ commandId }) => commandId === command.commandId);
      const isInForce =
        ofKeys.length === 1 &&
        statements.every(
          ({ key, validFrom, rows }) =>
            key === facts[0]?.key && isSameSet(rows, inForce(facts, validFrom, day)?.rows ?? []),
        );
      const listed = listedAt(facts);
      const since = listed ?? facts.at(-1)?.commandAt;
      const isAnew =
        isSetAsideSince(facts) ||
        ofOne.some(
          ({ row }) =>
            (listed !== undefined && meansMore(row, facts)) ||
            (since !== undefined && isUndone(row, { since, day, isList: false })),
        );
      const added = statements.flatMap((one): (ToRecord<Fact<Row>> & { what: 'stated' })[] => {
        const [first, ...others] = missingIn(one.rows, statedBy(facts, command.commandId, one));
        if (first === undefined) return [];
        const { key, validFrom } = one;
        const { stateCode } = first;
        return [{ what: 'stated', stateCode, key, rows: [first, ...others], validFrom, ...command }];
      });
      const isRecorded =
        isInForce ||
        (isRepeated(ofKeys, statements, deleted, lists) &&
          !(statements.some(({ validFrom }) => validFrom === null) && isOutdated(kind, ofKeys, day)));
      const isAdded = isBegun || isAnew || !isRecorded;
      return { ofOne, added, isAdded };
    },
  );
  const isBeside = beside(
    groups.flatMap(({ added, isAdded }) => (isAdded ? added.flatMap((fact) => fact.rows) : [])),
  );
  const stated = groups.flatMap(({ ofOne, added, isAdded }) =>
    isAdded || ofOne.some(({ row }) => isBeside(row)) ? added : [],
  );
  const retracted = [...deleted].flatMap((place): ToRecord<Fact<Row>>[] => {
    const last = known.get(place)?.at(-1);
    if (last === undefined || last.what === 'retracted') return [];
    const { stateCode, key } = last;
    return [{ what: 'retracted', stateCode, key, ...command }];
  });
  return [...stated, ...retracted];
}

/** What happened in a state. */
interface Happening {
  readonly stateCode: string;
  readonly commandAt: string;
}

/** States of which something happened after their last lists. */
function statesSince(lists: readonly Closing[], happened: readonly Happening[]): string[] {
  const closedAt = new Map<string, string>();
  for (const { stateCode, commandAt } of lists) {
    if (commandAt > (closedAt.get(stateCode) ?? '')) closedAt.set(stateCode, commandAt);
  }
  return happened.flatMap(({ stateCode, commandAt }) =>
    commandAt > (closedAt.get(stateCode) ?? '') ? stateCode : [],
  );
}

/**
 * Rows of a command that are set aside, each once, without those that are already, and that nothing has made good since.
 * @param imported what imports stated, also the command itself.
 */
function newlyUnread(
  rows: readonly UnreadRow[],
  { closings, unread }: Pick<HolderFacts, 'closings' | 'unread'>,
  imported: readonly Happening[],
  command: Command,
): ToRecord<Unread>[] {
  const isMadeGood = ({ kind, stateCode, commandAt }: Unread): boolean =>
    [...closings.filter((list) => list.kind === kind), ...imported].some(
      (later) => later.stateCode === stateCode && later.commandAt > commandAt,
    );
  return distinct(rows)
    .filter((row) => !unread.some((known) => isSameUnread(known, row) && !isMadeGood(known)))
    .map((row) => ({ ...row, ...command }));
}

const importedOf = (facts: readonly Fact<unknown>[]): Fact<unknown>[] =>
  facts.filter(({ by }) => by === 'import');

/**
 * The states whose complete list of a kind must be recorded as a whole: something of it is new, or was recorded, set aside, or not
 * found after the last list, or an order ends if a list still states a license live, or the first list comes beside actions.
 * @param added what the list adds.
 */
function statesToClose<Row>(
  kind: ListKind,
  known: FactsByKey<Row>,
  { closings, unread, notFound, actions }: Omit<HolderFacts, 'licenses' | 'appointments'>,
  added: readonly ToRecord<Fact<Row>>[],
  command: Command,
): string[] {
  const lists = closings.filter((one) => one.kind === kind);
  const states = new Set([...[...known.values()].flat(), ...lists].map(({ stateCode }) => stateCode));
  const toClose = [
    ...added.map(({ stateCode }) => stateCode),
    ...statesSince(lists, [
      ...Array.from(known.values(), (ofKey) => ofKey.slice(-1)).flat(),
      ...unread.filter((one) => one.kind === kind),
      // The registry has found the NPN, also where it states nothing else.
      ...(kind === 'license' && lists.length === 0 ? actions : []),
      ...inOrder(notFound)
        .slice(-1)
        .flatMap(({ commandAt }) => Array.from(states, (stateCode) => ({ stateCode, commandAt }))),
    ]),
    ...Array.from(Map.groupBy(kind === 'license' ? inOrder(actions) : [], ({ stateCode }) => stateCode))
      .filter(([state, ofState]) =>
        mayBeLifted(
          ofState,
          lists.filter(({ stateCode }) => stateCode === state),
          command,
        ),
      )
      .map(([state]) => state),
  ];
  return [...new Set(toClose)];
}

/** What a poll's list of a kind adds, and the closings of the lists by state; nothing where there is no list. */
function ofList<Row extends LicenseRow | AppointmentRow>(
  rowKind: RowKind<Row>,
  facts: readonly Fact<Row>[],
  others: Omit<HolderFacts, 'licenses' | 'appointments'>,
  list: readonly Row[] | undefined,
  setAside: readonly UnreadRow[],
  command: Command,
) {
  if (list === undefined) return { added: [], closings: [], unread: [] };
  const { kind } = rowKind;
  const { closings } = others;
  const odd = setAside.filter((one) => one.kind === kind);
  const endsNothing = new Set(odd.map(({ stateCode }) => stateCode));
  const known = factsByKey(kind, facts, closings);
  const added = listed(rowKind, known, closings, list, command).filter(
    ({ what, stateCode }) => what !== 'left out' || !endsNothing.has(stateCode),
  );
  return {
    added,
    closings: statesToClose(kind, known, others, added, command)
      .filter((stateCode) => !endsNothing.has(stateCode))
      .map((stateCode) => ({ kind, stateCode, ...command })),
    unread: newlyUnread(odd, others, importedOf(facts), command),
  };
}

/**
 * What a poll of the registry adds to what is recorded of a holder: nothing where its lists say what is recorded. The
 * closings are to be written after everything else.
 * @param facts with the regulatory actions that the poll states.
 */
export function recordLists<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  lists: Lists<License, Appointment>,
  command: Command,
): Recorded<License, Appointment> {
  const { unread = [] } = lists;
  const licenses = ofList(licenseRows<License>(), facts.licenses, facts, lists.licenses, unread, command);
  const rows = appointmentRows<Appointment>();
  const appointments = ofList(rows, facts.appointments, facts, lists.appointments, unread, command);
  return {
    licenses: licenses.added,
    appointments: appointments.added,
    closings: [...licenses.closings, ...appointments.closings],
    unread: [...licenses.unread, ...appointments.unread],
  };
}

/** What lines of an import add to what is recorded of a holder. */
export function recordImport<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  lines: {
    readonly licenses: readonly ImportedRow<License>[];
    readonly appointments: readonly ImportedRow<Appointment>[];
    /** Rows that cannot be read. */
    readonly unread?: readonly UnreadRow[] | undefined;
  },
  command: Command,
): Recorded<License, Appointment> {
  const setAside = lines.unread ?? [];
  // What the import sets aside again, it does not make good.
  const others = {
    ...facts,
    unread: facts.unread.filter((known) => !setAside.some((row) => isSameUnread(known, row))),
  };
  const licenses = imported(licenseRows<License>(), facts.licenses, others, lines.licenses, command);
  const rows = appointmentRows<Appointment>();
  const appointments = imported(rows, facts.appointments, others, lines.appointments, command);
  const stated = {
    license: [...importedOf(facts.licenses), ...licenses],
    appointment: [...importedOf(facts.appointments), ...appointments],
  };
  const unreadOf = (kind: ListKind): ToRecord<Unread>[] =>
    newlyUnread(
      setAside.filter((row) => row.kind === kind),
      facts,
      stated[kind],
      command,
    );
  return { licenses, appointments, closings: [], unread: listKinds.flatMap(unreadOf) };
}

/** The rows that a complete import has of a holder in some states, which are recorded already. */
export interface CompleteList<Row> {
  readonly stateCodes: ReadonlySet<string>;
  readonly lines: readonly ImportedRow<Row>[];
}

/** What a complete import leaves out of what was recorded by its time, and the closings of its lists. */
function ofCompleteList<Row extends LicenseRow | AppointmentRow>(
  { kind, keyOf }: RowKind<Row>,
  facts: readonly Fact<Row>[],
  others: Omit<HolderFacts, 'licenses' | 'appointments'>,
  { stateCodes, lines }: CompleteList<Row>,
  command: Command,
) {
  const known = factsByKey(kind, facts, others.closings);
  const named = new Set(lines.map(({ row, validFrom }) => placeOf({ ...row, key: keyOf(row, validFrom) })));
  const earlier = new Map(
    Array.from(known).filter(([, ofKey]) => ofKey.every(({ commandAt }) => commandAt <= command.commandAt)),
  );
  const added = leftOut(earlier, named, command).filter(({ stateCode }) => stateCodes.has(stateCode));
  const closings = statesToClose(kind, known, others, added, command)
    .filter((stateCode) => stateCodes.has(stateCode))
    .map((stateCode) => ({ kind, stateCode, ...command }));
  return { added, closings };
}

/**
 * What a complete import adds to what is recorded of a holder once its lines are: what its lists leave out. The closings are to
 * be written after everything else.
 */
export function recordComplete<License extends LicenseRow, Appointment extends AppointmentRow>(
  facts: HolderFacts<License, Appointment>,
  lists: { readonly licenses: CompleteList<License>; readonly appointments: CompleteList<Appointment> },
  command: Command,
): Recorded<License, Appointment> {
  const licenses = ofCompleteList(licenseRows<License>(), facts.licenses, facts, lists.licenses, command);
  const rows = appointmentRows<Appointment>();
  const appointments = ofCompleteList(rows, facts.appointments, facts, lists.appointments, command);
  return {
    licenses: licenses.added,
    appointments: appointments.added,
    closings: [...licenses.closings, ...appointments.closings],
    unread: [],
  };
}
