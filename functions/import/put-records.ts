import * as z from 'zod/mini';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { anyItem, parseIfStored, parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { Key } from '../../shared/platform/data/table-items.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import { commonValuesOf } from './common-fields.ts';
import { issuesOf, type ReadLine, type RejectedLine } from './lines.ts';
import { hashOf } from './record-hash.ts';

/** The state that an earlier import left; a record of other origin has no hash. */
const imported = storedItem('imported-record', () => ({
  pk: z.string(),
  sk: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  recordHash: z.optional(z.string()),
}));

/** A record as it will be stored, without the attributes of every imported item. */
export interface RecordItem {
  readonly key: Key;
  readonly values: Readonly<Record<string, unknown>>;
}

interface DatedRecord {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly isDeleted?: boolean | undefined;
}

const written = ({ pk, sk }: { readonly pk: string; readonly sk?: string | undefined }) =>
  JSON.stringify([pk, sk]);

/** A record that will be stored, and the item that is stored now. */
export interface ChangedRecord<Item> {
  readonly record: Item;
  readonly before: Readonly<Record<string, unknown>> | undefined;
}

/** What is written in one transaction with an import’s changes, such as their events. */
export interface Accompaniment<Item> {
  /** Changes of one group are written in one transaction if they fit. */
  readonly groupOf: (record: Item) => string;
  /** Values of a record that depend on what is stored. */
  readonly kept?: (changed: ChangedRecord<Item>, at: Date) => Readonly<Record<string, unknown>>;
  /** The further transaction items of a group, given one of its changed records. */
  readonly itemsFor: (
    changed: ChangedRecord<Item>,
    at: Date,
  ) => Promise<readonly TransactionItem[]> | readonly TransactionItem[];
}

/** The condition that no other import has written an item since it was read. */
export const unlessWritten = (before: { readonly recordHash?: string | undefined } | undefined) => ({
  recordHash: before?.recordHash,
});

/** Concurrent writes. */
const concurrency = 16;

/** Records of one transaction: their lines are a megabyte at most, of the four that a transaction allows. */
const recordsOfTransaction = 50;

/**
 * Stores records that are one item each. One that is stored already is skipped; of several with one key the
 * last one counts. The `_id` of an item is that of its line.
 *
 * @param accompaniment left out for an import that writes nothing but its records.
 * @returns the lines that cannot be stored, also because other imports of the same record were faster each time.
 */
export async function putRecords<Item extends DatedRecord>(
  table: Table,
  now: () => Date,
  lines: readonly ReadLine<Item>[],
  itemOf: (record: Item) => RecordItem,
  accompaniment?: Accompaniment<Item>,
): Promise<RejectedLine[]> {
  interface Entry {
    readonly line: number;
    readonly record: Item;
    readonly item: RecordItem;
  }
  const rejected: RejectedLine[] = [];
  const last = new Map<string, Entry>();
  for (const { line, record, identify } of lines) {
    const item = itemOf(record);
    const { _id } = item.values;
    if (typeof _id === 'string') identify(_id);
    last.set(written(item.key), { line, record, item });
  }

  /** The entries that differ from what is stored. */
  async function changesAmong(entries: readonly Entry[]) {
    const found = await table.getAll(
      anyItem,
      entries.map(({ item }) => item.key),
    );
    const known = new Map(found.map((item) => [written(parseStored(imported, item)), item]));
    return entries.flatMap((entry) => {
      const stored = known.get(written(entry.item.key));
      const before = parseIfStored(imported, stored);
      return before?.recordHash === hashOf(entry.record) ? [] : [{ ...entry, before, stored }];
    });
  }

  /** Does some work for a record, which is rejected if it fails. */
  async function attempt({ line }: Entry, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      rejected.push({ line, issues: issuesOf(error) });
    }
  }

  const itemToPut = ({ record, item }: Entry, before: z.output<typeof imported> | undefined, at: string) => ({
    ...item.key,
    ...item.values,
    ...commonValuesOf(record, before, at),
    recordHash: hashOf(record),
  });

  if (accompaniment === undefined) {
    await concurrently(await changesAmong([...last.values()]), concurrency, ({ before, ...entry }) =>
      attempt(entry, () => table.put(itemToPut(entry, before, now().toISOString()))),
    );
    return rejected;
  }

  /** Writes the changed ones of these and what goes with them in one transaction; retried when another import came first. */
  async function putTogether(
    entries: readonly Entry[],
    { itemsFor, kept }: Accompaniment<Item>,
  ): Promise<void> {
    await retryOnConflict(async () => {
      const changes = await changesAmong(entries);
      const [first] = changes;
      if (first === undefined) return;
      const at = now();
      const puts = changes.map(({ before, stored, ...entry }): TransactionItem => {
        const { record } = entry;
        const values = { ...entry.item.values, ...kept?.({ record, before: stored }, at) };
        const item = itemToPut({ ...entry, item: { ...entry.item, values } }, before, at.toISOString());
        return table.items.put(item, unlessWritten(before));
      });
      const furtherItems = await itemsFor({ record: first.record, before: first.stored }, at);
      await table.transact([...puts, ...furtherItems]);
    });
  }

  const groups = [...groupBy(last.values(), ({ record }) => accompaniment.groupOf(record)).values()];
  const parts = groups.flatMap((group) => chunks(group, { count: recordsOfTransaction }));
  await concurrently(parts, concurrency, async (part) => {
    try {
      await putTogether(part, accompaniment);
    } catch {
      // Each by itself, so that one that cannot be stored does not stop the others.
      for (const entry of part) await attempt(entry, () => putTogether([entry], accompaniment));
    }
  });
  return rejected;
}
