import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { AwsMiddleware } from '../../../infra/local/aws/endpoint.ts';
import {
  type Access,
  type AwsRequest,
  answerJson,
  bodyOf,
  callAws,
  targetOf,
} from '../../../infra/local/aws/service.ts';

/**
 * Milliseconds until a table's indexes show a write.
 *
 * @param count number of the write to the table, from 1
 */
export type IndexLag = (table: string, count: number) => number;

const attribute = z.record(z.string(), z.unknown());
const item = z.record(z.string(), attribute);
type Item = z.output<typeof item>;

const keySchema = z.array(z.object({ AttributeName: z.string() }));
const index = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']) }),
});
const described = z.object({
  Table: z.object({ KeySchema: keySchema, GlobalSecondaryIndexes: z.optional(z.array(index)) }),
});

/** A table's key attributes and indexes. */
interface Design {
  readonly key: readonly string[];
  readonly indexes: ReadonlyMap<string, { readonly key: readonly string[]; readonly isWhole: boolean }>;
}

/** A write that an index may not show yet. */
interface Write {
  readonly shownAt: number;
  /** The item before the write; undefined when there was none. */
  readonly before: Item | undefined;
}

const ofKey = z.looseObject({ TableName: z.string(), Key: z.optional(item), Item: z.optional(item) });
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), ofKey)) });
const batch = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.optional(z.object({ Item: item })),
        DeleteRequest: z.optional(z.object({ Key: item })),
      }),
    ),
  ),
});
const executed = z.object({
  Statements: z.array(z.object({ Statement: z.string(), Parameters: z.array(attribute) })),
});
const read = z.object({ Item: z.optional(item) });
const query = z.looseObject({
  TableName: z.string(),
  IndexName: z.optional(z.string()),
  Limit: z.optional(z.number()),
});
const page = z.looseObject({ Items: z.array(item), LastEvaluatedKey: z.optional(item) });

const names = (schema: z.output<typeof keySchema>): string[] =>
  schema.map(({ AttributeName }) => AttributeName);
const pick = (from: Item, attributes: readonly string[]): unknown[] => attributes.map((name) => from[name]);

/** The items that a call writes. */
export function writesOf(request: AwsRequest): readonly z.output<typeof ofKey>[] {
  switch (targetOf(request).operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [bodyOf(request, ofKey)];
    case 'TransactWriteItems':
      return bodyOf(request, transaction).TransactItems.flatMap((one) =>
        Object.entries(one).flatMap(([member, write]) => (member === 'ConditionCheck' ? [] : [write])),
      );
    case 'BatchWriteItem':
      return Object.entries(bodyOf(request, batch).RequestItems).flatMap(([TableName, writes]) =>
        writes.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...PutRequest, ...DeleteRequest })),
      );
    case 'BatchExecuteStatement':
      return bodyOf(request, executed).Statements.map(updateOf);
    default:
      return [];
  }
}

/** The item of an update in PartiQL whose condition begins with its key: `WHERE pk = ? AND sk = ?`. */
function updateOf({
  Statement,
  Parameters,
}: z.output<typeof executed>['Statements'][number]): z.output<typeof ofKey> {
  const parts = /^UPDATE "([^"]+)"(.*) WHERE pk = \?( AND sk = \?)?/.exec(Statement);
  if (parts === null) throw new Error(`The item that this statement writes is not known: ${Statement}`);
  const [, TableName = '', before = '', sortKey] = parts;
  const [pk = {}, sk = {}] = Parameters.slice(before.split('?').length - 1);
  return { TableName, Key: sortKey === undefined ? { pk } : { pk, sk } };
}

/**
 * DynamoDB whose global secondary indexes show each write with a delay, as AWS's do; the local engine is consistent
 * immediately. Until then a query of an index returns the previous item, and omits one that did not exist or had another
 * index key. An item that a write removes from an index disappears immediately, which is kinder than AWS. A page of a
 * query with a limit is filled up.
 *
 * @param engine used to look up tables and items
 * @param clock by which they lag, in milliseconds
 */
export function laggingIndexes(
  engine: Access,
  lagOf: IndexLag,
  clock: () => number = Date.now,
): AwsMiddleware {
  const designs = new Map<string, Promise<Design>>();
  const counts = new Map<string, number>();
  const recent = new Map<string, Write[]>();

  const ask = <Schema extends z.core.$ZodType>(operation: string, body: object, answer: Schema) =>
    callAws(engine, { service: 'dynamodb', target: `DynamoDB_20120810.${operation}` }, body, answer);

  const describe = async (TableName: string): Promise<Design> => {
    const { Table } = await ask('DescribeTable', { TableName }, described);
    const indexes = (Table.GlobalSecondaryIndexes ?? []).map(
      ({ IndexName, KeySchema, Projection }) =>
        [IndexName, { key: names(KeySchema), isWhole: Projection.ProjectionType !== 'KEYS_ONLY' }] as const,
    );
    return { key: names(Table.KeySchema), indexes: new Map(indexes) };
  };
  const designOf = (table: string): Promise<Design> => {
    const known = designs.get(table) ?? describe(table);
    designs.set(table, known);
    return known;
  };

  const addressOf = (table: string, design: Design, of: Item): string =>
    JSON.stringify([table, ...pick(of, design.key)]);

  /** The items that the call writes in tables with indexes, each with its previous value. */
  async function lookBefore(request: AwsRequest) {
    const looked = writesOf(request).map(async ({ TableName, Key, Item: put }) => {
      const design = await designOf(TableName);
      const written = Key ?? put;
      if (design.indexes.size === 0 || written === undefined) return [];
      const key = Object.fromEntries(design.key.map((name) => [name, written[name]]));
      const { Item: before } = await ask('GetItem', { TableName, Key: key, ConsistentRead: true }, read);
      return [{ TableName, address: addressOf(TableName, design, written), before }];
    });
    return (await Promise.all(looked)).flat();
  }

  function remember(writes: Awaited<ReturnType<typeof lookBefore>>): void {
    const now = clock();
    for (const { TableName, address, before } of writes) {
      const count = (counts.get(TableName) ?? 0) + 1;
      counts.set(TableName, count);
      const others = (recent.get(address) ?? []).filter(({ shownAt }) => shownAt > now);
      recent.set(address, [...others, { shownAt: now + lagOf(TableName, count), before }]);
    }
  }

  /** What the index shows for an item. */
  function shown(table: string, design: Design, indexName: string, current: Item): Item[] {
    const now = clock();
    // Writes become visible in order: the first one that is still hidden hides those after it.
    const hidden = recent.get(addressOf(table, design, current))?.find(({ shownAt }) => shownAt > now);
    if (hidden === undefined) return [current];
    const { before } = hidden;
    const { key = [], isWhole = true } = design.indexes.get(indexName) ?? {};
    const wasListed = before !== undefined && isDeepStrictEqual(pick(before, key), pick(current, key));
    if (!wasListed) return [];
    return [isWhole ? before : current];
  }

  async function queryIndex(body: z.output<typeof query>, IndexName: string): Promise<object> {
    const { TableName, Limit } = body;
    const design = await designOf(TableName);
    const Items: Item[] = [];
    for (let rest: object = body; ; ) {
      const { Items: some, ...answer } = await ask('Query', rest, page);
      Items.push(...some.flatMap((one) => shown(TableName, design, IndexName, one)));
      const { LastEvaluatedKey } = answer;
      if (LastEvaluatedKey === undefined || Limit === undefined || Items.length >= Limit) {
        return { ...answer, Items, Count: Items.length, ScannedCount: Items.length };
      }
      rest = { ...body, Limit: Limit - Items.length, ExclusiveStartKey: LastEvaluatedKey };
    }
  }

  return async ({ request, response }, next) => {
    const { service: api, operation } = targetOf(request);
    if (api !== 'DynamoDB_20120810') return next();
    if (operation === 'Query') {
      const body = bodyOf(request, query);
      if (body.IndexName !== undefined) {
        answerJson(response, await queryIndex(body, body.IndexName));
        return;
      }
    }
    // Before the call: a fault may lose its response, but its writes have to be delayed all the same.
    remember(await lookBefore(request));
    await next();
  };
}
