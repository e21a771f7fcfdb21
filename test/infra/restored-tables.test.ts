import { environments } from '../../infra/environments.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import { tablePlans } from '../../infra/restore/plan.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { synthesized, wholeTemplates } from './synthesized.ts';
import { blank, restored, restoredStreamArn, type Synthesized } from './variants.ts';

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
