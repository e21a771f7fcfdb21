import { type EnvironmentName, environments } from '../../infra/environments.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { type Resource, synthesized } from './synthesized.ts';

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

test.each(kept)('no bucket of %s is emptied automatically', (environment) => {
  expect(all(environment).map(([, { Type }]) => Type)).not.toContain(providerOf);
});
