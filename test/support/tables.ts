import { randomUUID } from 'node:crypto';
import {
  type BatchGetItemCommandInput,
  type BatchWriteItemCommandInput,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  type Projection,
  type QueryCommandInput,
  ScanCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tables } from '#domain/tables.ts';
import { withoutLogger } from '#platform/data/dynamo.ts';
import { itemKey, parseStored } from '#platform/data/stored.ts';
import { writesOf } from '#platform/data/table.ts';
import type { IndexDesign, KeyAttribute, TableDesign } from '#platform/data/table-design.ts';

/** Names the file's database: the engine has one for each access key. */
export const accessKeyId = randomUUID().replaceAll('-', '');

const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;

/** Whether the file has more clients than `dynamo`. */
let hasOtherClients = false;

/** Where the DynamoDB Local is that the integration project's setup started, and who asks it; for a client beside `dynamo`. */
export function dynamoSettings() {
  hasOtherClients = true;
  return settings();
}

const settings = () => ({
  endpoint: process.env['TEST_DYNAMODB_ENDPOINT'] ?? 'the integration setup has not run',
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey: 'test' },
  // The engine reads a signature's form but does not verify it. Computing one is a sixth of the client's work.
  signer: {
    sign: async <Request extends { headers: Record<string, string> }>(request: Request): Promise<Request> => {
      request.headers['authorization'] = authorization;
      return request;
    },
  },
});

/** A client of it. */
export const dynamo = new DynamoDBClient(settings());
withoutLogger(dynamo);

const keys = (partition: KeyAttribute, sort: KeyAttribute | undefined): KeySchemaElement[] => [
  { AttributeName: partition.name, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort.name, KeyType: 'RANGE' as const }]),
];

/**
 * Tables that earlier tests of the file have done with. The next test gets them emptied: the engine takes the longer to make a
 * table the more its database ever had, a tenth of a second with some hundreds.
 */
const spare = new Map<TableDesign, string[]>();

/** What the test that is running has made; undefined between tests, where a file makes what all of its tests share. */
let madeByTest: { readonly design: TableDesign; readonly name: string }[] | undefined;

/** Called around each test. */
export const tablesOfTest = {
  begin(): void {
    madeByTest = [];
  },
  end(): void {
    for (const { design, name } of madeByTest ?? []) spare.set(design, [...(spare.get(design) ?? []), name]);
    madeByTest = undefined;
  },
};

/** Every table that the file has made. */
const made: string[] = [];

/** Those of them into which `dynamo` may have written since they were empty. */
const written = new Set<string>();

/** The tables that the input of a write names. */
function tablesOfWrite(input: object): readonly (string | undefined)[] {
  const {
    TableName,
    RequestItems = {},
    TransactItems = [],
  } = input as Partial<BatchWriteItemCommandInput> &
    Partial<TransactWriteItemsCommandInput> & { readonly TableName?: string };
  const inTransaction = TransactItems.flatMap((item) => Object.values(item));
  return [TableName, ...Object.keys(RequestItems), ...inTransaction.map((one) => one.TableName)];
}

dynamo.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) => {
      if (!/^(?:BatchGetItem|GetItem|Query|Scan)Command$/.test(commandName))
        for (const name of tablesOfWrite(args.input)) if (name !== undefined) written.add(name);
      // A statement has the table in its text.
      if (/^(?:BatchExecuteStatement|ExecuteStatement|ExecuteTransaction)/.test(commandName))
        for (const name of made) written.add(name);
      return next(args);
    },
  { step: 'initialize', priority: 'low', name: 'written' },
);

/**
 * Deletes the file's tables: while the engine has them, it reads all their descriptions thrice a second. A test may have deleted
 * one itself.
 */
export const deleteTables = () =>
  Promise.allSettled(made.splice(0).map((TableName) => dynamo.send(new DeleteTableCommand({ TableName }))));

/** More items than these take longer to delete than a new table takes. */
const mostDeleted = 100;

/** Empties a table; answers undefined where a new one is quicker. */
async function emptied(name: string, { partitionKey, sortKey }: TableDesign): Promise<string | undefined> {
  if (!hasOtherClients && !written.has(name)) return name;
  const attributes = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  const { Items = [], LastEvaluatedKey } = await dynamo.send(
    new ScanCommand({
      TableName: name,
      ConsistentRead: true,
      Limit: mostDeleted,
      ProjectionExpression: attributes.map((_, index) => `#key${index}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(
        attributes.map((attribute, index) => [`#key${index}`, attribute.name]),
      ),
    }),
  );
  // A page ends after a megabyte, too.
  if (LastEvaluatedKey !== undefined) return undefined;
  await writesOf(dynamo, name).deleteAll(Items.map((item) => parseStored(itemKey, unmarshall(item))));
  written.delete(name);
  return name;
}

/** An empty table of this design, under a name of its own. */
export async function createTable(design: TableDesign): Promise<string> {
  const used = madeByTest && spare.get(design)?.pop();
  const name = (used && (await emptied(used, design))) ?? (await newTable(design));
  madeByTest?.push({ design, name });
  return name;
}

async function newTable(design: TableDesign): Promise<string> {
  const name = `${design.name}-${randomUUID()}`;
  made.push(name);
  const indexes = Object.entries(design.indexes ?? {});
  const attributes = [
    design.partitionKey,
    design.sortKey,
    ...indexes.flatMap(([, index]) => [index.partitionKey, index.sortKey]),
  ];
  const types = new Map(
    attributes.flatMap((attribute) => (attribute === undefined ? [] : [[attribute.name, attribute.type]])),
  );
  await dynamo.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys(design.partitionKey, design.sortKey),
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      ...(indexes.length === 0
        ? {}
        : {
            GlobalSecondaryIndexes: indexes.map(([IndexName, index]) => ({
              IndexName,
              KeySchema: keys(index.partitionKey, index.sortKey),
              Projection: projected(index.projection),
            })),
          }),
    }),
  );
  return name;
}

/** What an index holds of an item, as AWS writes it. */
const projected = (projection: IndexDesign['projection']): Projection => {
  if (typeof projection === 'object') return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projection] };
  return { ProjectionType: projection === 'all' ? 'ALL' : 'KEYS_ONLY' };
};

/** An empty table of each design, or of each of the service's tables that are named; answers their names. */
export async function createTables<Name extends string>(
  of: readonly (Name & keyof typeof tables)[] | Readonly<Record<Name, TableDesign>>,
): Promise<Record<Name, string>> {
  const designs = Array.isArray(of)
    ? of.map((name: keyof typeof tables) => [name, tables[name]])
    : Object.entries(of);
  const named = await Promise.all(
    designs.map(async ([name, design]) => [name, await createTable(design)] as const),
  );
  return Object.fromEntries(named) as Record<Name, string>;
}

type UsedTable<Uses> = Uses extends { readonly tables: infer Used }
  ? keyof Used & keyof typeof tables
  : never;

/** The tables that functions use, by their `uses.ts`. */
export const tablesUsedBy = <const Functions extends readonly { readonly tables: object }[]>(
  ...functions: Functions
) => [...new Set(functions.flatMap((uses) => Object.keys(uses.tables)))] as UsedTable<Functions[number]>[];

/** A query, by its table and what it asks for. */
interface AskedQuery {
  readonly table: string;
  readonly values: string;
}

const askedQuery = ({ input }: { readonly input: object }): AskedQuery => {
  const { TableName, ExpressionAttributeValues } = input as Partial<QueryCommandInput>;
  return { table: TableName ?? '', values: JSON.stringify(ExpressionAttributeValues) };
};

/** A key of a batch, by its table. */
interface ReadKey {
  readonly table: string;
  readonly pk: string | undefined;
  readonly sk: string | undefined;
}

const keysOf = ({ input }: { readonly input: object }): ReadKey[] => {
  const { RequestItems = {} } = input as Partial<BatchGetItemCommandInput>;
  return Object.entries(RequestItems).flatMap(([table, { Keys = [] }]) =>
    Keys.map(({ pk, sk }) => ({ table, pk: pk?.S, sk: sk?.S })),
  );
};

/**
 * What some work asked of the database: its calls in order, the queries and keys among them, and how many had to wait for an earlier
 * one's answer. Answers of concurrent calls are held back until all of them are there, so that the number does not depend on
 * their speed.
 */
export async function databaseCalls(
  work: () => Promise<unknown>,
): Promise<{ calls: string[]; queries: AskedQuery[]; readKeys: ReadKey[]; inSequence: number }> {
  const calls: string[] = [];
  const queries: AskedQuery[] = [];
  const readKeys: ReadKey[] = [];
  let underWay = 0;
  let release = () => {};
  let released = Promise.resolve();
  let inSequence = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      calls.push(context.commandName ?? '');
      if (context.commandName === 'QueryCommand') queries.push(askedQuery(args));
      if (context.commandName === 'BatchGetItemCommand') readKeys.push(...keysOf(args));
      if (underWay === 0) {
        inSequence += 1;
        released = new Promise((resolve) => {
          release = resolve;
        });
      }
      underWay += 1;
      const together = released;
      try {
        return await next(args);
      } finally {
        underWay -= 1;
        if (underWay === 0) release();
        await together;
      }
    },
    { step: 'initialize', name: 'databaseCalls' },
  );
  try {
    await work();
  } finally {
    dynamo.middlewareStack.remove('databaseCalls');
  }
  return { calls, queries, readKeys, inSequence };
}
