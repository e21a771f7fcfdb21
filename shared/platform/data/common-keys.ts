import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The key of an item, and the value that its index sorts it by. */
export interface IndexedKey {
  readonly pk: string;
  readonly sk: string;
  readonly sort: string;
}

/** A partition's keys as they arrive, and how far the intersection has read them. */
interface Cursor {
  readonly pages: AsyncIterator<IndexedKey[]>;
  keys: readonly IndexedKey[];
  at: number;
}

/** The pages of an index partition, and the attribute that sorts it. */
interface PartitionPages {
  readonly pages: AsyncGenerator<Record<string, AttributeValue>[]>;
  readonly sort: string;
}

/**
 * The keys that all of these index partitions hold, in ascending order, page by page: this combines filters that are
 * keys-only indexes, which must sort alike. The partitions are read concurrently, and only as far as the caller reads.
 */
export async function* keysOfAll(partitions: readonly PartitionPages[]): AsyncGenerator<IndexedKey[], void> {
  const cursors = partitions.map((partition): Cursor => ({ pages: keyPagesOf(partition), keys: [], at: 0 }));
  for (;;) {
    const filled = await Promise.all(cursors.map(fill));
    if (filled.includes(false)) return;
    yield intersect(cursors);
  }
}

async function* keyPagesOf({ pages, sort }: PartitionPages): AsyncGenerator<IndexedKey[]> {
  for await (const items of pages) yield items.map((item) => indexedKey(item, sort));
}

/** Ensures that a cursor points to a key; false at the end of its partition. */
async function fill(cursor: Cursor): Promise<boolean> {
  while (cursor.at === cursor.keys.length) {
    const page = await cursor.pages.next();
    if (page.done === true) return false;
    cursor.keys = page.value;
    cursor.at = 0;
  }
  return true;
}

/** The common keys up to the point where the first cursor has no more keys in memory. */
function intersect(cursors: readonly Cursor[]): IndexedKey[] {
  const found: IndexedKey[] = [];
  for (;;) {
    const heads: IndexedKey[] = [];
    for (const { keys, at } of cursors) {
      const head = keys[at];
      if (head === undefined) return found;
      heads.push(head);
    }
    const furthest = heads.reduce((one, other) => (other.sort > one.sort ? other : one));
    const behind = cursors.filter((_, index) => heads[index]?.sort !== furthest.sort);
    if (behind.length === 0) found.push(furthest);
    for (const cursor of behind.length === 0 ? cursors : behind) cursor.at += 1;
  }
}

const indexedKey = (item: Record<string, AttributeValue>, sort: string): IndexedKey => ({
  pk: item['pk']?.S ?? '',
  sk: item['sk']?.S ?? '',
  sort: item[sort]?.S ?? '',
});
