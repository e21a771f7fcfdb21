import { by } from './days.ts';
import {
  distinctRows,
  type HolderRecords,
  type RecordedReport,
  type RecordedStatement,
  type Recording,
  type RecordKind,
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

/** Recordings in the order in which they count. */
export const inOrder = <One extends Pick<Recording, 'at' | 'recordedAt' | 'id'>>(
  recordings: readonly One[],
): One[] => recordings.toSorted(by(({ at, recordedAt, id }) => `${at} ${recordedAt} ${id}`));

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

type InState = { readonly stateCode: string };

/** Rows of a report by kind, which says nothing of a kind that it leaves out, and those that could not be read. */
interface Report<License, Appointment, Action> extends Omit<Recording, 'by' | 'writtenAt'> {
  readonly isFound: boolean;
  readonly licenses?: readonly License[] | undefined;
  readonly appointments?: readonly Appointment[] | undefined;
  readonly actions?: readonly Action[] | undefined;
  readonly unread?: readonly UnreadPlace[];
}

/** Addition of a report of the registry; nothing where it was recorded already. */
export function recordReport<License extends InState, Appointment extends InState, Action extends InState>(
  records: Statements<License, Appointment, Action> & Pick<HolderRecords, 'reports'>,
  report: Report<License, Appointment, Action>,
): Addition<License, Appointment, Action> {
  const { licenses, appointments, actions, unread = [], isFound, id, at, recordedAt } = report;
  const { reports } = records;
  if (reports.some((other) => other.id === id)) return nothingAdded;
  const recording = { id, at, recordedAt, by: 'registry' } as const;
  const kinds: RecordKind[] = [];
  /** Statements of one kind where the registry did not state the same before, and of the report after it, if it must. */
  const statementsOfKind = <Row extends InState>(
    storedStatements: readonly RecordedStatement<Row>[],
    kind: RecordKind,
    reportedRows: readonly Row[] | undefined,
  ): RecordedStatement<Row>[] => {
    if (reportedRows === undefined || !isFound) return [];
    kinds.push(kind);
    const ofStates = Map.groupBy(reportedRows, ({ stateCode }) => stateCode);
    const states = new Set([...ofStates.keys(), ...storedStatements.map(({ stateCode }) => stateCode)]);
    return [...states].flatMap((stateCode): RecordedStatement<Row>[] => {
      const rows = distinctRows(ofStates.get(stateCode) ?? []);
      const isPartlyUnread = isUnreadIn(unread, kind, stateCode);
      const ownStatement = { ...recording, stateCode, isComplete: !isPartlyUnread, isPartlyUnread, rows };
      const statements = statementsOf(storedStatements, reports, kind, stateCode).filter(isOfRegistry);
      const isBefore = (one: Recording): boolean => inOrder([recording, one])[0] === one;
      if (statesTheSame(statements.findLast(isBefore)?.rows ?? [], rows)) return [];
      const next = statements.find((one) => !isBefore(one));
      const isStored = storedStatements.some((one) => one.id === next?.id && one.stateCode === stateCode);
      return next === undefined || isStored ? [ownStatement] : [ownStatement, next];
    });
  };
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
  {
    licenses,
    appointments,
    actions,
  }: {
    readonly licenses?: ImportedRows<License>;
    readonly appointments?: ImportedRows<Appointment>;
    readonly actions?: ImportedRows<Action>;
  },
  { id, at, recordedAt }: Pick<Recording, 'id' | 'at' | 'recordedAt'>,
): Addition<License, Appointment, Action> {
  const statementsOfKind = <Row extends InState>(
    storedStatements: readonly RecordedStatement<Row>[],
    { rows, completeStates }: ImportedRows<Row> = { rows: [] },
  ): RecordedStatement<Row>[] =>
    Array.from(Map.groupBy(rows, ({ stateCode }) => stateCode)).flatMap(([stateCode, rowsOfState]) => {
      const ofState = storedStatements.filter((one) => one.stateCode === stateCode && !isOfRegistry(one));
      const imports = inOrder(ofState);
      const begunStatement = imports.find((statement) => statement.id === id);
      // Its calls before may have repeated what was stated last.
      const repeatedStatement = imports.find(({ repetitions = [] }) =>
        repetitions.some((moment) => moment.id === id),
      );
      const before = begunStatement ?? repeatedStatement;
      const isComplete = completeStates?.has(stateCode) === true;
      const ownStatement: RecordedStatement<Row> = {
        ...(begunStatement ?? { id, at, recordedAt, by: 'import', stateCode, isPartlyUnread: false }),
        isComplete,
        rows: distinctRows([...(before?.rows ?? []), ...rowsOfState]),
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
  return {
    licenses: statementsOfKind(records.licenses, licenses),
    appointments: statementsOfKind(records.appointments, appointments),
    actions: statementsOfKind(records.actions, actions),
  };
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
  return {
    ...records,
    licenses: withAdded(records.licenses, addition.licenses),
    appointments: withAdded(records.appointments, addition.appointments),
    actions: withAdded(records.actions, addition.actions),
    reports: addition.report === undefined ? records.reports : [...records.reports, addition.report],
  };
}
