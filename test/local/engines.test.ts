import { s3Accesses, verifyPresignedAddress } from '../../infra/local/aws/s3-service.ts';
import type { AwsRequest } from '../../infra/local/aws/service.ts';
import { sessionToken } from '../../infra/local/aws/service.ts';
import { sqsAccesses } from '../../infra/local/aws/sqs-service.ts';
import { tablePlan } from '../../infra/local/engines/dynamodb-local.ts';
import { queuePlan, startFauxqs } from '../../infra/local/engines/queues-and-buckets.ts';
import { region } from '../../infra/local/template/template.ts';

const request = (method: string, path: string, more: Partial<AwsRequest> = {}): AwsRequest => ({
  method,
  url: new URL(path, 'http://127.0.0.1'),
  headers: {},
  body: Buffer.alloc(0),
  ...more,
});

describe('a call of S3 needs', () => {
  it.each([
    ['GET', '/files/a/b%20c.pdf', 's3:GetObject', 'arn:aws:s3:::files/a/b c.pdf'],
    ['PUT', '/files/a?x-id=PutObject', 's3:PutObject', 'arn:aws:s3:::files/a'],
    ['GET', '/files?list-type=2&prefix=a', 's3:ListBucket', 'arn:aws:s3:::files'],
  ])('for %s %s: %s', (method, path, action, resource) => {
    expect(s3Accesses(request(method, path))).toEqual([{ action, resource }]);
  });

  it('both sides of a copy', () => {
    const headers = { 'x-amz-copy-source': '/files/a' };
    expect(s3Accesses(request('PUT', '/files/b', { headers }))).toEqual([
      { action: 's3:PutObject', resource: 'arn:aws:s3:::files/b' },
      { action: 's3:GetObject', resource: 'arn:aws:s3:::files/a' },
    ]);
  });

  it('to be known', () => {
    expect(() => s3Accesses(request('PUT', '/files/a?acl'))).toThrow(/parameter acl/);
    expect(() => s3Accesses(request('DELETE', '/files/a'))).toThrow(/DELETE of an object/);
  });
});

describe('a call of SQS needs', () => {
  it('the action that a batch repeats, on its queue', () => {
    const call = request('POST', '/', {
      headers: { 'x-amz-target': 'AmazonSQS.SendMessageBatch' },
      body: Buffer.from(JSON.stringify({ QueueUrl: 'http://127.0.0.1:4000/000000000000/jobs' })),
    });
    expect(sqsAccesses(call)).toEqual([
      { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:jobs' },
    ]);
  });
});

describe('a presigned URL', () => {
  // The example of the S3 documentation, "Authenticating Requests: Using Query Parameters".
  const signature = 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
  const address =
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
    '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    `&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`;
  const host = 'examplebucket.s3.amazonaws.com';
  const signed = request('GET', address, { headers: { host } });
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const meanwhile = Date.UTC(2013, 4, 24, 12);
  const refusal = (code: string) => expect.objectContaining({ code });

  it('is accepted as signed until it expires', async () => {
    await verifyPresignedAddress(signed, secret, meanwhile);
    await expect(verifyPresignedAddress(signed, secret, Date.UTC(2013, 4, 25))).rejects.toThrow(
      refusal('AccessDenied'),
    );
  });

  it('ends with the credentials that signed it, whatever it says', async () => {
    const withToken = (endsAt: number) => ({
      ...signed,
      url: new URL(`${signed.url.href}&X-Amz-Security-Token=${sessionToken(endsAt)}`),
    });
    await expect(verifyPresignedAddress(withToken(meanwhile), secret, meanwhile)).rejects.toMatchObject({
      code: 'ExpiredToken',
      status: 403,
    });
    // The token itself is signed.
    await expect(verifyPresignedAddress(withToken(meanwhile + 1), secret, meanwhile)).rejects.toThrow(
      refusal('SignatureDoesNotMatch'),
    );
  });

  it.each([
    'Bearer token',
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
  ])('is refused with the authorization %s as well', async (authorization) => {
    const changed = { ...signed, headers: { host, authorization } };
    await expect(verifyPresignedAddress(changed, secret, meanwhile)).rejects.toMatchObject({
      code: 'InvalidArgument',
      status: 400,
    });
  });

  it.each(['x-amz-tagging', 'x-amz-meta-owner'])(
    'is refused with the header %s, which was not signed',
    async (name) => {
      const changed = { ...signed, headers: { host, [name]: 'public-read' } };
      await expect(verifyPresignedAddress(changed, secret, meanwhile)).rejects.toThrow(
        refusal('AccessDenied'),
      );
    },
  );

  it.each([
    ['method', { ...signed, method: 'PUT' }],
    ['path', { ...signed, url: new URL(signed.url.href.replace('test.txt', 'other.txt')) }],
    ['query', { ...signed, url: new URL(`${signed.url.href}&versionId=1`) }],
    ['signed header', { ...signed, headers: { host: 'other.s3.amazonaws.com' } }],
    ['longer life', { ...signed, url: new URL(signed.url.href.replace('86400', '90000')) }],
    ['signature', { ...signed, url: new URL(signed.url.href.replace(signature, 'aeee')) }],
  ])('is refused with another %s', async (_, changed) => {
    await expect(verifyPresignedAddress(changed, secret, meanwhile)).rejects.toThrow(
      refusal('SignatureDoesNotMatch'),
    );
  });
});

describe('a queue of the template', () => {
  it('is created with its attributes as strings', () => {
    const RedrivePolicy = {
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
      maxReceiveCount: 3,
    };
    expect(queuePlan('jobs', { VisibilityTimeout: 60, SqsManagedSseEnabled: true, RedrivePolicy })).toEqual({
      QueueName: 'jobs',
      Attributes: { VisibilityTimeout: '60', RedrivePolicy: JSON.stringify(RedrivePolicy) },
    });
  });

  it('with an unsupported property is refused', () => {
    expect(() => queuePlan('jobs', { Colour: 'red' })).toThrow();
  });
});

describe('fauxqs', () => {
  it('the end of fauxqs is reported in words', async () => {
    const engine = await startFauxqs();
    await engine.stop();
    expect(await engine.ended).toBe('fauxqs, which emulates SQS and S3, ended with code 1');
  });
});

describe('tables', () => {
  const properties = {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  };
  const here = { Region: region, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };

  it('accepts a table without replicas in other regions', () => {
    expect(tablePlan('outbox', { ...properties, Replicas: [here] }).create.TableName).toBe('outbox');
  });

  it.each([
    ['a replica in another region', [here, { Region: 'eu-west-1' }]],
    ['provisioned capacity of a replica', [{ ...here, ReadProvisionedThroughputSettings: {} }]],
  ])('refuses %s, which DynamoDB Local does not have', (_, Replicas) => {
    expect(() => tablePlan('outbox', { ...properties, Replicas })).toThrow();
  });
});
