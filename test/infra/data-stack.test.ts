import { App, Stack } from 'aws-cdk-lib';
import { tableDesigns, tables } from '#domain/tables.ts';
import { Table } from '../../infra/constructs/table.ts';
import { type EnvironmentName, environments } from '../../infra/environments.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import { tablePlans } from '../../infra/restore/restore.ts';
import { privateBucketProperties, type Resource, synthesized, wholeTemplates } from './synthesized.ts';
import { blank, restored, restoredStreamArn, type Synthesized } from './variants.ts';

describe('data stack', () => {
  const { data, service } = synthesized('prod');
  const tableOf = (name: string) => {
    const found = data
      .ofType('AWS::DynamoDB::GlobalTable')
      .find(([logicalId]) => logicalId.startsWith(`${name.replaceAll('-', '')}Table`));
    if (found === undefined) throw new Error(`No table ${name}.`);
    return found[1];
  };

  const business = tableDesigns.filter(({ kind }) => kind === 'business').map(({ name }) => name);

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

  test.each(business)(
    '%s is retained, protected from deletion, and can be restored to any second',
    (name) => {
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
    },
  );

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

  test('only the outbox has a stream, with new images', () => {
    const streams = tableDesigns.flatMap(({ name }) => {
      const stream = tableOf(name).Properties['StreamSpecification'];
      return stream === undefined ? [] : [[name, stream]];
    });
    expect(streams).toEqual([['outbox', { StreamViewType: 'NEW_IMAGE' }]]);
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

  test('no bucket is deleted when its creation is rolled back: CloudTrail and GuardDuty have written to it by then', () => {
    const policies = data.ofType('AWS::S3::Bucket').map(([, { DeletionPolicy }]) => DeletionPolicy);
    expect(policies).toEqual(['Retain', 'Retain']);
  });

  test('the bucket of files is private, encrypted, and retained, and unused uploads and remembered answers expire', () => {
    const [bucket] = data.ofType('AWS::S3::Bucket');
    expect(bucket?.[1]).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        ...privateBucketProperties,
        LifecycleConfiguration: {
          Rules: [
            { Prefix: 'incoming/', ExpirationInDays: 7, Status: 'Enabled' },
            { Prefix: 'answers/', ExpirationInDays: 1, Status: 'Enabled' },
          ],
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
});

describe('deletion', () => {
  /** Properties that give a resource its name in AWS: `Name`, `QueueName` ... */
  const physicalName = ({ Properties }: Resource): string | undefined =>
    Object.keys(Properties).find((property) => /^([A-Z][A-Za-z]*)?Name$/.test(property));

  const all = (environment: EnvironmentName): [logicalId: string, Resource][] => {
    const { data, service, watch } = synthesized(environment);
    return [data, service, watch].flatMap((stack) => Object.entries(stack.all));
  };

  const providerOf = 'Custom::S3AutoDeleteObjects';
  const names = Object.keys(environments) as EnvironmentName[];
  const kept = names.filter((name) => environments[name].keepsData);

  describe.each(kept)('%s', (environment) => {
    const resources = all(environment);

    // The name would stay taken after a first deployment that failed, and the second one would fail for it.
    it('retains no named resource whose creation is rolled back', () => {
      const named = resources.filter(([, resource]) => physicalName(resource) !== undefined);
      expect(named.length).toBeGreaterThan(0);
      const inTheWay = named
        .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
        .map(([logicalId]) => logicalId);
      expect(inTheWay).toEqual([]);
    });

    it('retains secrets, data, and logs when a stack is deleted or a resource replaced', () => {
      const lost = resources
        .filter(([, { Type }]) =>
          /^AWS::(DynamoDB::(Global)?Table|S3::Bucket|SecretsManager::Secret|Logs::LogGroup)$/.test(Type),
        )
        .filter(
          ([, { DeletionPolicy, UpdateReplacePolicy }]) =>
            !['Retain', 'RetainExceptOnCreate'].includes(DeletionPolicy ?? '') ||
            UpdateReplacePolicy !== 'Retain',
        )
        .map(([logicalId]) => logicalId);
      const expiring = tableDesigns.filter(({ kind }) => kind !== 'business');
      expect(lost).toEqual(
        expiring.map(({ name }) => expect.stringMatching(`^${name.replaceAll('-', '')}Table`)),
      );
    });
  });

  describe.each(names.filter((name) => !environments[name].keepsData))('%s', (environment) => {
    const resources = all(environment);

    it('can be deleted completely: its buckets are emptied, and nothing is retained or protected', () => {
      const buckets = resources.filter(([, { Type }]) => Type === 'AWS::S3::Bucket').map(([id]) => id);
      const emptied = resources
        .filter(([, { Type }]) => Type === providerOf)
        .map(([, { Properties }]) => Properties['BucketName']);
      expect(emptied).toEqual(buckets.map((Ref) => ({ Ref })));

      const staying = resources.filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'));
      // The account's for all of its APIs, so not one stack's to delete.
      expect(staying.map(([, { Type }]) => Type).sort()).toEqual([
        'AWS::ApiGateway::Account',
        'AWS::IAM::Role',
      ]);
      const isProtected = JSON.stringify(resources).includes('"DeletionProtectionEnabled":true');
      expect(isProtected).toBe(false);
    });
  });
});

describe('restored tables', () => {
  // The stacks of prod once its tables were restored, against those before.

  const before = synthesized('prod');
  const after = synthesized('restored');

  const tablesOf = ({ data }: typeof before) => data.ofType('AWS::DynamoDB::GlobalTable');
  const logicalIds = tablesOf(before).map(([logicalId]) => logicalId);
  const importsOf = ({ service, watch }: typeof before): string[] =>
    Array.from(
      JSON.stringify([service.all, watch.all]).matchAll(/"Fn::ImportValue":"([^"]+)"/g),
      ([, name = '']) => name,
    );

  /** The service stack's resources with all values as they are in AWS, tables renamed, and every list in one order. */
  function resolved(name: Synthesized, renamed: (text: string) => string): Map<string, unknown> {
    return new Map(
      readTemplates(wholeTemplates(name), { awsEndpoint: 'https://aws' })
        .ofType('AWS::Lambda::Function', 'AWS::IAM::Policy', 'AWS::Lambda::EventSourceMapping')
        .filter(({ stackName }) => stackName === 'service')
        .map(({ logicalId, properties }) => [
          logicalId,
          inOneOrder(JSON.parse(renamed(JSON.stringify(properties())))),
        ]),
    );
  }

  const inOneOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => JSON.stringify(inOneOrder(one))).sort();
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOneOrder(member)]));
  };

  /** A text of before, as if every table had been restored. */
  const asRestored = (text: string): string =>
    tableDesigns.reduce((result, { name }) => {
      const logicalId = logicalIds.find((id) => id.startsWith(`${name.replaceAll('-', '')}Table`)) ?? '';
      return result
        .replaceAll(new RegExp(`[^"]*:table/data-${logicalId}/stream/[^"]*`, 'g'), restoredStreamArn)
        .replaceAll(`data-${logicalId}`, `restored-${name}`);
    }, text);

  test('functions, their permissions, and the mapping of the stream follow the restored tables', () => {
    const expected = resolved('prod', asRestored);
    expect(expected.size).toBeGreaterThan(40);
    expect(resolved('restored', (text) => text)).toEqual(expected);
  });

  test('the service and watch stacks name no table that was replaced', () => {
    const named = (stacks: typeof before): string[] => {
      const text = JSON.stringify([stacks.service.all, stacks.watch.all]);
      return logicalIds.filter((logicalId) => text.includes(logicalId));
    };
    expect(named(before)).toEqual(logicalIds);
    expect(named(after)).toEqual([]);
  });

  test('the service and watch stacks can be deployed first: they import nothing that the deployed data stack does not export', () => {
    const known = new Set(importsOf(before));
    expect(importsOf(after).length).toBeGreaterThan(0);
    expect(importsOf(after).filter((name) => !known.has(name))).toEqual([]);
  });

  test('alarms and the dashboard watch the restored tables', () => {
    const text = JSON.stringify([
      after.watch.ofType('AWS::CloudWatch::Alarm'),
      after.watch.ofType('AWS::CloudWatch::Dashboard'),
    ]);
    for (const { name } of tableDesigns) expect(text).toContain(`restored-${name}`);
  });

  test('the data stack has each restored table as another resource, described as the one that it replaces', () => {
    const byName = new Map(
      tablesOf(after).map(([logicalId, resource]) => [
        resource.Properties['TableName'],
        { logicalId, resource },
      ]),
    );
    expect(byName.size).toBe(tableDesigns.length);
    for (const { name } of tableDesigns) {
      const { logicalId = '', resource } = byName.get(`restored-${name}`) ?? {};
      expect(logicalIds).not.toContain(logicalId);
      // CloudFormation imports only what it would retain.
      expect(resource?.DeletionPolicy).toBe('Retain');
      const { TableName: _, ...properties } = resource?.Properties ?? {};
      const prefix = `${name.replaceAll('-', '')}Table`;
      expect(properties).toEqual(tablesOf(before).find(([id]) => id.startsWith(prefix))?.[1].Properties);
    }
  });

  test('the script plans every table as the template has it, and knows it by the name that CloudFormation gave it', () => {
    const plans = tablePlans(blank('prod'), new Date('2026-01-31T02:59:00Z'));
    expect(plans.map(({ name }) => name).sort()).toEqual(tableDesigns.map(({ name }) => name).sort());
    for (const { name, isSource, target, properties, isRestored } of plans) {
      const prefix = `${name.replaceAll('-', '')}Table`;
      const [logicalId, { Properties }] = tablesOf(before).find(([id]) => id.startsWith(prefix)) ?? ['', {}];
      expect(Properties).toMatchObject(properties);
      expect(
        plans.filter((plan) => plan.isSource(`insurance-compliance-prod-data-${logicalId}-1A2B3C4D5E6F`)),
      ).toEqual(plans.filter((plan) => plan.name === name));
      expect(isSource(target)).toBe(false);
      expect(target).toBe(`insurance-compliance-prod-${name}-20260131T025900Z`);
      expect(isRestored).toBe(properties.Replicas[0].DeletionProtectionEnabled);
    }
    const again = tablePlans(restored, new Date());
    for (const { name, isSource } of again) expect(isSource(`restored-${name}`)).toBe(true);
  });

  test('a restored outbox without the ARN of its stream is refused', () => {
    const outbox = { tableName: 'restored-outbox' };
    expect(() => tablePlans({ ...environments.prod, restoredTables: { outbox } }, new Date())).toThrow(
      'restoredTables.outbox has no streamArn.',
    );
  });
});
