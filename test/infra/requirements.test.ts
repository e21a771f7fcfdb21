import { App } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { largestMultipartFile } from '#domain/file-documents/content.ts';
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
} from '#platform/aws/limits.ts';
import { build } from '../../cdk.json';
import {
  deployedEnvironments,
  type Environment,
  type EnvironmentName,
  environments,
  stackParts,
} from '../../infra/environments.ts';
import { checkRequirements } from '../../infra/requirements.ts';
import { type Resources, stored, synthesized } from './synthesized.ts';
import { blank } from './variants.ts';

describe('requirements', () => {
  /** An environment with everything that an operator fills in. */
  const filledIn = (name: keyof typeof environments, changes: Partial<Environment> = {}): Environment => ({
    ...blank(name),
    account: '111122223333',
    region: 'us-east-1',
    pageAddress: 'on-call@carrier-compliance.com',
    ticketAddress: 'tickets@carrier-compliance.com',
    registry: { kind: 'report', address: 'https://api.producer-registry.org/v1' },
    sandbox: false,
    agencyAppUrl: 'https://agency.carrier-compliance.com',
    supportUrl: 'https://support.carrier-compliance.com',
    ...changes,
  });

  /** What a synthesis says of an environment; an error fails it. */
  function said(environment: Environment, context: Readonly<Record<string, string>> = {}) {
    const app = new App({ context });
    checkRequirements(app, environment);
    const ofType = (type: string) =>
      app.node.metadata.filter((one) => one.type === type).map(({ data }) => String(data));
    return { errors: ofType('aws:cdk:error'), warnings: ofType('aws:cdk:warning') };
  }

  const fieldOf = (text: string): string | undefined =>
    /^infra\/environments\.ts, \w+\.(\S+) /.exec(text)?.[1];
  const refusedFields = (environment: Environment) => said(environment).errors.map(fieldOf);

  describe('the fields that an operator fills in', () => {
    it.each(deployedEnvironments)('are listed for %s until none is missing', (name) => {
      const placeholders = {
        registry: { kind: 'report' as const, address: 'https://api.registry.example/v1' },
        sandbox: false,
        agencyAppUrl: 'https://agency.example.com',
        supportUrl: 'https://support.example.com',
      };
      expect(refusedFields({ ...blank(name), ...placeholders, keepsData: true })).toEqual([
        'account',
        'region',
        'pageAddress',
        'ticketAddress',
        'registry.address',
        'agencyAppUrl',
        'supportUrl',
      ]);
      expect(refusedFields(filledIn(name))).toEqual([]);
    });

    it('include no address of alarms if no data is kept, and no registry address if the registry is simulated', () => {
      const {
        pageAddress: _,
        ticketAddress: _ticketAddress,
        ...rest
      } = filledIn('dev', {
        registry: { kind: 'simulated' },
      });
      expect(refusedFields(rest)).toEqual([]);
      expect(refusedFields({ ...rest, keepsData: true })).toEqual(['pageAddress', 'ticketAddress']);
    });

    const certificateArn =
      'arn:aws:acm:us-east-1:111122223333:certificate/9f2c7e1a-0000-4000-8000-000000000000';

    it.each<[string, string, Partial<Environment>]>([
      ['an account that is none', 'account', { account: '1234' }],
      ['an address of pages on an example host', 'pageAddress', { pageAddress: 'me@mail.example.com' }],
      [
        'a registry without TLS',
        'registry.address',
        { registry: { kind: 'report', address: 'http://registry.org' } },
      ],
      ['a sandbox beside a real registry', 'sandbox', { sandbox: true }],
      ['no calls of the registry', 'mostCallsANight', { mostCallsANight: 0 }],
      ['an application on an example host', 'agencyAppUrl', { agencyAppUrl: 'https://example.org' }],
      ['a domain on an example host', 'domain.name', { domain: { name: 'api.example.net', certificateArn } }],
      [
        'a certificate of another region',
        'domain.certificateArn',
        {
          domain: {
            name: 'api.carrier-compliance.com',
            certificateArn: certificateArn.replace('us-east-1', 'us-west-2'),
          },
        },
      ],
    ])('are refused: %s', (_, field, changes) => {
      expect(refusedFields(filledIn('prod', changes))).toEqual([field]);
    });
  });

  describe.each(deployedEnvironments)('placeholders of %s', (name) => {
    const environment = blank(name);

    it('fail the synthesis of a deployment', () => {
      const { errors, warnings } = said(environment);
      expect(errors).toContainEqual(
        expect.stringContaining(
          `infra/environments.ts, ${name}.account is missing: the AWS account, twelve digits`,
        ),
      );
      expect(warnings.map(fieldOf)).not.toContain('account');
    });

    it('are warnings in a synthesis that only looks at templates', () => {
      const { errors, warnings } = said(environment, { placeholders: 'allowed' });
      expect(errors).toEqual([]);
      expect(warnings.map(fieldOf).filter((field) => field !== undefined)).toEqual(
        refusedFields(environment),
      );
      expect(said(environment, { placeholders: 'true' })).toEqual(said(environment));
    });
  });

  it('warns if nobody receives alarms, where that prevents no deployment', () => {
    const { ticketAddress: _, ...environment } = filledIn('dev');
    expect(said(environment)).toEqual({
      errors: [],
      warnings: [expect.stringMatching(/^Alarms of dev notify nobody: .* no ticketAddress\./)],
    });
  });

  describe('reserved concurrency', () => {
    const { capacity } = environments.prod;
    const reserved = Object.values(capacity.reserved).reduce((sum, one) => sum + one, 0);
    const inAccountOf = (account: number) => filledIn('prod', { capacity: { ...capacity, account } });

    it('fails the synthesis if less than 100 of what the account has would not be reserved, placeholders or not', () => {
      const refusal = expect.stringMatching(
        new RegExp(
          `^infra/environments.ts, prod.capacity reserves ${reserved} of the account's ${reserved + 99} .*request a higher quota`,
        ),
      );
      expect(said(inAccountOf(reserved + 99)).errors).toEqual([refusal]);
      expect(said(inAccountOf(reserved + 99), { placeholders: 'allowed' }).errors).toEqual([refusal]);
      expect(said(inAccountOf(reserved + 100)).errors).toEqual([]);
    });

    it('does not matter where none is reserved', () => {
      const dev = filledIn('dev');
      expect(said({ ...dev, capacity: { ...dev.capacity, account: 10 } }).errors).toEqual([]);
    });
  });
});

describe('limits', () => {
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
      const queues = service
        .ofType('AWS::SQS::Queue')
        .map(([, { Properties }]) => z.parse(queue, Properties));
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
      expect(Object.keys(stacks.service.all).length).toBeLessThan(stackResources - 120);
    },
  );

  it('a form with the largest file fits into an invocation, with what the gateway adds to it', () => {
    expect((largestMultipartFile * 4) / 3).toBeLessThan(invocationBytes - 64 * KB);
  });

  it('the documented duration of a list holds at both of its limits', () => {
    // Lambda slows down first; the gateway's own limit begins beyond it.
    expect(uncappedStreamBytes).toBeLessThan(uncappedGatewayStreamBytes);
  });
});

describe('validation', () => {
  const report = z.object({
    pluginReports: z.array(z.object({ violations: z.array(z.object({ description: z.string() })) })),
  });
  const findings = (name: Parameters<typeof stored>[0]) => z.parse(report, stored(name)).pluginReports;

  test.each(['dev', 'prod'] as const)(
    '%s breaks no rule of CloudFormation, CDK, or cdk-nag',
    (environment) => {
      expect(findings(`${environment}-report`)).toEqual([]);
    },
  );

  test('cdk synth, diff, and deploy check types before they build', () => {
    expect(build).toMatch(/^npx tsc && /);
  });
});
