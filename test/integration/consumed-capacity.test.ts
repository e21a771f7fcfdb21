import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '#platform/data/dynamo.ts';
import { storedBytes } from '#platform/data/stored.ts';
import type { TableDesign } from '#platform/data/table-design.ts';
import { createTable, dynamo } from '../support/tables.ts';

// The bytes of an item, as the engine counts them.

const design = {
  name: 'counted',
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  indexes: {},
  kind: 'transient',
} as const satisfies TableDesign;

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(design);
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
