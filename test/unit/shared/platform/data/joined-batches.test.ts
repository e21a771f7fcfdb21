import { BatchGetItemCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { joiningBatches } from '../../../../../shared/platform/data/joined-batches.ts';

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
  expect(ofA).toMatchObject({ Responses: { a: [{ pk: { S: '1' } }] }, UnprocessedKeys: {} });
  expect(ofB).toMatchObject({
    Responses: { b: [{ pk: { S: '2' } }] },
    UnprocessedKeys: { b: { Keys: [{ pk: { S: '3' } }] } },
  });
});

it('keeps apart two of one table, what would be more than a call takes, and what is made later', async () => {
  dynamo.on(BatchGetItemCommand).resolves({});
  const many = Array.from({ length: 60 }, (_, index) => String(index));
  await Promise.all([batch('a', '1'), batch('a', '2'), batch('b', ...many), batch('c', ...many)]);
  await batch('d', '4');
  expect(asked().map((tables) => Object.keys(tables ?? {}))).toEqual([['a', 'b'], ['a', 'c'], ['d']]);
});

it('fails each where the call fails, and passes on every other command', async () => {
  dynamo.on(BatchGetItemCommand).rejects(new Error('throttled'));
  dynamo.on(GetItemCommand).resolves({ Item: { pk: { S: '1' } } });
  const failed = await Promise.allSettled([batch('a', '1'), batch('b', '2')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'a', Key: { pk: { S: '1' } } }));
  expect(Item).toEqual({ pk: { S: '1' } });
});
