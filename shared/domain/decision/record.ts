import { compare } from '#platform/data/keys.ts';
import {
  distinctRows,
  type HolderRecords,
  inFixedOrder,
  type RecordedReport,
  type RecordedStatement,
  type Recording,
  type RecordKind,
  recordKinds,
  type StatedRow,
  statesTheSame,
  type UnreadPlace,
} from './records.ts';

// What a report or a command of an import adds to what is recorded of a holder, and the statements that all of it comes to.

/** Statements of each kind. */
interface Statements<License, Appointment, Action> {
  readonly licenses: readonly RecordedStatement<License>[];
  readonly appointments: readonly RecordedStatement<Appointment>[];
  readonly actions: readonly RecordedStatement<Action>[];
}

/** Addition to what is recorded; a statement replaces that of its id, kind, and state. */
export interface Addition<License, Appointment, Action> extends Statements<License, Appointment, Action> {
  /** Absent where nothing of it is new. */
  readonly report?: RecordedReport | undefined;
}

export const nothingAdded: Addition<never, never, never> = { licenses: [], appointments: [], actions: [] };

/** The member of records, and of additions, that has the statements of each kind. */
const members = { license: 'licenses', appointment: 'appointments', 'regulatory action': 'actions' } as const;

/** Recordings in the order in which they count. */
export const inOrder = <One extends Recording>(recordings: readonly One[]): One[] =>
  recordings.toSorted(
    (one, other) =>
      compare(one.at, other.at) || compare(one.recordedAt, other.recordedAt) || compare(one.id, other.id),
  );

const isOfRegistry = ({ by }: Recording): boolean => by === 'registry';

/** Whether a row could not be read that is, or may be, of a kind and state. */
export const isUnreadIn = (
  unread: readonly UnreadPlace[],
  kind: RecordKind,
  stateCode: string | null,
): boolean => unread.some((place) => place.kind === kind && (place.stateCode ?? stateCode) === stateCode);

/**
 * The statements of one kind in a state, in the order in which they count: those that are recorded, repetitions of an import's, and
 * those of the registry's reports, which repeat what the registry stated before unless they have one of their own.
 * @param reports all of the holder.
 */
export function statementsOf<Row>(
  storedStatements: readonly RecordedStatement<Row>[],
  reports: readonly RecordedReport[],
  kind: RecordKind,
  stateCode: string,
): RecordedStatement<Row>[] {
  const ofState = storedStatements.filter((statement) => statement.stateCode === stateCode);
  const ids = new Set(ofState.filter(isOfRegistry).map(({ id }) => id));
  const impliedReports = reports.filter(
    ({ id, isFound, kinds }) => isFound && kinds.includes(kind) && !ids.has(id),
  );
  const repeatedStatement = ofState.flatMap(({ repetitions = [], ...statement }) => [
    statement,
    ...repetitions.map((moment) => ({ ...statement, ...moment })),
  ]);
  let rows: readonly StatedRow<Row>[] = [];
  return inOrder<RecordedStatement<Row> | RecordedReport>([...repeatedStatement, ...impliedReports]).map(
    (one) => {
      if ('rows' in one) {
        if (isOfRegistry(one)) rows = one.rows;
        return one;
      }
      const { unread, isFound: _, kinds: _kinds, ...recording } = one;
      const isPartlyUnread = isUnreadIn(unread, kind, stateCode);
      return { ...recording, stateCode, isComplete: !isPartlyUnread, isPartlyUnread, rows };
    },
  );
}

/** The rows of a report by kind: a kind that is left out, it says nothing of. */
export interface ReportedRows<License, Appointment, Action> {
  readonly licenses?: readonly License[] | undefined;
  readonly appointments?: readonly Appointment[] | undefined;
  readonly actions?: readonly Action[] | undefined;
}

type InState = { readonly stateCode: string };

/** Statements of a report of one kind where the registry did not state the same before, and of the report after it, if it must. */
function reportedStatements<Row extends InState>(
  { reports }: Pick<HolderRecords, 'reports'>,
  storedStatements: readonly RecordedStatement<Row>[],
  kind: RecordKind,
  reportedRows: readonly Row[],
  { id, at, recordedAt, by }: Recording,
  unread: readonly UnreadPlace[],
): RecordedStatement<Row>[] {
  const ofStates = Map.groupBy(reportedRows, ({ stateCode }) => stateCode);
  const states = new Set([...ofStates.keys(), ...storedStatements.map(({ stateCode }) => stateCode)]);
  return [...states].flatMap((stateCode): RecordedStatement<Row>[] => {
    const rows = inFixedOrder(distinctRows(ofStates.get(stateCode) ?? []));
    const isPartlyUnread = isUnreadIn(unread, kind, stateCode);
    const ownStatement = { id, at, recordedAt, by, stateCode };
    const statements = statementsOf(storedStatements, reports, kind, stateCode).filter(isOfRegistry);
    const isBefore = (one: Recording): boolean => inOrder([ownStatement, one])[0] === one;
    const before = statements.findLast(isBefore)?.rows ?? [];
    if (statesTheSame(before, rows)) return [];
    const next = statements.find((one) => !isBefore(one));
    return [
      { ...ownStatement, isComplete: !isPartlyUnread, isPartlyUnread, rows },
      ...(next === undefined ||
      storedStatements.some((one) => one.id === next.id && one.stateCode === stateCode)
        ? []
        : [next]),
    ];
  });
}

/** Addition of a report of the registry; nothing where it was recorded already. */
export function recordReport<License extends InState, Appointment extends InState, Action extends InState>(
  records: Statements<License, Appointment, Action> & Pick<HolderRecords, 'reports'>,
  {
    licenses,
    appointments,
    actions,
    unread = [],
    isFound,
    ...visit
  }: ReportedRows<License, Appointment, Action> & {
    readonly id: string;
    readonly at: string;
    readonly recordedAt: string;
    readonly isFound: boolean;
    readonly unread?: readonly UnreadPlace[];
  },
): Addition<License, Appointment, Action> {
  if (records.reports.some(({ id }) => id === visit.id)) return nothingAdded;
  const recording = { ...visit, by: 'registry' } as const;
  const kinds = recordKinds.filter(
    (kind) => isFound && { licenses, appointments, actions }[members[kind]] !== undefined,
  );
  const statementsOfKind = <Row extends InState>(
    storedStatements: readonly RecordedStatement<Row>[],
    kind: RecordKind,
    rows: readonly Row[] | undefined,
  ): RecordedStatement<Row>[] =>
    rows === undefined || !isFound
      ? []
      : reportedStatements(records, storedStatements, kind, rows, recording, unread);
  return {
    licenses: statementsOfKind(records.licenses, 'license', licenses),
    appointments: statementsOfKind(records.appointments, 'appointment', appointments),
    actions: statementsOfKind(records.actions, 'regulatory action', actions),
    report: { ...recording, isFound, kinds, unread: distinctPlaces(unread) },
  };
}

const distinctPlaces = (unread: readonly UnreadPlace[]): UnreadPlace[] => [
  ...new Map(unread.map(({ kind, stateCode }) => [`${kind} ${stateCode}`, { kind, stateCode }])).values(),
];

/** Rows of one kind that a command of an import states. */
export interface ImportedRows<Row> {
  readonly rows: readonly StatedRow<Row>[];
  /** The states of which these are all rows of the holder: nothing was rejected there, and nothing is to come. */
  readonly completeStates?: ReadonlySet<string>;
}

/** Addition of rows of an import. Its rows of one kind and state are one statement, in however many calls they come. */
export function recordImport<License extends InState, Appointment extends InState, Action extends InState>(
  records: Statements<License, Appointment, Action>,
  importedRows: {
    readonly licenses?: ImportedRows<License>;
    readonly appointments?: ImportedRows<Appointment>;
    readonly actions?: ImportedRows<Action>;
  },
  command: Pick<Recording, 'id' | 'at' | 'recordedAt'>,
): Addition<License, Appointment, Action> {
  return {
    licenses: importedStatements(records.licenses, importedRows.licenses, command),
    appointments: importedStatements(records.appointments, importedRows.appointments, command),
    actions: importedStatements(records.actions, importedRows.actions, command),
  };
}

function importedStatements<Row extends InState>(
  storedStatements: readonly RecordedStatement<Row>[],
  { rows, completeStates = new Set() }: ImportedRows<Row> = { rows: [] },
  { id, at, recordedAt }: Pick<Recording, 'id' | 'at' | 'recordedAt'>,
): RecordedStatement<Row>[] {
  return Array.from(Map.groupBy(rows, ({ stateCode }) => stateCode)).flatMap(([stateCode, ofState]) => {
    const imports = inOrder(
      storedStatements.filter((statement) => statement.stateCode === stateCode && !isOfRegistry(statement)),
    );
    const begunStatement = imports.find((statement) => statement.id === id);
    // Its calls before may have repeated what was stated last.
    const repeatedStatement = imports.find(({ repetitions = [] }) =>
      repetitions.some((moment) => moment.id === id),
    );
    const before = begunStatement ?? repeatedStatement;
    const isComplete = completeStates.has(stateCode);
    const ownStatement: RecordedStatement<Row> = {
      ...(begunStatement ?? { id, at, recordedAt, by: 'import', stateCode, isPartlyUnread: false }),
      isComplete,
      rows: inFixedOrder(distinctRows([...(before?.rows ?? []), ...ofState])),
    };
    const isSame = (one: RecordedStatement<Row>): boolean =>
      one.isComplete === isComplete && statesTheSame(one.rows, ownStatement.rows);
    if (before !== undefined && isSame(before)) return [];
    if (repeatedStatement !== undefined) {
      const repetitions = repeatedStatement.repetitions?.filter((moment) => moment.id !== id);
      return [{ ...repeatedStatement, repetitions }, ownStatement];
    }
    const last = imports.at(-1);
    const isRepetition =
      begunStatement === undefined && last !== undefined && lastMomentOf(last) < at && isSame(last);
    return isRepetition
      ? [{ ...last, repetitions: [...(last.repetitions ?? []), { id, at, recordedAt }] }]
      : [ownStatement];
  });
}

const lastMomentOf = ({ at, repetitions = [] }: RecordedStatement<unknown>): string =>
  repetitions.at(-1)?.at ?? at;

/** Records with what something adds. */
export function withAddition<Records extends HolderRecords>(
  records: Records,
  addition: Addition<
    Records['licenses'][number]['rows'][number],
    Records['appointments'][number]['rows'][number],
    Records['actions'][number]['rows'][number]
  >,
): Records {
  const withAdded = <Row>(
    storedStatements: readonly RecordedStatement<Row>[],
    more: readonly RecordedStatement<Row>[],
  ): RecordedStatement<Row>[] => {
    const keyOf = ({ id, stateCode, by }: RecordedStatement<Row>): string => `${by} ${stateCode} ${id}`;
    const keys = new Set(more.map(keyOf));
    return [...storedStatements.filter((one) => !keys.has(keyOf(one))), ...more];
  };
  const { report } = addition;
  return {
    ...records,
    licenses: withAdded(records.licenses, addition.licenses),
    appointments: withAdded(records.appointments, addition.appointments),
    actions: withAdded(records.actions, addition.actions),
    reports: report === undefined ? records.reports : [...records.reports, report],
  };
}
