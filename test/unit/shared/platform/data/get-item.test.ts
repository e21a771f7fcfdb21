import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { compatible } from '../../../../../shared/platform/contract/compatible.ts';
import { toItem } from '../../../../../shared/platform/data/dynamo.ts';
import { getItem } from '../../../../../shared/platform/data/get-item.ts';

const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const named = compatible('named', z.object({ name: z.string() }));
const read = (consistent = false) => getItem(client, 't', { pk: 'A', sk: 'B' }, named, { consistent });

it('returns the item, parsed with its schema and without its keys', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 'Acme' }) });
  await expect(read()).resolves.toEqual({ name: 'Acme' });
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input).toEqual({
    TableName: 't',
    Key: { pk: { S: 'A' }, sk: { S: 'B' } },
    ConsistentRead: false,
  });
});

it('takes no schema that is not compared with the previous release', () => {
  const unnamed = z.object({ name: z.string() });
  // @ts-expect-error: `compatible` did not name the schema.
  const readUnnamed = () => getItem(client, 't', { pk: 'A' }, unnamed, { consistent: true });
  expect(readUnnamed).toBeInstanceOf(Function);
});

it('reads consistently if requested', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await read(true);
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input.ConsistentRead).toBe(true);
});

it('returns undefined if there is no item', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await expect(read()).resolves.toBeUndefined();
});

it('throws an error that names the item and the attribute that does not match its schema', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 7 }) });
  await expect(read()).rejects.toThrow('The item A B does not match its schema at name (invalid_type).');
});
