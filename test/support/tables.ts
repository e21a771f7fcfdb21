import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  type Projection,
} from '@aws-sdk/client-dynamodb';
import type { IndexDesign, KeyAttribute, TableDesign } from '../../shared/data/tables.ts';

/** Where the DynamoDB Local is that the integration project's setup started, and who asks it. */
export const dynamoSettings = () => ({
  endpoint: process.env['TEST_DYNAMODB_ENDPOINT'] ?? 'the integration setup has not run',
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/** A client of it. */
export const dynamo = new DynamoDBClient(dynamoSettings());

const keys = (partition: KeyAttribute, sort: KeyAttribute | undefined): KeySchemaElement[] => [
  { AttributeName: partition.name, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort.name, KeyType: 'RANGE' as const }]),
];

/** Makes an empty table of this design, under a name of its own. */
export async function createTable(design: TableDesign): Promise<string> {
  const name = `${design.name}-${randomUUID()}`;
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

/** Makes an empty table of each design; answers their names, under those of the designs. */
export async function createTables<Name extends string>(
  designs: Readonly<Record<Name, TableDesign>>,
): Promise<Record<Name, string>> {
  const named = await Promise.all(
    Object.entries<TableDesign>(designs).map(
      async ([name, design]) => [name, await createTable(design)] as const,
    ),
  );
  return Object.fromEntries(named) as Record<Name, string>;
}

/**
 * What some work asked of the database: its calls in order, and how many had to wait for an earlier one's answer. Answers
 * of concurrent calls are held back until all of them are there, so that the number does not depend on their speed.
 */
export async function databaseCalls(
  work: () => Promise<unknown>,
): Promise<{ calls: string[]; inSequence: number }> {
  const calls: string[] = [];
  let underWay = 0;
  let release = () => {};
  let released = Promise.resolve();
  let inSequence = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      calls.push(context.commandName ?? '');
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
  return { calls, inSequence };
}
