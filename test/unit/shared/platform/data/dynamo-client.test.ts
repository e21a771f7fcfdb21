import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '#platform/data/dynamo.ts';

/** The names of the errors that DynamoDB answers with, one a call; then it answers well. */
const refusals: string[] = [];
let calls = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    calls += 1;
    const name = refusals.shift();
    response.writeHead(name === undefined ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify(
        name === undefined
          ? {}
          : { __type: name, Message: name, CancellationReasons: [{ Code: 'TransactionConflict' }] },
      ),
    );
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['AWS_REGION'] = 'us-east-1';
  process.env['AWS_ACCESS_KEY_ID'] = 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  calls = 0;
  refusals.length = 0;
});

const put = new PutItemCommand({ TableName: 't', Item: { pk: { S: 'a' } } });

it('a single write that conflicts with a transaction is retried', async () => {
  refusals.push('TransactionConflictException', 'TransactionConflictException');
  await createDynamoClient().send(put);
  expect(calls).toBe(3);
});

it('a write that keeps conflicting with transactions throws contention', async () => {
  refusals.push(...Array.from({ length: 9 }, () => 'TransactionConflictException'));
  await expect(createDynamoClient().send(put)).rejects.toMatchObject({
    name: 'TransactionConflictException',
  });
  expect(calls).toBe(3);
});

it.each([
  ['a canceled transaction', 'TransactionCanceledException'],
  ['a condition that fails', 'ConditionalCheckFailedException'],
])('%s is left to whoever wrote it', async (_, name) => {
  refusals.push(name);
  const write =
    name === 'TransactionCanceledException'
      ? new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: 't', Item: {} } }] })
      : put;
  const client = createDynamoClient();
  await expect(client.send(write as typeof put)).rejects.toMatchObject({ name });
  expect(calls).toBe(1);
  await client.send(new GetItemCommand({ TableName: 't', Key: {} }));
});
