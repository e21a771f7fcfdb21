import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { writesOf } from '../../../../../shared/platform/data/table.ts';

const mock = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => mock.reset());

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: 'a', sk: String(index) }));
const sizes = () =>
  mock.commandCalls(BatchWriteItemCommand).map(({ args: [{ input }] }) => input.RequestItems?.['t']?.length);

test('items are written 25 at a time', async () => {
  mock.on(BatchWriteItemCommand).resolves({});
  await writesOf(client, 't').putAll(keys(51));
  expect(sizes()).toEqual([25, 25, 1]);
  await writesOf(client, 't').deleteAll([]);
  expect(sizes()).toHaveLength(3);
});

test('what DynamoDB leaves unprocessed is written again', async () => {
  const left = [{ DeleteRequest: { Key: { pk: { S: 'a' }, sk: { S: '1' } } } }];
  mock
    .on(BatchWriteItemCommand)
    .resolvesOnce({ UnprocessedItems: { t: left } })
    .resolves({});
  await writesOf(client, 't').deleteAll(keys(3));
  expect(sizes()).toEqual([3, 1]);
});

test('a table that never writes is reported', async () => {
  mock.on(BatchWriteItemCommand).callsFake((input) => ({ UnprocessedItems: input.RequestItems }));
  await expect(writesOf(client, 't').deleteAll(keys(2))).rejects.toThrow(
    't left all 2 items, 6 times in a row.',
  );
});
