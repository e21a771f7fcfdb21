import * as z from 'zod/mini';
import { MB, transactionBytes, transactionItems } from '#platform/aws/limits.ts';
import { object } from '#platform/contract/object.ts';
import { chunks } from '#platform/data/chunks.ts';
import type { Changes } from '#platform/data/expressions.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { compare } from '#platform/data/keys.ts';
import { anyItem, parseStored, type StoredSchema, storedItem } from '#platform/data/stored.ts';
import { storedBytes } from '#platform/data/stored-bytes.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { coverageOf, emptyState, nextChangeOf, type StateCoverage } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import { dayAfter, never } from '../decision/dates.ts';
import { shownRows } from '../decision/held.ts';
import type { Holding } from '../decision/holdings.ts';
import { type Addition, nothingAdded, withAddition } from '../decision/record.ts';
import type { HolderRecords, RecordedStatement, StatedRow } from '../decision/records.ts';
import { daysText, withoutRepeated, withoutRepeatedReport } from '../decision/repetition.ts';
import { contentOf } from '../decision/rows.ts';
import type { Appointment, RegulatoryAction } from '../registry/resources.ts';
import { entryPrefix, licenseEntries } from './license-entries.ts';
import { checkDayItem, partitionOf, registryKeys } from './stored.ts';
import {
  actionStatement,
  actionsOf,
  appointmentStatement,
  type HolderCoverage,
  headItems,
  holderFields,
  type KeyedItem,
  licenseStatement,
  pieceExpiresAt,
  piecesOf,
  type RecordedLicense,
  type Recorder,
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
export interface StoredHolder {
  readonly version: number;
  /** Outcome of a writer that stopped between two transactions. */
  readonly unfinished: Written | undefined;
  readonly records: StoredRecords;
  /** Coverage that follows from the records. */
  readonly coverage: HolderCoverage;
  /** All items by sort key. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/** Additions of a report or of a command of an import. */
export interface HolderChange extends Addition<RecordedLicense, Appointment, RegulatoryAction> {
  /** Items of rows that cannot be read, for operators. */
  readonly unreadable?: readonly StoredItem[] | undefined;
}

export const noChange: HolderChange = nothingAdded;

/** Outcome of a write of a holder. */
export interface Written {
  /** Whether licenses or appointments changed: what lists show of them, or their days. */
  readonly isChanged: boolean;
  /** Whether anything changed on which compliance depends: these, or regulatory actions, or what is not known. */
  readonly isJudged: boolean;
}

/** The rows by which lists show licenses and appointments of a state on a day. */
const shownRowsOf = (
  { licenses, appointments }: Pick<StateCoverage<RecordedLicense, Appointment>, 'licenses' | 'appointments'>,
  day: CalendarDate,
): (RecordedLicense | Appointment)[] =>
  [...licenses, ...appointments].flatMap((holding: Holding<DatedSource<RecordedLicense | Appointment>>) =>
    shownRows(holding, day),
  );

/** Rows with the time at which what they state was written first, as long as lists have shown it since. */
function withTimes<Row extends { readonly updatedAt: string }>(
  statements: readonly RecordedStatement<Row>[],
  { coverage }: Pick<StoredHolder, 'coverage'>,
  day: CalendarDate,
): RecordedStatement<Row>[] {
  return statements.map((statement) => {
    const shown = shownRowsOf(coverage.get(statement.stateCode) ?? emptyState, day);
    const times = new Map(shown.map((row) => [contentOf(row), row.updatedAt]));
    const timed = (row: StatedRow<Row>) => ({
      ...row,
      updatedAt: times.get(contentOf(row)) ?? row.updatedAt,
    });
    return { ...statement, rows: statement.rows.map(timed) };
  });
}

export type WrittenRecords = HolderRecords<RecordedLicense, Appointment, RegulatoryAction>;

/** Everything that a change of a holder writes. */
interface HolderWrites {
  /** Written before the transactions. */
  readonly pieces: readonly KeyedItem[];
  /** Changes of the holder's own item. */
  readonly fields: Changes;
  readonly writes: readonly TransactionItem[];
  readonly written: Written;
  readonly coverage: HolderCoverage;
  /** Records with the change. */
  readonly records: WrittenRecords;
}

/** Milliseconds for which followers of lists wait for what is being written anyway (`updatedUntilLagMs`), with room. */
const soonMs = 10_000;

/** A recording with when it was written, where that is much later: an import is recorded at the beginning of its command. */
const writtenOn = <One extends { readonly recordedAt: string }>(one: One, at: Date): One =>
  at.getTime() > Date.parse(one.recordedAt) + soonMs ? { ...one, writtenAt: at.toISOString() } : one;

/** A statement, or its last repetition, with when it was written. */
const statementWrittenOn = <Row>(statement: RecordedStatement<Row>, at: Date): RecordedStatement<Row> => {
  const [last, ...others] = (statement.repetitions ?? []).toReversed();
  return last === undefined
    ? writtenOn(statement, at)
    : { ...statement, repetitions: [...others.toReversed(), writtenOn(last, at)] };
};

/** Derives what a change writes; nothing where all of it is stored. */
function writesOf(
  table: TableItems,
  holder: Holder,
  { isSilent }: Recorder,
  stored: StoredHolder,
  { report: reported, unreadable = [], ...said }: HolderChange,
  at: Date,
): HolderWrites {
  const { owner, npn } = holder;
  const report = reported && writtenOn(reported, at);
  const recordsWith = (addition: Partial<HolderChange>) =>
    withAddition(stored.records, { ...nothingAdded, ...addition });
  /** Statements as they are read back: what is derived of the same ones is the same. */
  const statements = <Row, Schema extends StoredSchema>(
    all: readonly RecordedStatement<Row>[],
    schema: Schema,
    additionOf: (one: RecordedStatement<Row>) => Partial<HolderChange>,
  ): z.output<Schema>[] =>
    all.map((statement) => {
      const { repetitions, ...one } = withoutRepeated(statementWrittenOn(statement, at), (some) =>
        recordsWith(additionOf(some)),
      );
      return parseStored(schema, { ...one, repetitions });
    });
  const today = newYorkDate(at);
  const change = {
    licenses: statements(withTimes(said.licenses, stored, today), licenseStatement, (one) => ({
      licenses: [one],
    })),
    appointments: statements(withTimes(said.appointments, stored, today), appointmentStatement, (one) => ({
      appointments: [one],
    })),
    actions: statements(said.actions, actionStatement, (one) => ({ actions: [one] })),
  };
  const added = recordsWith({ ...change, report });
  const { records, coverage, days: after } = withoutRepeatedReport(added, report);

  const before = daysText(stored.coverage);
  const shownOf = (some: HolderCoverage) =>
    [...some.keys()].sort().flatMap((stateCode) => shownRowsOf(some.get(stateCode) ?? emptyState, today));
  const isChanged =
    stored.unfinished?.isChanged === true ||
    before.held !== after.held ||
    !isDeepStrictEqual(shownOf(stored.coverage), shownOf(coverage));
  const isJudged =
    isChanged ||
    stored.unfinished?.isJudged === true ||
    before.others !== after.others ||
    !isDeepStrictEqual(actionsOf(stored.coverage), actionsOf(coverage));

  const packed = [
    ...change.licenses.map((one) => statementItems(owner, npn, 'license', one)),
    ...change.appointments.map((one) => statementItems(owner, npn, 'appointment', one)),
    ...change.actions.map((one) => statementItems(owner, npn, 'regulatory action', one)),
    ...[...coverage.keys()].flatMap((stateCode) => {
      const state = coverage.get(stateCode);
      return state === undefined ? [] : headItems(owner, npn, stateCode, state, today);
    }),
  ];
  const entries = [...coverage.values()].flatMap(({ licenses }) =>
    licenses.flatMap((holding) => licenseEntries(owner, holding, at, { items: stored.items, isSilent })),
  );
  const shown = new Set(entries.map(({ sk }) => sk));
  const gone = [...stored.items.keys()].filter((sk) => sk.startsWith(entryPrefix) && !shown.has(sk));
  const next = nextChangeOf(coverage, today);
  // No report follows a silent change: the sweep of the next day finds from when an appointment is overdue by then.
  const isToBeChecked = isChanged && isSilent && records.sales.length > 0;
  const checkDays = [...(next === null ? [] : [next]), ...(isToBeChecked ? [dayAfter(newYorkDate(at))] : [])];
  const puts = (items: readonly KeyedItem[]): TransactionItem[] =>
    items
      .filter((item) => !isDeepStrictEqual(item, stored.items.get(item.sk)))
      .map((item) => table.put(item));
  const pieces = packed.flatMap((one) => one.pieces);
  const holderItem = stored.items.get(recordKeys.holder(owner, npn).sk) ?? {};
  const writes = [
    ...unreadable.map((item) => table.put(item)),
    ...expiringPieces(table, holder, stored, packed, at),
    // What is known of a state is written with the statements by which it is known.
    ...puts(packed.map(({ item }) => item).toSorted(byState)),
    ...puts(entries),
    ...checkDays
      .filter((day) => !stored.items.has(registryKeys.checkDay(owner, npn, day).sk))
      .map((day) => table.put(checkDayItem(owner, npn, day))),
    ...gone.map((sk) => table.delete({ pk: partitionOf(owner, npn), sk })),
  ];
  return {
    pieces: pieces.filter(({ sk }) => {
      const item = stored.items.get(sk);
      return item === undefined || 'expiresAt' in item;
    }),
    fields: Object.fromEntries(
      Object.entries(holderFields(records.reports, coverage)).filter(
        ([name, value]) => !isDeepStrictEqual(holderItem[name], value),
      ),
    ),
    writes,
    written: { isChanged, isJudged },
    records,
    coverage,
  };
}

const byState = (one: StoredItem, other: StoredItem): number =>
  compare(String(one['stateCode']), String(other['stateCode']));

/**
 * The writes after which pieces that no statement names are deleted some days later, when nobody reads them any more. Who is about to
 * name one is refused by the version, and writes it again.
 */
function expiringPieces(
  table: TableItems,
  { owner, npn }: Holder,
  { items }: StoredHolder,
  stated: readonly { readonly item: KeyedItem }[],
  at: Date,
): TransactionItem[] {
  const after = new Map([...items, ...stated.map(({ item }) => [item.sk, item] as const)]);
  const named = new Set([...after.values()].flatMap(piecesOf));
  return Array.from(items).flatMap(([sk, item]) =>
    'piece' in item && !('expiresAt' in item) && !named.has(sk)
      ? [table.update({ pk: partitionOf(owner, npn), sk }, { expiresAt: pieceExpiresAt(at) })]
      : [],
  );
}

const holderVersion = storedItem('registry-records/holder-version', () => ({
  version: z._default(z.int(), 0),
  unfinished: z.optional(object(() => ({ isChanged: z.boolean(), isJudged: z.boolean() }))),
}));

/** Reads what is stored of a holder; nothing of it is older than its version. */
async function readHolder(table: Table, { owner, npn }: Holder): Promise<StoredHolder> {
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
   * @param written what is written; where something is, some of it with these items.
   * @param stored what was stored before.
   */
  readonly last: (written: Written, stored: StoredHolder) => readonly TransactionItem[];
}

/** Writes of a transaction, besides its version and the last items. */
const writesAtOnce = transactionItems - 5;

/** Bytes of these. */
const bytesAtOnce = transactionBytes - MB;

const bytesOf = ({ write: { Put } }: TransactionItem): number => storedBytes(Put?.Item ?? {});

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
    decide: (stored: StoredHolder) => Change,
    { moves, last }: AdditionalItems,
  ) =>
    retryOnConflict(async () => {
      const stored = await readHolder(table, { owner, npn });
      const change = decide(stored);
      const found = writesOf(table.items, { owner, npn }, recorder, stored, change, now());
      const { pieces, fields, writes, written, records, coverage } = found;
      for (const piece of pieces) await table.put(piece);
      let first = {
        items: written.isJudged ? ((await moves?.(stored.records, records)) ?? []) : [],
        fields,
      };
      let { version } = stored;
      /** A transaction, of which all raise the holder's version: of two writers that read the same one, the second is refused. */
      const transact = async (others: readonly TransactionItem[], unfinished?: Written): Promise<void> => {
        const raised = table.items.update(
          recordKeys.holder(owner, npn),
          { ...first.fields, version: version + 1, unfinished },
          { version: version === 0 ? undefined : version },
          () => new VersionConflict('Another writer changed the records of the holder.'),
        );
        await table.transact([...others, ...first.items, raised]);
        version += 1;
        first = { items: [], fields: {} };
      };
      const transactions = chunks(writes, {
        count: writesAtOnce,
        size: { bytes: bytesAtOnce, of: bytesOf },
      });
      for (const some of transactions.slice(0, -1)) await transact(some, written);
      const rest = [...last(written, stored), ...transactions.slice(-1).flat()];
      const isLeft = rest.length + first.items.length + Object.keys(first.fields).length > 0;
      if (isLeft || stored.unfinished !== undefined) await transact(rest);
      return { isChanged: written.isChanged, coverage, items: stored.items, change };
    }),
});
