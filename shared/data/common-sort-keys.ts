import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toItem } from './dynamo.ts';
import { queryPages } from './query-pages.ts';

/** One partition of an index: a value of the attribute that partitions it. */
export interface IndexPartition {
  readonly index: string;
  readonly attribute: string;
  readonly value: string;
}

/** A partition's sort keys as they come, and how far the intersection has read them. */
interface Cursor {
  readonly pages: AsyncIterator<string[]>;
  keys: readonly string[];
  at: number;
}

/**
 * The sort keys `sk` that all of these index partitions hold, ascending, some at a time: how filters combine that are
 * keys-only indexes each. The partitions are read side by side and only as far as the caller follows.
 */
export async function* commonSortKeys(
  client: DynamoDBClient,
  table: string,
  partitions: readonly IndexPartition[],
): AsyncGenerator<string[]> {
  const cursors = partitions.map(
    (partition): Cursor => ({ pages: sortKeyPages(client, table, partition), keys: [], at: 0 }),
  );
  for (;;) {
    const filled = await Promise.all(cursors.map(fill));
    if (filled.includes(false)) return;
    yield intersect(cursors);
  }
}

/** Makes sure that a cursor stands on a key; false at the end of its partition. */
async function fill(cursor: Cursor): Promise<boolean> {
  while (cursor.at === cursor.keys.length) {
    const page = await cursor.pages.next();
    if (page.done === true) return false;
    cursor.keys = page.value;
    cursor.at = 0;
  }
  return true;
}

/** The common keys up to where the first cursor runs out of what it has read. */
function intersect(cursors: readonly Cursor[]): string[] {
  const found: string[] = [];
  for (;;) {
    const heads: string[] = [];
    let furthest = '';
    for (const { keys, at } of cursors) {
      const head = keys[at];
      if (head === undefined) return found;
      heads.push(head);
      if (head > furthest) furthest = head;
    }
    const behind = cursors.filter((_, index) => heads[index] !== furthest);
    if (behind.length === 0) found.push(furthest);
    for (const cursor of behind.length === 0 ? cursors : behind) cursor.at += 1;
  }
}

async function* sortKeyPages(
  client: DynamoDBClient,
  table: string,
  { index, attribute, value }: IndexPartition,
): AsyncGenerator<string[]> {
  const query = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: '#partition = :value',
    ExpressionAttributeNames: { '#partition': attribute },
    ExpressionAttributeValues: toItem({ ':value': value }),
    ProjectionExpression: 'sk',
  };
  for await (const items of queryPages(client, query)) yield items.map(sortKey);
}

const sortKey = ({ sk }: Record<string, AttributeValue>): string => sk?.S ?? '';
