import { dynamodbAccesses } from '../../../infra/local/aws/dynamodb-service.ts';

const arn = (rest: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${rest}`;

const accesses = (operation: string, body: unknown, api = 'DynamoDB_20120810') =>
  dynamodbAccesses({
    method: 'POST',
    url: new URL('http://127.0.0.1/'),
    headers: { 'x-amz-target': `${api}.${operation}` },
    body: Buffer.from(JSON.stringify(body)),
  });

describe('a call of DynamoDB needs', () => {
  it('its own action on its table', () => {
    expect(accesses('GetItem', { TableName: 'policies', Key: {} })).toEqual([
      { action: 'dynamodb:GetItem', resource: arn('policies') },
    ]);
    expect(accesses('PutItem', { TableName: arn('policies') })).toEqual([
      { action: 'dynamodb:PutItem', resource: arn('policies') },
    ]);
  });

  it('the index alone, when it queries one', () => {
    expect(accesses('Query', { TableName: 'policies', IndexName: 'by-number' })).toEqual([
      { action: 'dynamodb:Query', resource: arn('policies/index/by-number') },
    ]);
  });

  it('an action for each item of a transaction: what the item does', () => {
    const item = (TableName: string) => ({ TableName, Key: {} });
    expect(
      accesses('TransactWriteItems', {
        TransactItems: [
          { Put: item('policies') },
          { Update: item('organizations') },
          { Delete: item('policies') },
          { ConditionCheck: item('organizations') },
        ],
      }),
    ).toEqual([
      { action: 'dynamodb:PutItem', resource: arn('policies') },
      { action: 'dynamodb:UpdateItem', resource: arn('organizations') },
      { action: 'dynamodb:DeleteItem', resource: arn('policies') },
      { action: 'dynamodb:ConditionCheckItem', resource: arn('organizations') },
    ]);
  });

  it('the action of PartiQL on the table of each statement of a batch', () => {
    const Statement = 'UPDATE "webhooks" SET retry = ? WHERE pk = ? AND sk = ?';
    expect(accesses('BatchExecuteStatement', { Statements: [{ Statement }] })).toEqual([
      { action: 'dynamodb:PartiQLUpdate', resource: arn('webhooks') },
    ]);
    const Select = { Statement: 'SELECT * FROM "webhooks"' };
    expect(() => accesses('BatchExecuteStatement', { Statements: [Select] })).toThrow(/SELECT/);
  });

  it('the batch action on each of its tables', () => {
    expect(accesses('BatchGetItem', { RequestItems: { a: {}, b: {} } })).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: arn('a') },
      { action: 'dynamodb:BatchGetItem', resource: arn('b') },
    ]);
  });

  it('to be a known operation', () => {
    expect(() => accesses('ExecuteStatement', {})).toThrow(/dynamodb:ExecuteStatement/);
    expect(() => accesses('TransactGetItems', { TransactItems: [] })).toThrow(/dynamodb:TransactGetItems/);
    expect(() => accesses('GetItem', {})).toThrow(/TableName/);
  });
});

describe('a call of a table’s stream needs its own action on the stream', () => {
  const iterator =
    'arn:aws:dynamodb:ddblocal:000000000000:table/outbox/stream/2026-01-01T00:00:00.000|001|abc';
  it.each([
    ['ListStreams', { TableName: 'outbox' }],
    ['DescribeStream', { StreamArn: arn('outbox/stream/local') }],
    ['GetShardIterator', { StreamArn: arn('outbox/stream/local'), ShardId: 'shard' }],
    ['GetRecords', { ShardIterator: iterator }],
  ])('%s', (operation, body) => {
    expect(accesses(operation, body, 'DynamoDBStreams_20120810')).toEqual([
      { action: `dynamodb:${operation}`, resource: arn('outbox/stream/local') },
    ]);
  });

  it('and must be known', () => {
    expect(() => accesses('DeleteStream', {}, 'DynamoDBStreams_20120810')).toThrow(/dynamodb:DeleteStream/);
  });
});
