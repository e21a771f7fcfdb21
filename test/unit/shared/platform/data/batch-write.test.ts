import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { toItem } from '#platform/data/dynamo.ts';
import { writesOf } from '#platform/data/table.ts';

const mock = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => mock.reset());

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: 'a', sk: String(index) }));
const written = () =>
  mock.commandCalls(BatchWriteItemCommand).map(({ args: [{ input }] }) => input.RequestItems?.['t']);
const sizes = () => written().map((some) => some?.length);

test('items are written 25 at a time', async () => {
  mock.on(BatchWriteItemCommand).resolves({});
  await writesOf(client, 't').putAll(keys(51));
  expect(sizes()).toEqual([25, 25, 1]);
  expect(written()[2]).toEqual([{ PutRequest: { Item: toItem({ pk: 'a', sk: '50' }) } }]);
  await writesOf(client, 't').deleteAll([]);
  expect(sizes()).toHaveLength(3);
});

test('what DynamoDB leaves unprocessed is written again', async () => {
  const left = [{ DeleteRequest: { Key: toItem({ pk: 'a', sk: '1' }) } }];
  mock
    .on(BatchWriteItemCommand)
    .resolvesOnce({ UnprocessedItems: { t: left } })
    .resolves({});
  await writesOf(client, 't').deleteAll(keys(3));
  expect(sizes()).toEqual([3, 1]);
  expect(written()[0]?.[1]).toEqual(left[0]);
});

test('a table that never writes is reported', async () => {
  mock.on(BatchWriteItemCommand).callsFake((input) => ({ UnprocessedItems: input.RequestItems }));
  await expect(writesOf(client, 't').deleteAll(keys(2))).rejects.toThrow(
    't left all 2 items, 6 times in a row.',
  );
});
