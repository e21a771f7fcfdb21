import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Condition, conditionOf, Terms } from './expressions.ts';
import type { TableDesign } from './table-design.ts';

/** What is read of a partition. */
export interface Query<Index extends string = string> {
  /** An index, whose partition it is then; without it, the table's. */
  readonly index?: Index;
  /** What the sort key must be: a value, or a test of `expressions.ts`. */
  readonly sort?: unknown;
  /** Leaves out items after they are read, and paid for. */
  readonly filter?: Condition;
  /** Items of a page at most; without it, a megabyte. */
  readonly limit?: number;
  /** Sees every write that was acknowledged, at twice the cost; of an index it can't be. */
  readonly consistent?: boolean;
  readonly descending?: boolean;
  /** See `ReadOptions`. */
  readonly leavesOut?: boolean;
  /** The attributes that are read; all, where left out. */
  readonly only?: readonly string[];
}

/** The keys of a table, or of one of its indexes. */
export function keysOf(
  design: TableDesign,
  index: string | undefined,
): Pick<TableDesign, 'partitionKey' | 'sortKey'> {
  const found = index === undefined ? design : design.indexes?.[index];
  if (found === undefined) throw new Error(`The table ${design.name} has no index ${index}.`);
  return found;
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
