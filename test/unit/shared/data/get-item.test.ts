import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { toItem } from '../../../../shared/data/dynamo.ts';
import { getItem } from '../../../../shared/data/get-item.ts';

const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const named = z.object({ name: z.string() });
const read = (consistent = false) => getItem(client, 't', { pk: 'A', sk: 'B' }, named, { consistent });

it('reads the item under the key as its schema says, without its keys', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 'Acme' }) });
  await expect(read()).resolves.toEqual({ name: 'Acme' });
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input).toEqual({
    TableName: 't',
    Key: { pk: { S: 'A' }, sk: { S: 'B' } },
    ConsistentRead: false,
  });
});

it('reads consistently where asked to', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await read(true);
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input.ConsistentRead).toBe(true);
});

it('is undefined where there is no item', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await expect(read()).resolves.toBeUndefined();
});

it('fails, naming the item and the attribute, when the item breaks its schema', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 7 }) });
  await expect(read()).rejects.toThrow('The item A B does not match its schema at name (invalid_type).');
});
