import * as z from 'zod/mini';
import { MB, transactionBytes, transactionItems } from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { anyItem, parseStored, storedBytes, storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { coverageOf, emptyState, nextChangeOf, type StateCoverage } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import { dayAfter, never } from '../decision/dates.ts';
import { daysText } from '../decision/days-text.ts';
import { shownRows } from '../decision/held.ts';
import type { Holding } from '../decision/holdings.ts';
import { type Addition, withAddition } from '../decision/record.ts';
import {
  contentOf,
  type HolderRecords,
  type RecordedStatement,
  type StatedRow,
} from '../decision/records.ts';
import type { Appointment } from '../registry/resources.ts';
import { entryPrefix, licenseEntries } from './license-entries.ts';
import { checkDayItem, partitionOf, registryKeys } from './stored.ts';
import {
  actionsOf,
  type HolderCoverage,
  headItems,
  holderFields,
  type KeyedItem,
  pieceExpiresAt,
  piecesOf,
  type RecordedLicense,
  type RecordedRow,
  type RecordedRows,
  type Recorder,
  recordedStatement,
  recordKeys,
  recordsAmong,
  type StoredItem,
  type StoredRecords,
  statementItems,
} from './stored-records.ts';

// What is recorded of an NPN is written in one way: statements and reports, and the items of what is held, which are derived from
// all of them. Each transaction raises the number of the holder's version, so of two writers that read the same one is refused and
// begins again; the license sweep is one of them. Where a writer stops between transactions, the next one derives what is left.

/** The NPN that records are about, and the organization that has them. */
export interface Holder {
  readonly owner: string;
  readonly npn: string;
}

/** A holder as it is stored. */
export type StoredHolder = Awaited<ReturnType<typeof readHolder>>;

/** Additions of a report or of a command of an import. */
export interface HolderChange extends Addition<RecordedRow> {
  /** Items of rows that cannot be read, for operators. */
  readonly unreadable?: readonly StoredItem[] | undefined;
}

/** Outcome of a write of a holder. */
export interface WriteOutcome {
  /** Whether licenses or appointments changed: what lists show of them, or their days. */
  readonly isChanged: boolean;
  /** Whether anything changed on which compliance depends: these, or regulatory actions, or what is not known. */
  readonly isJudged: boolean;
}

/** The rows by which lists show licenses and appointments of a state on a day. */
const shownRowsOf = (
  { licenses, appointments }: StateCoverage<RecordedRows>,
  day: CalendarDate,
): (RecordedLicense | Appointment)[] =>
  [...licenses, ...appointments].flatMap((holding: Holding<DatedSource<RecordedLicense | Appointment>>) =>
    shownRows(holding, day),
  );

/** A statement whose rows have the time at which what they state was written first, as long as lists have shown it since. */
function withTimes(
  statement: RecordedStatement<RecordedRow>,
  { coverage }: Pick<StoredHolder, 'coverage'>,
  day: CalendarDate,
): RecordedStatement<RecordedRow> {
  const rowsNow = shownRowsOf(coverage.get(statement.stateCode) ?? emptyState, day);
  const times = new Map(rowsNow.map((row) => [contentOf(row), row.updatedAt]));
  const withTime = (row: StatedRow<RecordedRow>) => ({
    ...row,
    updatedAt: times.get(contentOf(row)) ?? row.updatedAt,
  });
  return { ...statement, rows: statement.rows.map(withTime) };
}

export type WrittenRecords = HolderRecords<RecordedRows>;

/** Milliseconds for which followers of lists wait for what is being written anyway (`updatedUntilLagMs`), with room. */
const soonMs = 10_000;

/** A recording with when it was written, where that is much later: an import is recorded at the beginning of its command. */
const withWriteTime = <Kind extends { readonly recordedAt: string }>(recording: Kind, time: Date): Kind =>
  time.getTime() > Date.parse(recording.recordedAt) + soonMs
    ? { ...recording, writtenAt: time.toISOString() }
    : recording;

/** A statement, or its last repetition, with when it was written. */
const statementWithWriteTime = <Row>(
  statement: RecordedStatement<Row>,
  time: Date,
): RecordedStatement<Row> => {
  const [last, ...earlier] = (statement.repetitions ?? []).toReversed();
  return last === undefined
    ? withWriteTime(statement, time)
    : { ...statement, repetitions: [...earlier.toReversed(), withWriteTime(last, time)] };
};

/** Derives what a change writes, and in which pieces before the transactions; nothing where all of it is stored. */
function writesOf(
  table: TableItems,
  holder: Holder,
  { isSilent }: Recorder,
  storedHolder: StoredHolder,
  { report: newReport, unreadable = [], statements }: HolderChange,
  time: Date,
) {
  const { owner, npn } = holder;
  const today = newYorkDate(time);
  const report = newReport && withWriteTime(newReport, time);
  // Statements as they are read back: what is derived of the same ones is the same.
  const addedStatements = statements.map((stated) =>
    parseStored(recordedStatement, statementWithWriteTime(withTimes(stated, storedHolder, today), time)),
  );
  const records = withAddition(storedHolder.records, { statements: addedStatements, report });
  const coverage = coverageOf(records, never);

  const [before, after] = [daysText(storedHolder.coverage), daysText(coverage)];
  const shownRowsOfAll = (states: HolderCoverage) =>
    [...states.keys()].sort().flatMap((stateCode) => shownRowsOf(states.get(stateCode) ?? emptyState, today));
  const isChanged =
    storedHolder.unfinished?.isChanged === true ||
    before.held !== after.held ||
    !isDeepStrictEqual(shownRowsOfAll(storedHolder.coverage), shownRowsOfAll(coverage));
  const isJudged =
    isChanged ||
    storedHolder.unfinished?.isJudged === true ||
    before.others !== after.others ||
    !isDeepStrictEqual(actionsOf(storedHolder.coverage), actionsOf(coverage));

  const packedItems = [
    ...addedStatements.map((statement) => statementItems(owner, npn, statement)),
    ...[...coverage.keys()].flatMap((stateCode) => {
      const state = coverage.get(stateCode);
      return state === undefined ? [] : headItems(owner, npn, stateCode, state, today);
    }),
  ];
  const entries = [...coverage.values()].flatMap(({ licenses }) =>
    licenses.flatMap((holding) =>
      licenseEntries(owner, holding, time, { items: storedHolder.items, isSilent }),
    ),
  );
  const entryKeys = new Set(entries.map(({ sk }) => sk));
  const goneKeys = [...storedHolder.items.keys()].filter(
    (sk) => sk.startsWith(entryPrefix) && !entryKeys.has(sk),
  );
  const next = nextChangeOf(coverage, today);
  // No report follows a silent change: the sweep of the next day finds from when an appointment is overdue by then.
  const isToBeChecked = isChanged && isSilent && records.sales.length > 0;
  const checkDays = [...(next === null ? [] : [next]), ...(isToBeChecked ? [dayAfter(today)] : [])];
  const puts = (items: readonly KeyedItem[]): TransactionItem[] =>
    items
      .filter((item) => !isDeepStrictEqual(item, storedHolder.items.get(item.sk)))
      .map((item) => table.put(item));
  const pieces = packedItems.flatMap((item) => item.pieces);
  const holderItem = storedHolder.items.get(recordKeys.holder(owner, npn).sk) ?? {};
  const ofStates = Map.groupBy(packedItems, ({ item }) => item['stateCode']);
  const others = [
    ...puts(entries),
    ...checkDays
      .filter((day) => !storedHolder.items.has(registryKeys.checkDay(owner, npn, day).sk))
      .map((day) => table.put(checkDayItem(owner, npn, day))),
    ...goneKeys.map((sk) => table.delete({ pk: partitionOf(owner, npn), sk })),
  ];
  /** Writes, of which those in one list are of one transaction. */
  const writes = [
    ...unreadable.map((item) => [table.put(item)]),
    ...expiringPieces(table, holder, storedHolder, packedItems, time).map((write) => [write]),
    // What is known of a state is written with the statements by which it is known.
    ...Array.from(ofStates.values(), (ofState) => puts(ofState.map(({ item }) => item))),
    ...others.map((write) => [write]),
  ];
  return {
    pieces: pieces.filter(({ sk }) => {
      const item = storedHolder.items.get(sk);
      return item === undefined || 'expiresAt' in item;
    }),
    fields: Object.fromEntries(
      Object.entries(holderFields(records, coverage)).filter(
        ([name, value]) => !isDeepStrictEqual(holderItem[name], value),
      ),
    ),
    writes,
    outcome: { isChanged, isJudged },
    records,
    coverage,
  };
}

/**
 * The writes after which pieces that no statement names are deleted some days later, when nobody reads them any more. Who is about to
 * name one is refused by the version, and writes it again.
 */
function expiringPieces(
  table: TableItems,
  { owner, npn }: Holder,
  { items }: StoredHolder,
  packedItems: readonly { readonly item: KeyedItem }[],
  time: Date,
): TransactionItem[] {
  const after = new Map([...items, ...packedItems.map(({ item }) => [item.sk, item] as const)]);
  const namedPieces = new Set([...after.values()].flatMap(piecesOf));
  return Array.from(items).flatMap(([sk, item]) =>
    'piece' in item && !('expiresAt' in item) && !namedPieces.has(sk)
      ? [table.update({ pk: partitionOf(owner, npn), sk }, { expiresAt: pieceExpiresAt(time) })]
      : [],
  );
}

const holderVersion = storedItem('registry-records/holder-version', {
  version: z._default(z.int(), 0),
  /** Outcome of a writer that stopped between two transactions. */
  unfinished: z.optional(z.object({ isChanged: z.boolean(), isJudged: z.boolean() })),
});

/** Reads what is stored of a holder; nothing of it is older than its version. */
async function readHolder(table: Table, { owner, npn }: Holder) {
  /** All items by sort key. */
  const items = new Map<string, StoredItem>();
  for await (const page of table.query(anyItem, partitionOf(owner, npn), { consistent: true })) {
    for (const item of page) items.set(String(item['sk']), item);
  }
  const { version, unfinished } = parseStored(
    holderVersion,
    items.get(recordKeys.holder(owner, npn).sk) ?? {},
  );
  const records = recordsAmong([...items.values()]);
  return { version, unfinished, records, coverage: coverageOf(records, never), items };
}

/** Items that the transactions contain besides. */
export interface AdditionalItems {
  /** Items of the first transaction, where something changes on which compliance depends: one at most. */
  readonly moves?:
    | ((before: StoredRecords, after: WrittenRecords) => Promise<readonly TransactionItem[]>)
    | undefined;
  /**
   * Items of the last transaction, three at most.
   * @param outcome what is written; where something is, some of it with these items.
   * @param storedHolder what was stored before.
   */
  readonly last: (outcome: WriteOutcome, storedHolder: StoredHolder) => readonly TransactionItem[];
}

/** Writes of a transaction, besides its version and the last items. */
const writesAtOnce = transactionItems - 5;

/** Bytes of these. */
const bytesAtOnce = transactionBytes - MB;

const bytesOf = (writes: readonly TransactionItem[]): number =>
  writes.reduce((bytes, { write: { Put } }) => bytes + storedBytes(Put?.Item ?? {}), 0);

export const createHolderRecords = (table: Table, now: () => Date) => ({
  /**
   * Decides upon what is stored what to record, and writes it, with what is known by then; again when another writer came first.
   * After a failure a repetition goes on with what is left.
   * @param decide what it reads was written by everybody whose transactions are done. It must not have effects.
   * @returns whether licenses or appointments changed, what is known of the holder now, the items that were read, and what was decided.
   * @throws TransactionContention when other writers were faster each time; what the additional items are refused with.
   */
  record: <Change extends HolderChange>(
    { owner, npn }: Holder,
    recorder: Recorder,
    decide: (storedHolder: StoredHolder) => Change,
    { moves, last }: AdditionalItems,
  ) =>
    retryOnConflict(async () => {
      const storedHolder = await readHolder(table, { owner, npn });
      const change = decide(storedHolder);
      const holderWrites = writesOf(table.items, { owner, npn }, recorder, storedHolder, change, now());
      const { pieces, fields, writes, outcome: written, records, coverage } = holderWrites;
      for (const piece of pieces) await table.put(piece);
      let firstItems = written.isJudged ? ((await moves?.(storedHolder.records, records)) ?? []) : [];
      let { version } = storedHolder;
      /** A transaction, of which all raise the holder's version: of two writers that read the same one, the second is refused. */
      const transact = async (
        items: readonly TransactionItem[],
        changes: Readonly<Record<string, unknown>> & { readonly unfinished: WriteOutcome | undefined },
      ): Promise<void> => {
        const raisedVersion = table.items.update(
          recordKeys.holder(owner, npn),
          { ...changes, version: version + 1 },
          { version: version === 0 ? undefined : version },
          () => new VersionConflict('Another writer changed the records of the holder.'),
        );
        await table.transact([...items, ...firstItems, raisedVersion]);
        version += 1;
        firstItems = [];
      };
      const transactions = chunks(writes, {
        count: writesAtOnce,
        countOf: ({ length }) => length,
        size: { bytes: bytesAtOnce, of: bytesOf },
      }).map((lists) => lists.flat());
      for (const items of transactions.slice(0, -1)) await transact(items, { unfinished: written });
      const rest = [...last(written, storedHolder), ...transactions.slice(-1).flat()];
      const isLeft = rest.length + firstItems.length + Object.keys(fields).length > 0;
      // A report is listed when all that it says is written: until then whoever comes again writes the rest.
      if (isLeft || storedHolder.unfinished !== undefined)
        await transact(rest, { ...fields, unfinished: undefined });
      return { isChanged: written.isChanged, coverage, items: storedHolder.items, change };
    }),
});
