import { by } from './days.ts';
import {
  distinctRows,
  type HolderRecords,
  type RecordedReport,
  type RecordedStatement,
  type Recording,
  type RecordKind,
  type RowOf,
  type RowsOfKinds,
  recordKinds,
  type SaleDay,
  type StatedRow,
  statesTheSame,
  type UnreadPlace,
} from './records.ts';

// What a report or a command of an import adds to what is recorded of a holder, and the statements that all of it comes to.

/** Addition to what is recorded; a statement replaces that of its id, kind, and state. */
export interface Addition<Row> {
  readonly statements: readonly RecordedStatement<Row>[];
  /** Absent where nothing of it is new. */
  readonly report?: RecordedReport | undefined;
}

export const nothingAdded: Addition<never> = { statements: [] };

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
  const ofState = storedStatements.filter((one) => one.kind === kind && one.stateCode === stateCode);
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
      return { ...recording, kind, stateCode, isComplete: !isPartlyUnread, isPartlyUnread, rows };
    },
  );
}

type InState = { readonly stateCode: string };

/** Rows of a report by kind, which says nothing of a kind that it leaves out, and those that could not be read. */
interface Report<Row> extends Omit<Recording, 'by' | 'writtenAt'> {
  readonly isFound: boolean;
  readonly rows?: { readonly [Kind in RecordKind]?: readonly Row[] | undefined };
  readonly unread?: readonly UnreadPlace[];
}

/** Addition of a report of the registry; nothing where it was recorded already. */
export function recordReport<Row extends InState>(
  { statements, reports }: Pick<HolderRecords, 'reports'> & Addition<Row>,
  { rows: reportedRows = {}, unread = [], isFound, id, at, recordedAt }: Report<Row>,
): Addition<Row> {
  if (reports.some((other) => other.id === id)) return nothingAdded;
  const recording = { id, at, recordedAt, by: 'registry' } as const;
  const isBefore = (one: Recording): boolean => inOrder([recording, one])[0] === one;
  /** Statements of one kind where the registry did not state the same before, and of the report after it, if it must. */
  const statementsOfKind = (kind: RecordKind): RecordedStatement<Row>[] => {
    const ofStates = Map.groupBy(reportedRows[kind] ?? [], ({ stateCode }) => stateCode);
    const statedStates = statements.flatMap((one) => (one.kind === kind ? one.stateCode : []));
    return [...new Set([...ofStates.keys(), ...statedStates])].flatMap((stateCode) => {
      const rows = distinctRows(ofStates.get(stateCode) ?? []);
      const isPartlyUnread = isUnreadIn(unread, kind, stateCode);
      const isComplete = !isPartlyUnread;
      const ownStatement = { ...recording, kind, stateCode, isComplete, isPartlyUnread, rows };
      const ofRegistry = statementsOf(statements, reports, kind, stateCode).filter(isOfRegistry);
      if (statesTheSame(ofRegistry.findLast(isBefore)?.rows ?? [], rows)) return [];
      const next = ofRegistry.find((one) => !isBefore(one));
      const isStored = statements.some(
        (one) => one.id === next?.id && one.kind === kind && one.stateCode === stateCode,
      );
      return next === undefined || isStored ? [ownStatement] : [ownStatement, next];
    });
  };
  const kinds = recordKinds.filter((kind) => isFound && reportedRows[kind] !== undefined);
  return {
    statements: kinds.flatMap(statementsOfKind),
    report: { ...recording, isFound, kinds, unread: distinctPlaces(unread) },
  };
}

const distinctPlaces = (unread: readonly UnreadPlace[]): UnreadPlace[] => [
  ...new Map(unread.map(({ kind, stateCode }) => [`${kind} ${stateCode}`, { kind, stateCode }])).values(),
];

/** Rows of one kind that a command of an import states. */
export interface ImportedRows<Row> {
  readonly kind: RecordKind;
  readonly rows: readonly StatedRow<Row>[];
  /** The states of which these are all rows of the holder: nothing was rejected there, and nothing is to come. */
  readonly completeStates?: ReadonlySet<string>;
}

/** Addition of rows of an import. Its rows of one kind and state are one statement, in however many calls they come. */
export function recordImport<Row extends InState>(
  { statements }: Addition<Row>,
  { kind, rows, completeStates }: ImportedRows<Row>,
  { id, at, recordedAt }: Pick<Recording, 'id' | 'at' | 'recordedAt'>,
): Addition<Row> {
  const statementsIn = (stateCode: string, rowsOfState: readonly StatedRow<Row>[]) => {
    const imports = inOrder(
      statements.filter((one) => one.kind === kind && one.stateCode === stateCode && !isOfRegistry(one)),
    );
    const begunStatement = imports.find((statement) => statement.id === id);
    // Its calls before may have repeated what was stated last.
    const repeatedStatement = imports.find(({ repetitions = [] }) =>
      repetitions.some((moment) => moment.id === id),
    );
    const before = begunStatement ?? repeatedStatement;
    const isComplete = completeStates?.has(stateCode) === true;
    const ownStatement: RecordedStatement<Row> = {
      ...(begunStatement ?? { id, at, recordedAt, by: 'import', kind, stateCode, isPartlyUnread: false }),
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
  };
  const ofStates = Map.groupBy(rows, ({ stateCode }) => stateCode);
  return { statements: [...ofStates].flatMap(([stateCode, ofState]) => statementsIn(stateCode, ofState)) };
}

const lastMomentOf = ({ at, repetitions = [] }: RecordedStatement): string => repetitions.at(-1)?.at ?? at;

/** Records with what something adds. */
export function withAddition<Rows extends RowsOfKinds, Sale extends SaleDay>(
  records: HolderRecords<Rows, Sale>,
  { statements, report }: Addition<RowOf<Rows>>,
): HolderRecords<Rows, Sale> {
  const keyOf = ({ id, kind, stateCode, by }: RecordedStatement): string =>
    `${by} ${kind} ${stateCode} ${id}`;
  const keys = new Set(statements.map(keyOf));
  return {
    ...records,
    statements: [...records.statements.filter((one) => !keys.has(keyOf(one))), ...statements],
    reports: report === undefined ? records.reports : [...records.reports, report],
  };
}
