import * as z from 'zod/mini';
import {
  deployedEnvironments,
  type EnvironmentName,
  environments,
  stackParts,
} from '../../infra/environments.ts';
import { largestMultipartFile } from '../../shared/domain/file-documents/file-types.ts';
import {
  alarmMetrics,
  alarmRuleLength,
  archiveNameLength,
  compositeChildren,
  gatewayResources,
  indexesPerTable,
  inlinePolicyLength,
  invocationBytes,
  KB,
  patchOperations,
  queueMessageBytes,
  queueRetentionSeconds,
  queueVisibilitySeconds,
  scheduleNameLength,
  stackResources,
  templateBytes,
  uncappedGatewayStreamBytes,
  uncappedStreamBytes,
} from '../../shared/platform/aws/limits.ts';
import { type Resources, synthesized } from './synthesized.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const lengthsOf = (resources: Resources, type: string, name: string): number[] =>
  resources.ofType(type).map(([, { Properties }]) => String(Properties[name]).length);
const largest = (numbers: readonly number[]): number => {
  expect(numbers).not.toEqual([]);
  return Math.max(...numbers);
};

/** How many values a property has that API Gateway sets one by one: all but those that name a method, and each reference is one. */
const valuesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.entries(value).filter(([name]) => !/^(HttpMethod|ResourcePath)$/.test(name));
  const isReference = members.some(([name]) => /^(Ref|Fn::)/.test(name));
  return isReference ? 1 : members.reduce((sum, [, member]) => sum + valuesIn(member), 0);
};

const policy = z.object({ Roles: z.array(z.unknown()), PolicyDocument: z.unknown() });
const table = z.object({ GlobalSecondaryIndexes: z._default(z.array(z.unknown()), []) });
const queue = z.object({
  MaximumMessageSize: z.optional(z.number()),
  MessageRetentionPeriod: z.number(),
  VisibilityTimeout: z.optional(z.number()),
});
const alarm = z.object({ Metrics: z._default(z.array(z.record(z.string(), z.unknown())), []) });
const api = z.object({ Body: z.object({ paths: z.record(z.string(), z.unknown()) }) });

describe.each(deployedEnvironments)('the templates of %s stay within what AWS accepts', (environment) => {
  const stacks = synthesized(environment);
  const { data, service, watch } = stacks;

  it.each(stackParts)('the %s stack: bytes', (name) => {
    expect(bytesOf(stacks[name].all)).toBeLessThanOrEqual(templateBytes);
  });

  it('roles: length of their policies', () => {
    const byRole = new Map<string, number>();
    for (const [, { Properties }] of service.ofType('AWS::IAM::Policy')) {
      const { Roles, PolicyDocument } = z.parse(policy, Properties);
      const role = JSON.stringify(Roles);
      byRole.set(role, (byRole.get(role) ?? 0) + JSON.stringify(PolicyDocument).length);
    }
    expect(largest([...byRole.values()])).toBeLessThanOrEqual(inlinePolicyLength);
  });

  it('tables: number of indexes', () => {
    const tables = data.ofType('AWS::DynamoDB::GlobalTable').map(([, { Properties }]) => Properties);
    const indexes = tables.map((one) => z.parse(table, one).GlobalSecondaryIndexes.length);
    expect(largest(indexes)).toBeLessThanOrEqual(indexesPerTable);
  });

  it('queues: times, and bytes of a message, without which an event could reach the bus and no queue', () => {
    const queues = service.ofType('AWS::SQS::Queue').map(([, { Properties }]) => z.parse(queue, Properties));
    expect(largest(queues.map((one) => one.VisibilityTimeout ?? 0))).toBeLessThanOrEqual(
      queueVisibilitySeconds,
    );
    for (const one of queues) {
      expect(one.MaximumMessageSize).toBe(queueMessageBytes);
      expect(one.MessageRetentionPeriod).toBe(queueRetentionSeconds);
    }
  });

  it('the gateway: path segments', () => {
    const [[, { Properties }] = ['', { Properties: {} }]] = service.ofType('AWS::ApiGateway::RestApi');
    const resources = new Set(
      Object.keys(z.parse(api, Properties).Body.paths).flatMap((path) => {
        const segments = path.split('/').filter((segment) => segment !== '');
        return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
      }),
    );
    expect(resources.size).toBeGreaterThan(0);
    expect(resources.size).toBeLessThanOrEqual(gatewayResources);
  });

  it('the gateway: changes in one update of a resource', () => {
    const patched = [data, service, watch].flatMap(({ all }) =>
      // The API itself is imported as a whole.
      Object.values(all).filter(({ Type }) => /^AWS::ApiGateway::(?!RestApi)/.test(Type)),
    );
    expect(largest(patched.map(({ Properties }) => valuesIn(Properties)))).toBeLessThanOrEqual(
      patchOperations,
    );
  });

  it('alarms: metrics of an expression, and children of a composite alarm', () => {
    const metrics = [service, watch]
      .flatMap(({ ofType }) => ofType('AWS::CloudWatch::Alarm'))
      .map(([, { Properties }]) => z.parse(alarm, Properties).Metrics.filter((one) => 'MetricStat' in one));
    expect(largest(metrics.map((one) => one.length))).toBeLessThanOrEqual(alarmMetrics);
    const rules = watch
      .ofType('AWS::CloudWatch::CompositeAlarm')
      .map(([, { Properties }]) => JSON.stringify(Properties['AlarmRule']));
    // With ARNs in the place of references, of some 100 characters each.
    const children = rules.map((rule) => rule.split('Fn::GetAtt').length - 1);
    expect(largest(children)).toBeLessThanOrEqual(compositeChildren);
    expect(110 * largest(children)).toBeLessThanOrEqual(alarmRuleLength);
  });

  it('names: length', () => {
    expect(largest(lengthsOf(service, 'AWS::Events::Archive', 'ArchiveName'))).toBeLessThanOrEqual(
      archiveNameLength,
    );
    const names = [
      ...lengthsOf(service, 'AWS::Events::Rule', 'Name'),
      ...lengthsOf(service, 'AWS::Scheduler::Schedule', 'Name'),
      ...lengthsOf(service, 'AWS::Scheduler::ScheduleGroup', 'Name'),
      ...lengthsOf(service, 'AWS::Lambda::Function', 'FunctionName'),
    ];
    expect(largest(names)).toBeLessThanOrEqual(scheduleNameLength);
  });
});

// With room to grow: a stack that reaches AWS's limit cannot be split without deleting what moves.
it.each(Object.keys(environments) as EnvironmentName[])(
  'the stacks of %s have room for more resources',
  (name) => {
    const stacks = synthesized(name);
    const counts = stackParts.map((part) => Object.keys(stacks[part].all).length);
    expect(largest(counts)).toBeLessThan(stackResources - 100);
    expect(Object.keys(stacks.service.all).length).toBeLessThan(350);
  },
);

it('a form with the largest file fits into an invocation, with what the gateway adds to it', () => {
  expect((largestMultipartFile * 4) / 3).toBeLessThan(invocationBytes - 64 * KB);
});

it('the documented duration of a list holds at both of its limits', () => {
  // Lambda slows down first; the gateway's own limit begins beyond it.
  expect(uncappedStreamBytes).toBeLessThan(uncappedGatewayStreamBytes);
});
