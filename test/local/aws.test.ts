// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are AWS's, in texts that AWS would fill.

import { createS3ObjectStore } from '#domain/file-documents/s3-object-store.ts';
import { createS3Client } from '#platform/aws/s3-client.ts';
import { dynamodbAccesses } from '../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { evaluate, readStatements } from '../../infra/local/aws/policy-evaluation.ts';
import { createMalwareScans, s3Service } from '../../infra/local/aws/s3-service.ts';
import {
  corsRulesOf,
  createQueuesAndBuckets,
  type Fauxqs,
  startFauxqs,
} from '../../infra/local/engines/queues-and-buckets.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import { wholeTemplates } from '../infra/synthesized.ts';
import { withoutAction } from '../support/grants.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/policies';
const statement = (Effect: 'Allow' | 'Deny', Action: string | string[], Resource: string | string[]) => ({
  Effect,
  Action,
  Resource,
});
const read = (...Statement: object[]) => readStatements({ Version: '2012-10-17', Statement });

describe('a role', () => {
  it('allows what a statement names, and returns that grant', () => {
    const statements = read(statement('Allow', ['dynamodb:GetItem', 'dynamodb:PutItem'], table));
    expect(evaluate(statements, { action: 'dynamodb:PutItem', resource: table })).toEqual({
      isAllowed: true,
      grants: [{ action: 'dynamodb:PutItem', resource: table }],
    });
  });

  it.each([
    ['another action', 'dynamodb:DeleteItem', table],
    ['another table', 'dynamodb:GetItem', `${table}-2`],
    ['an index, when only the table is allowed', 'dynamodb:GetItem', `${table}/index/by-number`],
  ])('refuses %s', (_, action, resource) => {
    const statements = read(statement('Allow', 'dynamodb:GetItem', table));
    expect(evaluate(statements, { action, resource })).toEqual({ isAllowed: false, explicit: false });
  });

  it('refuses what a Deny names unless a key has this value, and so a request without the key', () => {
    const statements = read(statement('Allow', '*', '*'), {
      ...statement('Deny', 's3:GetObject', '*'),
      Condition: { StringNotEquals: { tag: 'clean' } },
    });
    const allows = (context: Record<string, string>) =>
      evaluate(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::files/a', context }).isAllowed;
    expect([allows({}), allows({ tag: 'infected' }), allows({ tag: 'clean' })]).toEqual([false, false, true]);
  });

  it('refuses what a Deny names for calls without TLS, which a call that does not say so is not', () => {
    const statements = read(statement('Allow', '*', '*'), {
      ...statement('Deny', '*', '*'),
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    const access = { action: 's3:GetObject', resource: 'arn:aws:s3:::files/a' };
    expect(evaluate(statements, access).isAllowed).toBe(true);
    expect(evaluate(statements, { ...access, context: { 'aws:SecureTransport': 'false' } }).isAllowed).toBe(
      false,
    );
  });

  it('refuses what a Deny names, even if another statement allows it', () => {
    const statements = read(statement('Allow', '*', '*'), statement('Deny', 'dynamodb:Scan', '*'));
    expect(evaluate(statements, { action: 'dynamodb:Scan', resource: table })).toEqual({
      isAllowed: false,
      explicit: true,
    });
    expect(evaluate(statements, { action: 'dynamodb:Query', resource: table }).isAllowed).toBe(true);
  });

  it.each([
    ['dynamodb:*', table, true],
    ['dynamodb:Get*', table, true],
    ['DYNAMODB:getitem', table, true],
    ['dynamodb:GetItem', `${table}*`, true],
    ['dynamodb:GetItem', `${table.toUpperCase()}`, false],
  ])('matches %s on %s: %s', (action, resource, allowed) => {
    const statements = read(statement('Allow', action, resource));
    expect(evaluate(statements, { action: 'dynamodb:GetItem', resource: table }).isAllowed).toBe(allowed);
  });

  it('evaluates a condition with the service’s values for the call', () => {
    const statements = readStatements({
      Statement: {
        ...statement('Allow', 'secretsmanager:GetSecretValue', '*'),
        Condition: { StringEquals: { 'secretsmanager:VersionStage': ['AWSCURRENT', 'AWSPENDING'] } },
      },
    });
    const access = { action: 'secretsmanager:GetSecretValue', resource: 'x' };
    const staged = (stage: string) => ({ ...access, context: { 'secretsmanager:VersionStage': stage } });
    expect(evaluate(statements, staged('AWSPENDING')).isAllowed).toBe(true);
    expect(evaluate(statements, staged('AWSPREVIOUS')).isAllowed).toBe(false);
    expect(evaluate(statements, access).isAllowed).toBe(false);
  });

  it.each([
    [{ Effect: 'Allow', NotAction: 'a', Resource: '*' }],
    [{ Effect: 'Allow', Action: 'a', NotResource: '*' }],
    [{ ...statement('Allow', 'a', '*'), Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    [statement('Allow', 'a', 'table/${aws:username}')],
  ])('with an unsupported statement is refused: %j', (source) => {
    expect(() => read(source)).toThrow(/local run/);
  });

  it('loses only the actions that a test removes', () => {
    const statements = read(
      statement('Allow', ['dynamodb:GetItem', 'dynamodb:PutItem'], table),
      statement('Allow', 'dynamodb:PutItem', '*'),
    );
    expect(withoutAction(statements, 'dynamodb:PutItem')).toEqual([
      { effect: 'Allow', actions: ['dynamodb:GetItem'], resources: [table], conditions: [] },
    ]);
  });
});

describe('cors', () => {
  const secretAccessKey = 'local';
  const page = 'https://portal.example.com';

  let engine: Fauxqs;
  let listener: Listener;
  beforeAll(async () => {
    engine = await startFauxqs();
    listener = await openListener(0);
  });
  afterAll(async () => {
    await listener.close();
    await engine.stop();
  });

  /** The files bucket behind the endpoint, as the local run's template has it, or without its CORS rules. */
  async function filesBucket({ cors }: { readonly cors: boolean }) {
    const templates: Record<string, unknown> = JSON.parse(
      JSON.stringify(wholeTemplates('local')),
      (name, value: unknown) => (cors || name !== 'CorsConfiguration' ? value : undefined),
    );
    const buckets = readTemplates(templates, { awsEndpoint: listener.address }).ofType('AWS::S3::Bucket');
    listener.serve(
      createAwsEndpoint({
        callers: new Map([['KEY', { name: 'operator', statements: 'everything' }]]),
        services: {
          s3: s3Service({
            port: engine.port,
            secretAccessKey,
            corsRules: corsRulesOf(buckets),
            scans: createMalwareScans([], () => 0),
          }),
        },
        onGrantUsed: () => {},
        onRefusal: () => {},
      }),
    );
    await createQueuesAndBuckets({ queues: [], buckets }, { endpoint: listener.address, accessKeyId: 'KEY' });
    const client = createS3Client({
      region: 'us-east-1',
      credentials: { accessKeyId: 'KEY', secretAccessKey },
      endpoint: listener.address,
      forcePathStyle: true,
    });
    return createS3ObjectStore(client, buckets[0]?.ref ?? '', false);
  }

  /** Sends what a page sends, as a browser lets it: asks first, and hands the answer over only where it may be read. */
  async function fromPage(
    url: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response> {
    const { method = 'GET', headers = {} } = init;
    const asked = Object.keys(headers).filter((name) => name !== 'content-length');
    if (method !== 'GET' || asked.length > 0) {
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin: page,
          'access-control-request-method': method,
          ...(asked.length === 0 ? {} : { 'access-control-request-headers': asked.join(',') }),
        },
      });
      const allowed = (name: string) =>
        (preflight.headers.get(`access-control-allow-${name}`) ?? '').split(',').map((one) => one.trim());
      const refused = asked.filter((name) => !allowed('headers').includes(name));
      if (!preflight.ok || !allowed('methods').includes(method) || refused.length > 0) {
        throw new Error(`Blocked by CORS: ${preflight.status} ${await preflight.text()}`);
      }
    }
    const answer = await fetch(url, { ...init, headers: { ...headers, origin: page } });
    const origin = answer.headers.get('access-control-allow-origin');
    if (origin !== '*' && origin !== page) throw new Error('Blocked by CORS: the answer may not be read');
    return answer;
  }

  const bytes = Buffer.from('%PDF-1.4\n');
  const upload = {
    objectKey: 'incoming/a',
    contentType: 'application/pdf',
    sizeInBytes: bytes.length,
  } as const;

  it('lets a page upload a file to its presigned URL and download it', async () => {
    const store = await filesBucket({ cors: true });
    const { url, headers } = await store.uploadLink(upload, new Date());
    const sent = await fromPage(url, { method: 'PUT', headers: { ...headers }, body: bytes });
    expect(sent.status).toBe(200);
    expect(sent.headers.get('access-control-expose-headers')).toContain('ETag');

    const file = { objectKey: upload.objectKey, fileName: 'a.pdf', contentType: upload.contentType };
    const read = await fromPage((await store.downloadLink(file, 'inline', new Date())).url, {});
    expect(await read.text()).toBe(bytes.toString());
  });

  it('does not allow it without rules in the template', async () => {
    const store = await filesBucket({ cors: false });
    const { url, headers } = await store.uploadLink(upload, new Date());
    await expect(fromPage(url, { method: 'PUT', headers: { ...headers }, body: bytes })).rejects.toThrow(
      'Blocked by CORS: 403',
    );
    await expect(fetch(url, { method: 'PUT', headers: { ...headers }, body: bytes })).resolves.toMatchObject({
      status: 200,
    });
  });
});

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
