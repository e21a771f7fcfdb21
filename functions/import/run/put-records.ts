import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { anyItem, parseIfStored, storedItem } from '#platform/data/stored.ts';
import type { Key, Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { attempt, type ReadLine } from './lines.ts';

/** Times of a record, and whether it is deleted, as its line says. */
type DatedRecord = Readonly<
  Partial<{ createdAt: string | undefined; updatedAt: string | undefined; isDeleted: boolean | undefined }>
>;

/** The times of a record: those of its line, else the stored record's, else the time of the import. */
export const timesOf = (
  line: Pick<DatedRecord, 'createdAt' | 'updatedAt'>,
  before: Pick<DatedRecord, 'createdAt'> | undefined,
  time: string,
) => ({ createdAt: line.createdAt ?? before?.createdAt ?? time, updatedAt: line.updatedAt ?? time });

/** The values that every stored record has. */
export const commonValuesOf = (
  line: DatedRecord,
  before: Pick<DatedRecord, 'createdAt'> | undefined,
  time: string,
) => ({
  isDeleted: line.isDeleted ?? false,
  ...timesOf(line, before, time),
});

/** Identifies the content of a record: the same line of a file always has the same hash. */
export const hashOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex');

/** A record as an earlier import left it. */
interface ImportedRecord {
  readonly recordHash?: string | undefined;
}

/** Whether a record is stored already. */
export const isStored = (record: object, before: ImportedRecord | undefined): boolean =>
  before?.recordHash === hashOf(record);

/** The state that an earlier import left; a record of other origin has no hash. */
const importedRecord = storedItem('imported-record', {
  pk: z.string(),
  sk: z.optional(z.string()),
  createdAt: z.optional(timestamp),
  recordHash: z.optional(z.string()),
});

/** A record as it will be stored, without the attributes of every imported item. */
interface RecordItem {
  readonly key: Key;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A record that will be stored, and the item that is stored now. */
interface ChangedRecord<Item> {
  readonly record: Item;
  readonly before: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Additions to a changed record: values that depend on what is stored, and further items of the transaction that writes it,
 * such as its events.
 */
type ChangeExtras<Item> = (
  change: ChangedRecord<Item>,
  time: Date,
) => Promise<{
  readonly values?: Readonly<Record<string, unknown>>;
  readonly items: readonly TransactionItem[];
}>;

/** The condition that no other import has written an item since it was read. */
export const unlessWritten = (before: { readonly recordHash?: string | undefined } | undefined) => ({
  recordHash: before?.recordHash,
});

/**
 * Stores records that are one item each. A record that is stored already is skipped; of several with one key the
 * last one counts. The `_id` of an item is that of its line. Rejected are lines that cannot be stored, also because other
 * imports of the same record were faster each time.
 *
 * @param extrasOf left out for an import that writes nothing but its records.
 */
export async function putRecords<Item extends DatedRecord>(
  table: Table,
  now: () => Date,
  lines: readonly ReadLine<Item>[],
  itemOf: (record: Item) => RecordItem,
  extrasOf?: ChangeExtras<Item>,
): Promise<void> {
  const last = new Map<string, RecordItem & { readonly line: ReadLine<Item> }>();
  for (const line of lines) {
    const item = itemOf(line.record);
    const { _id } = item.values;
    if (typeof _id === 'string') line.identify(_id);
    last.set(JSON.stringify(item.key), { line, ...item });
  }

  // What is written under a condition is read just before.
  const keys = Array.from(last.values(), ({ key }) => key);
  const knownItems = extrasOf === undefined && (await table.getByKey(anyItem, keys));

  await concurrently(last.values(), async ({ line, key, values }) => {
    const { record } = line;
    const write = async (): Promise<void> => {
      const storedFields = (knownItems || (await table.getByKey(anyItem, [key])))(key);
      const before = parseIfStored(importedRecord, storedFields);
      if (isStored(record, before)) return;
      const time = now();
      const further = await extrasOf?.({ record, before: storedFields }, time);
      const common = commonValuesOf(record, before, time.toISOString());
      const item = { ...key, ...values, ...further?.values, ...common, recordHash: hashOf(record) };
      if (further === undefined) await table.put(item);
      else await table.transact([table.items.put(item, unlessWritten(before)), ...further.items]);
    };
    await attempt([line], () => retryOnConflict(write));
  });
}
