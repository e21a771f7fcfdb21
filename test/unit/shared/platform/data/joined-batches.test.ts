import { BatchGetItemCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { joiningBatches } from '#platform/data/joined-batches.ts';

const dynamo = mockClient(DynamoDBClient);
const client = joiningBatches(new DynamoDBClient({ region: 'us-east-1' }));

beforeEach(() => dynamo.reset());

const request = (table: string, ...ids: string[]) => ({
  [table]: { Keys: ids.map((id) => ({ pk: { S: id } })), ConsistentRead: false },
});
const batch = (table: string, ...ids: string[]) =>
  client.send(new BatchGetItemCommand({ RequestItems: request(table, ...ids) }));
const asked = () => dynamo.commandCalls(BatchGetItemCommand).map(({ args }) => args[0].input.RequestItems);

it('makes one call of those that are made at the same time, and gives each what is of its own table', async () => {
  dynamo.on(BatchGetItemCommand).resolves({
    Responses: { a: [{ pk: { S: '1' } }], b: [{ pk: { S: '2' } }] },
    UnprocessedKeys: { b: { Keys: [{ pk: { S: '3' } }] } },
  });
  const [ofA, ofB] = await Promise.all([batch('a', '1'), batch('b', '2', '3')]);
  expect(asked()).toEqual([{ ...request('a', '1'), ...request('b', '2', '3') }]);
  expect(ofA).toEqual({ Responses: { a: [{ pk: { S: '1' } }] }, UnprocessedKeys: {} });
  expect(ofB).toEqual({
    Responses: { b: [{ pk: { S: '2' } }] },
    UnprocessedKeys: { b: { Keys: [{ pk: { S: '3' } }] } },
  });
});

it('keeps apart two of one table, what would be more than a call takes, and what is made later', async () => {
  dynamo.on(BatchGetItemCommand).resolves({});
  await batch('d', '4');
  const [most = [], more = []] = [97, 99].map((length) =>
    Array.from({ length }, (_, index) => String(index)),
  );
  const two = new BatchGetItemCommand({ RequestItems: { ...request('a', '1'), ...request('e', '5') } });
  await Promise.all([client.send(two), batch('b', ...most), batch('a', '2'), batch('c', ...more)]);
  expect(asked().map((tables) => Object.keys(tables ?? {}))).toEqual([['d'], ['a', 'e', 'b'], ['a', 'c']]);
});

it('fails each where the call fails, and passes on whatever else is asked of the client', async () => {
  dynamo.on(BatchGetItemCommand).rejects(new Error('throttled'));
  dynamo.on(GetItemCommand).resolves({ Item: { pk: { S: '1' } } });
  const failed = await Promise.allSettled([batch('a', '1'), batch('b', '2')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'a', Key: { pk: { S: '1' } } }));
  expect(Item).toEqual({ pk: { S: '1' } });
  expect(await client.config.region()).toBe('us-east-1');
});
