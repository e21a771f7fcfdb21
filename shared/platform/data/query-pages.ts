import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Condition, conditionOf, Terms } from './expressions.ts';
import type { TableDesign } from './table-design.ts';

/** Query of a partition. */
export interface Query<Index extends string = string> {
  /** An index, whose partition it is then; without it, the table's. */
  readonly index?: Index;
  /** Condition on the sort key: a value, or a test of `expressions.ts`. */
  readonly sort?: unknown;
  /** Leaves out items after they are read, and paid for. */
  readonly filter?: Condition;
  /** Items of a page at most; without it, a megabyte. */
  readonly limit?: number;
  /** Sees every write that was acknowledged, at twice the cost; of an index it can't be. */
  readonly consistent?: boolean;
  readonly descending?: boolean;
  /** The attributes that are read; all, where left out. */
  readonly only?: readonly string[];
}

/** The keys of a table, or of one of its indexes. */
export function keysOf(
  design: TableDesign,
  index: string | undefined,
): Pick<TableDesign, 'partitionKey' | 'sortKey'> {
  const keys = index === undefined ? design : design.indexes?.[index];
  if (keys === undefined) throw new Error(`The table ${design.name} has no index ${index}.`);
  return keys;
}

/** The query in DynamoDB's terms. */
export function queryOf(
  design: TableDesign,
  TableName: string,
  partition: string,
  query: Query,
): QueryCommandInput {
  const { index, sort, filter, limit, consistent = false, descending = false, only } = query;
  const { partitionKey, sortKey } = keysOf(design, index);
  const terms = new Terms();
  const key = {
    [partitionKey.name]: partition,
    ...(sort === undefined ? {} : { [sortKey?.name ?? '']: sort }),
  };
  return {
    TableName,
    IndexName: index,
    KeyConditionExpression: conditionOf(key, terms),
    ...(filter === undefined ? {} : { FilterExpression: conditionOf(filter, terms) }),
    ...(only === undefined ? {} : { ProjectionExpression: only.map(terms.name).join(', ') }),
    Limit: limit,
    ConsistentRead: consistent,
    ScanIndexForward: !descending,
    ...terms.placeholders(),
  };
}

/** A query's pages; the next one is already being read while the caller works on this one. */
export async function* queryPages(
  client: DynamoDBClient,
  query: QueryCommandInput,
): AsyncGenerator<Record<string, AttributeValue>[]> {
  let pending = client.send(new QueryCommand(query));
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await pending;
    if (LastEvaluatedKey === undefined) {
      yield Items;
      return;
    }
    pending = client.send(new QueryCommand({ ...query, ExclusiveStartKey: LastEvaluatedKey }));
    // A caller that stops early never awaits this one; one that goes on gets its failure above.
    pending.catch(() => undefined);
    yield Items;
  }
}

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
  position: number;
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
  const cursors = partitions.map(
    (partition): Cursor => ({ pages: keyPagesOf(partition), keys: [], position: 0 }),
  );
  for (;;) {
    const fills = await Promise.all(cursors.map(fill));
    if (fills.includes(false)) return;
    yield intersect(cursors);
  }
}

async function* keyPagesOf({ pages, sort }: PartitionPages): AsyncGenerator<IndexedKey[]> {
  for await (const items of pages) yield items.map((item) => indexedKey(item, sort));
}

/** Ensures that a cursor points to a key; false at the end of its partition. */
async function fill(cursor: Cursor): Promise<boolean> {
  while (cursor.position === cursor.keys.length) {
    const page = await cursor.pages.next();
    if (page.done === true) return false;
    cursor.keys = page.value;
    cursor.position = 0;
  }
  return true;
}

/** The common keys up to the point where the first cursor has no more keys in memory. */
function intersect(cursors: readonly Cursor[]): IndexedKey[] {
  const page: IndexedKey[] = [];
  for (;;) {
    const heads: IndexedKey[] = [];
    for (const { keys, position } of cursors) {
      const head = keys[position];
      if (head === undefined) return page;
      heads.push(head);
    }
    const furthest = heads.reduce((key, otherKey) => (otherKey.sort > key.sort ? otherKey : key));
    const behind = cursors.filter((_, index) => heads[index]?.sort !== furthest.sort);
    if (behind.length === 0) page.push(furthest);
    for (const cursor of behind.length === 0 ? cursors : behind) cursor.position += 1;
  }
}

const indexedKey = (item: Record<string, AttributeValue>, sort: string): IndexedKey => ({
  pk: item['pk']?.S ?? '',
  sk: item['sk']?.S ?? '',
  sort: item[sort]?.S ?? '',
});
