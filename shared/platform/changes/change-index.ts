import * as z from 'zod/mini';
import { batchGetKeys } from '../aws/limits.ts';
import { tooEarly } from '../contract/errors.ts';
import { type DeletedRecord, updatedUntilLagMs } from '../contract/list-queries.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { mapPages } from '../data/concurrently.ts';
import { atLeast } from '../data/expressions.ts';
import { shardAmong } from '../data/keys.ts';
import { itemKey, parseStored, type StoredSchema, storedItem } from '../data/stored.ts';
import type { Key, Table } from '../data/table.ts';
import type { TableDesign } from '../data/table-design.ts';

// The index by-change of a table: its aggregate's items, deleted ones too, by the time of their last change. Each write of
// such an item sets `changeMark` in the same write, so a crash leaves no change without its mark.

/**
 * Partitions of an owner's changes. A change moves the item's entry, which takes two write units: two imports at once, of
 * 330 records a second each, take 1,320, more than the 1,000 of a partition. Times rise, so DynamoDB can't split a busy
 * partition by them. With four, each is used for a third; a poll that finds nothing reads each of them once.
 */
const changeShards = 4;

/** The owner of the changes of what belongs to the whole platform: agencies. */
export const platform = 'PLATFORM';

/** A partition of the index. */
const partitionOf = (owner: string, shard: number): string => `${owner}#CHANGED#${shard}`;

/** The attributes of an item that changed at a time. They come from the server alone, whatever an import says. */
export const changeMark = (owner: string, id: string, time: Date) => ({
  changeKey: partitionOf(owner, shardAmong(id, changeShards)),
  changedAt: time.toISOString(),
});

/** A table with an index of changes. */
export type ChangedTable = Table<'by-change'>;

/**
 * The entries of an owner's items that changed at a time or later: one partition in the order of time, then the next. A page
 * has no more entries than a batch reads. The first page of each partition is requested now, before the caller asks.
 *
 * @param schema of an entry: what the index has of an item.
 * @param since as `toISOString` writes it.
 */
export const changedEntries = <Value>(
  table: ChangedTable,
  schema: StoredSchema<Value>,
  owner: string,
  since: string,
): AsyncIterable<Value[]> => inTurn(partitionsSince(table, schema, owner, since));

function partitionsSince<Value>(
  table: ChangedTable,
  schema: StoredSchema<Value>,
  owner: string,
  since: string,
): PartitionPages<Value[]>[] {
  return Array.from({ length: changeShards }, (_, shard) => {
    const changeQuery = { index: 'by-change', sort: atLeast(since), limit: batchGetKeys } as const;
    const pages = table.query(schema, partitionOf(owner, shard), changeQuery);
    const first = pages.next();
    // A caller that stops early never awaits it; one that goes on gets its failure below.
    first.catch(() => undefined);
    return { first, pages };
  });
}

/** The keys of these items, of a page each once: one that moves within an index can be in it twice for a moment. */
export const itemsChangedSince = (table: ChangedTable, owner: string, since: string) =>
  mapPages(changedEntries(table, itemKey, owner, since), (keys) => [
    ...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values(),
  ]);

/** The pages of a partition; the first is requested already. */
interface PartitionPages<Page> {
  readonly first: Promise<IteratorResult<Page, void>>;
  readonly pages: AsyncGenerator<Page, void>;
}

async function* inTurn<Page extends readonly unknown[]>(
  partitions: readonly PartitionPages<Page>[],
): AsyncGenerator<Page> {
  for (const { first, pages } of partitions) {
    const page = await first;
    if (page.done === true) continue;
    // So that a poll that finds nothing has no pages, and counts as no open list.
    if (page.value.length > 0) yield page.value;
    yield* pages;
  }
}

const changedItem = storedItem('changed-item', {
  _id: objectId,
  changedAt: timestamp,
});

/** Answer to a follower for an item that is no longer in the list. */
export function tombstone(item: unknown): DeletedRecord {
  const { _id, changedAt } = parseStored(changedItem, item);
  return { _id, isDeleted: true, updatedAt: changedAt };
}

/** Whether an item is not among those that changed since. */
export const isUnchangedSince =
  (since: string) =>
  ({ changedAt = '' }: { readonly changedAt?: string | undefined }): boolean =>
    changedAt < since;

/** The key of the item that says of a table with followed lists that it was restored to an earlier time. */
export const restoredKey = ({ sortKey }: Pick<TableDesign, 'sortKey'>): Key => ({
  pk: 'RESTORED',
  ...(sortKey === undefined ? {} : { sk: 'RESTORED' }),
});

const restoredRecord = storedItem('restored-table', {
  /** Time at which the service was found to use the table; absent until then. */
  movedAt: z.optional(timestamp),
});

/** Text after every ISO time. */
const anyTime = '9999-12-31T23:59:59.999Z';

const timeBefore = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString();

/** Passes on the changes since a time, which a parameter has, unless the tables were restored to an earlier time meanwhile. */
export type UnlessRestored = <Page>(
  since: string,
  pages: AsyncIterable<Page>,
  path?: string,
) => Promise<AsyncIterable<Page>>;

/**
 * Refuses to answer changes since a time before these tables were restored: a caller that holds what they had then, and what is
 * gone, would never learn of it. What is known of a table that the service has moved to does not change, and is read once.
 *
 * @returns what raises ApiError `validation_error` for such a time; the first page is read at the same time.
 */
export function createUnlessRestored(tables: readonly Table[]): UnlessRestored {
  let refusalTimes: readonly string[] | undefined;

  /** The ends of the times that are refused; none where no table was restored. */
  async function readRefusalTimes(): Promise<readonly string[]> {
    if (refusalTimes !== undefined) return refusalTimes;
    const records = await Promise.all(
      tables.map((table) => table.getAll(restoredRecord, [restoredKey(table.design)])),
    );
    const refusedTimes = records
      .flat()
      // Since then nobody has got a later time than this from the tables that were there before.
      .map(({ movedAt }) => (movedAt === undefined ? anyTime : timeBefore(movedAt, updatedUntilLagMs)));
    if (!refusedTimes.includes(anyTime)) refusalTimes = refusedTimes;
    return refusedTimes;
  }

  return async (since, pages, path = 'updatedSince') => {
    const iterator = pages[Symbol.asyncIterator]();
    const first = iterator.next();
    // Awaited below, unless the time is refused.
    first.catch(() => undefined);
    const earliest = (await readRefusalTimes())
      .filter((until) => since < until)
      .sort()
      .at(-1);
    if (earliest !== undefined) {
      const message = `is before the data was restored to an earlier time; read the whole list instead`;
      throw tooEarly(path, message, earliest === anyTime ? null : earliest);
    }
    return (async function* () {
      for (let page = await first; page.done !== true; page = await iterator.next()) yield page.value;
    })();
  };
}
