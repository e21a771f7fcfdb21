import * as z from 'zod/mini';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { synthesized } from './synthesized.ts';

const year = 365;

const selectors = z.tuple([
  z.object({
    FieldSelectors: z.array(z.object({ Field: z.string(), Equals: z.array(z.unknown()) })),
  }),
]);
const loggingSchema = z.object({ LoggingConfig: z.object({ LogGroup: z.object({ Ref: z.string() }) }) });

describe.each(deployedEnvironments)('%s', (environment) => {
  const { data, service } = synthesized(environment);
  const [[, trail] = ['', undefined], ...others] = data.ofType('AWS::CloudTrail::Trail');
  const [bucketId, bucket] = data.ofType('AWS::S3::Bucket').find(([id]) => id.startsWith('audittrail')) ?? [];
  const functionNames = service
    .ofType('AWS::Lambda::Function')
    .map(([, { Properties }]) => String(Properties['FunctionName']));

  /** Names of the functions whose calls the trail records. */
  function recorded(): string[] {
    const [{ FieldSelectors }] = z.parse(selectors, trail?.Properties['AdvancedEventSelectors']);
    const arns = FieldSelectors.find(({ Field }) => Field === 'resources.ARN')?.Equals ?? [];
    return arns.map((arn) => /:function:([\w-]+)"/.exec(JSON.stringify(arn))?.[1] ?? '');
  }

  it('records who calls the functions without a route, by their deployed names, and nothing else', () => {
    expect(others).toEqual([]);
    expect(service.ofType('AWS::CloudTrail::Trail')).toEqual([]);
    expect(recorded()).toEqual(
      ['admin', 'import', 'link-redemption'].map((name) => `insurance-compliance-${environment}-${name}`),
    );
    expect(functionNames).toEqual(expect.arrayContaining(recorded()));
    const [{ FieldSelectors }] = z.parse(selectors, trail?.Properties['AdvancedEventSelectors']);
    expect(FieldSelectors).toEqual([
      { Field: 'eventCategory', Equals: ['Data'] },
      { Field: 'resources.type', Equals: ['AWS::Lambda::Function'] },
      { Field: 'resources.ARN', Equals: expect.any(Array) },
    ]);
  });

  it('signs its files, and keeps them for a year where only CloudTrail writes', () => {
    expect(trail?.Properties).toMatchObject({
      IsLogging: true,
      EnableLogFileValidation: true,
      S3BucketName: { Ref: bucketId },
    });
    expect(bucket).toMatchObject({
      DeletionPolicy: environments[environment].keepsData ? 'Retain' : 'Delete',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        VersioningConfiguration: { Status: 'Enabled' },
        LifecycleConfiguration: {
          Rules: [{ ExpirationInDays: year, NoncurrentVersionExpiration: { NoncurrentDays: year } }],
        },
      },
    });
    const policy = data
      .ofType('AWS::S3::BucketPolicy')
      .find(([, { Properties }]) => JSON.stringify(Properties['Bucket']).includes(String(bucketId)));
    const ofTrail = {
      'aws:SourceArn': {
        'Fn::Join': ['', expect.arrayContaining([expect.stringMatching(/:trail\/.*-operators$/)])],
      },
    };
    const byCloudTrail = (action: string, conditions: object) =>
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudtrail.amazonaws.com' },
        Action: action,
        Condition: { StringEquals: { ...ofTrail, ...conditions } },
      });
    expect(policy?.[1].Properties['PolicyDocument']).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
        byCloudTrail('s3:GetBucketAcl', {}),
        byCloudTrail('s3:PutObject', { 's3:x-amz-acl': 'bucket-owner-full-control' }),
      ]),
    });
  });

  it('keeps its records in CloudWatch for a year, and what these functions log', () => {
    const logs = data.ofType('AWS::Logs::LogGroup');
    expect(logs.map(([, { Properties }]) => Properties['RetentionInDays'])).toEqual([year]);
    expect(trail?.Properties['CloudWatchLogsLogGroupArn']).toEqual({ 'Fn::GetAtt': [logs[0]?.[0], 'Arn'] });
    for (const [, { Properties }] of service.ofType('AWS::Lambda::Function')) {
      if (!recorded().includes(String(Properties['FunctionName']))) continue;
      const { Ref } = z.parse(loggingSchema, Properties).LoggingConfig.LogGroup;
      expect(service.all[Ref]?.Properties['RetentionInDays']).toBe(year);
    }
  });
});
