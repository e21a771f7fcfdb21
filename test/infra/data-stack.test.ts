import { App, Stack } from 'aws-cdk-lib';
import { Table } from '../../infra/constructs/table.ts';
import { tableDesigns, tables } from '../../shared/domain/tables.ts';
import { synthesized } from './synthesized.ts';

const { data, service } = synthesized('prod');
const tableOf = (name: string) => {
  const found = data
    .ofType('AWS::DynamoDB::GlobalTable')
    .find(([logicalId]) => logicalId.startsWith(`${name.replaceAll('-', '')}Table`));
  if (found === undefined) throw new Error(`No table ${name}.`);
  return found[1];
};

const business = tableDesigns.filter(({ kind }) => kind === 'business').map(({ name }) => name);

test('the tables are as designed, on demand and encrypted with a KMS key', () => {
  const deployed = data.ofType('AWS::DynamoDB::GlobalTable').map(([, { Properties }]) => Properties);

  expect(deployed).toHaveLength(tableDesigns.length);
  for (const properties of deployed) {
    expect(properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
  }
});

test('a table and its indexes serve what the environment says from the first second, and no other', () => {
  const app = new App();
  const stack = new Stack(app, 'warm');
  const warmThroughput = { agents: { write: 23_000, read: 15_000 }, 'agents/by-list': { write: 20_000 } };
  new Table(stack, tables.agents, { keepsData: false, warmThroughput });
  new Table(stack, tables.carriers, { keepsData: false, warmThroughput });
  const template = JSON.stringify(app.synth().getStackByName('warm').template);

  expect(
    Array.from(template.matchAll(/"WarmThroughput":(\{.*?\})/g), ([, rates = '']) => JSON.parse(rates)),
  ).toEqual([{ WriteUnitsPerSecond: 20_000 }, { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 23_000 }]);
  expect(JSON.stringify(data.all)).not.toContain('WarmThroughput');
});

// A table of the type `AWS::DynamoDB::Table` would have to be migrated before it could have replicas.
test('every table is a global table without replicas, since leases and transactions hold in one region', () => {
  const types = Object.values(data.all).map(({ Type }) => Type);
  expect(types).not.toContain('AWS::DynamoDB::Table');
  for (const [, { Properties }] of data.ofType('AWS::DynamoDB::GlobalTable')) {
    expect(Properties['Replicas']).toHaveLength(1);
  }
});

test.each(business)('%s is retained, protected from deletion, and can be restored to any second', (name) => {
  expect(tableOf(name)).toMatchObject({
    DeletionPolicy: 'Retain',
    Properties: {
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    },
  });
});

test.each(['local', 'dev', 'sandbox'] as const)(
  'business tables of %s can be restored too',
  (environment) => {
    const restorable = synthesized(environment)
      .data.ofType('AWS::DynamoDB::GlobalTable')
      .map(([, { Properties }]) => JSON.stringify(Properties['Replicas']))
      .filter((replicas) => replicas.includes('"PointInTimeRecoveryEnabled":true'));

    expect(restorable).toHaveLength(business.length);
  },
);

test.each(
  tableDesigns.flatMap((table) => ('timeToLive' in table ? [[table.name, table.timeToLive] as const] : [])),
)('items of %s expire by their %s', (name, AttributeName) => {
  expect(tableOf(name).Properties['TimeToLiveSpecification']).toEqual({ AttributeName, Enabled: true });
});

test('only the outbox has a stream, with new images', () => {
  const streams = tableDesigns.flatMap(({ name }) => {
    const stream = tableOf(name).Properties['StreamSpecification'];
    return stream === undefined ? [] : [[name, stream]];
  });
  expect(streams).toEqual([['outbox', { StreamViewType: 'NEW_IMAGE' }]]);
});

test.each(
  tableDesigns.flatMap((table) =>
    'indexes' in table ? Object.entries(table.indexes).map(([index, keys]) => ({ table, index, keys })) : [],
  ),
)('$table.name has the index $index as designed', ({ table, index, keys }) => {
  expect(tableOf(table.name).Properties['GlobalSecondaryIndexes']).toContainEqual({
    IndexName: index,
    KeySchema: [
      { AttributeName: keys.partitionKey.name, KeyType: 'HASH' },
      { AttributeName: keys.sortKey.name, KeyType: 'RANGE' },
    ],
    Projection:
      typeof keys.projection === 'object'
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: keys.projection }
        : { ProjectionType: keys.projection === 'all' ? 'ALL' : 'KEYS_ONLY' },
  });
  expect(tableOf(table.name).Properties['AttributeDefinitions']).toEqual(
    expect.arrayContaining([
      { AttributeName: keys.partitionKey.name, AttributeType: keys.partitionKey.type },
      { AttributeName: keys.sortKey.name, AttributeType: keys.sortKey.type },
    ]),
  );
});

test.each([
  ['dev', false],
  ['sandbox', true],
  ['prod', true],
] as const)('the data stack of %s refuses to be deleted: %s', (environment, refuses) => {
  expect(synthesized(environment).data.terminationProtection).toBe(refuses);
});

test('the signing secret is generated, retained, and rotated every 90 days by its own function only', () => {
  const [secret] = data.ofType('AWS::SecretsManager::Secret');
  expect(secret?.[1]).toMatchObject({
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
  });

  const [rotation] = service
    .ofType('AWS::Lambda::Function')
    .filter(
      ([, { Properties }]) =>
        Properties['FunctionName'] === 'insurance-compliance-prod-signing-secret-rotation',
    );
  const rotationArn = { 'Fn::GetAtt': [rotation?.[0], 'Arn'] };
  const [schedule] = service.ofType('AWS::SecretsManager::RotationSchedule');
  expect(schedule?.[1].Properties).toMatchObject({
    RotationLambdaARN: rotationArn,
    RotationRules: { AutomaticallyAfterDays: 90 },
  });
  expect(service.ofType('AWS::Lambda::Permission').map(([, { Properties }]) => Properties)).toContainEqual({
    Action: 'lambda:InvokeFunction',
    FunctionName: rotationArn,
    Principal: 'secretsmanager.amazonaws.com',
    SourceArn: schedule?.[1].Properties['SecretId'],
  });
});

const keysThat = (usage: string | undefined) =>
  data.ofType('AWS::KMS::Key').filter(([, { Properties }]) => Properties['KeyUsage'] === usage);

test('the key of receipts signs with P-256, does not rotate, and outlives its stack', () => {
  const keys = keysThat('SIGN_VERIFY');
  expect(keys).toEqual([
    [
      expect.any(String),
      expect.objectContaining({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: expect.objectContaining({ KeySpec: 'ECC_NIST_P256' }),
      }),
    ],
  ]);
  expect(keys[0]?.[1].Properties).not.toHaveProperty('EnableKeyRotation');
});

test('the key of webhook secrets rotates, and outlives its stack', () => {
  const keys = keysThat(undefined);
  expect(keys).toEqual([
    [
      expect.any(String),
      expect.objectContaining({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: expect.objectContaining({ EnableKeyRotation: true }),
      }),
    ],
  ]);
  expect(data.ofType('AWS::KMS::Alias')[0]?.[1].Properties).toMatchObject({
    AliasName: 'alias/insurance-compliance-prod-webhook-secrets',
    TargetKeyId: { 'Fn::GetAtt': [keys[0]?.[0], 'Arn'] },
  });
});

test('a page in a browser can upload to a presigned URL and download from one', () => {
  const [bucket] = data.ofType('AWS::S3::Bucket');
  expect(bucket?.[1].Properties['CorsConfiguration']).toEqual({
    CorsRules: [
      {
        AllowedOrigins: ['*'],
        AllowedMethods: ['GET', 'HEAD', 'PUT'],
        AllowedHeaders: ['*'],
        ExposedHeaders: ['ETag', 'Content-Disposition', 'Content-Length', 'Content-Range'],
        MaxAge: 3_600,
      },
    ],
  });
});

test('no bucket is deleted when its creation is rolled back: CloudTrail and GuardDuty have written to it by then', () => {
  const policies = data.ofType('AWS::S3::Bucket').map(([, { DeletionPolicy }]) => DeletionPolicy);
  expect(policies).toEqual(['Retain', 'Retain', 'Retain']);
});

test('the bucket of files is private, encrypted, and retained, and unused uploads expire', () => {
  const [bucket] = data.ofType('AWS::S3::Bucket');
  expect(bucket?.[1]).toMatchObject({
    DeletionPolicy: 'Retain',
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
        Rules: [{ Prefix: 'incoming/', ExpirationInDays: 7, Status: 'Enabled' }],
      },
    },
  });

  const [policy] = data.ofType('AWS::S3::BucketPolicy');
  expect(policy?.[1].Properties['PolicyDocument']).toMatchObject({
    Statement: expect.arrayContaining([
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]),
  });
});

test('sandbox and prod scan every file for malware and let no one read one that is not clean, nor change its tag', () => {
  for (const environment of ['sandbox', 'prod'] as const) {
    const { data: stack } = synthesized(environment);
    const [plan, ...others] = stack.ofType('AWS::GuardDuty::MalwareProtectionPlan');
    expect(others).toEqual([]);
    // Minutes after its role: a failed creation would leave protected tables behind.
    const tableIds = stack.ofType('AWS::DynamoDB::GlobalTable').map(([id]) => id);
    expect(tableIds).toHaveLength(tableDesigns.length);
    expect(plan?.[1].DependsOn).toEqual(expect.arrayContaining(tableIds));
    const role: unknown = plan?.[1].Properties['Role'];
    expect(plan?.[1].Properties).toMatchObject({
      ProtectedResource: { S3Bucket: { ObjectPrefixes: ['files/'] } },
      Actions: { Tagging: { Status: 'ENABLED' } },
    });
    const [policy] = stack.ofType('AWS::S3::BucketPolicy');
    const denied = (Action: unknown, condition: object) =>
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action,
        Condition: { ArnNotEquals: { 'aws:PrincipalArn': role }, ...condition },
      });
    expect(policy?.[1].Properties['PolicyDocument']).toMatchObject({
      Statement: expect.arrayContaining([
        denied(['s3:GetObject', 's3:GetObjectVersion'], {
          StringNotEquals: { 's3:ExistingObjectTag/GuardDutyMalwareScanStatus': 'NO_THREATS_FOUND' },
        }),
        denied(expect.arrayContaining(['s3:PutObjectTagging', 's3:DeleteObjectTagging']), {}),
      ]),
    });
  }
  expect(synthesized('dev').data.ofType('AWS::GuardDuty::MalwareProtectionPlan')).toEqual([]);
});
