import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '#platform/data/dynamo.ts';
import { storedBytes } from '#platform/data/stored-bytes.ts';
import type { TableDesign } from '#platform/data/table-design.ts';
import { createTable, dynamo } from '../support/tables.ts';

// What the units of the bench and of infra/capacity.md rest on: how the engine counts.

const design = {
  name: 'counted',
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  indexes: {
    listed: {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'sk', type: 'S' },
      projection: 'keys',
    },
  },
  kind: 'transient',
} as const satisfies TableDesign;

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(design);
});

const itemOf = (sk: string, kilobytes: number) =>
  toItem({ pk: 'a', sk, listKey: 'b', text: 'x'.repeat(kilobytes * 1_024) });

const counted = { ReturnConsumedCapacity: 'INDEXES' } as const;

it('a write takes a unit for each KB, and one for the keys in an index', async () => {
  const put = new PutItemCommand({ TableName, Item: itemOf('1', 1.5), ...counted });
  const { ConsumedCapacity } = await dynamo.send(put);
  expect(ConsumedCapacity?.Table?.CapacityUnits).toBe(2);
  expect(ConsumedCapacity?.GlobalSecondaryIndexes?.['listed']?.CapacityUnits).toBe(1);
});

it('in a transaction both are counted twice', async () => {
  const TransactItems = [{ Put: { TableName, Item: itemOf('2', 1.5) } }];
  const { ConsumedCapacity } = await dynamo.send(
    new TransactWriteItemsCommand({ TransactItems, ...counted }),
  );
  expect(ConsumedCapacity?.[0]?.Table?.CapacityUnits).toBe(4);
  expect(ConsumedCapacity?.[0]?.GlobalSecondaryIndexes?.['listed']?.CapacityUnits).toBe(2);
});

it.each([
  ['texts', {}],
  ['numbers', { one: 7, two: 123_456.789, three: -98_765_432 }],
  ['lists and maps', { list: ['a', { b: true, c: null }], map: { d: { e: [1, 2, 3] } } }],
])('an item of %s has the bytes that the engine counts', async (name, more) => {
  const base = { pk: 'a', sk: `bytes-${name}`, ...more, text: '' };
  const left = 4_096 - storedBytes(toItem(base));
  const unitsOf = async (length: number) => {
    const Item = toItem({ ...base, text: 'x'.repeat(length) });
    await dynamo.send(new PutItemCommand({ TableName, Item }));
    const get = new GetItemCommand({
      TableName,
      Key: toItem({ pk: base.pk, sk: base.sk }),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    });
    return (await dynamo.send(get)).ConsumedCapacity?.CapacityUnits;
  };
  expect([await unitsOf(left), await unitsOf(left + 1)]).toEqual([1, 2]);
});
