import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { tableDesigns } from '#domain/tables.ts';
import { logEvents, logOutcomes } from '#platform/log/log.ts';
import { commandNames } from '../../functions/admin/commands.ts';
import { commandNames as importCommandNames } from '../../functions/import/commands.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { functionsOf } from '../../infra/function-uses.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { privateBucketProperties, synthesized } from './synthesized.ts';

describe('runbook', () => {
  test('a restore stops mappings before their functions, which would count deliveries, and starts them after', () => {
    const commands = sections
      .get('Restoring tables')
      ?.match(/--no-enabled|--enabled|put-function-concurrency/g);
    expect(commands).toEqual([
      '--no-enabled',
      'put-function-concurrency',
      'put-function-concurrency',
      '--enabled',
    ]);
  });

  test('"Failed schedules" names every function that a schedule calls', () => {
    const text = sections.get('Failed schedules') ?? '';
    const scheduled = [...functionsOf(environments.prod)].filter(([, { schedules }]) => schedules);
    expect(scheduled.map(([name]) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  const sections = new Map([...alarmSections, ...procedures].map(({ heading, text }) => [heading, text]));
});

describe('runbook commands', () => {
  const runbook = readFileSync('infra/runbook.md', 'utf8');

  /** First groups of all matches, each once. */
  const found = (pattern: RegExp): string[] => [
    ...new Set(Array.from(runbook.matchAll(pattern), ([, group = '']) => group)),
  ];

  const { data, service, watch } = synthesized('prod');
  const templates = JSON.stringify([data.all, service.all, watch.all]);

  test.each(found(/aws [^\n]*?insurance-compliance-(?:prod|dev)-([\w-]+)/g))(
    '%s, in a command, is deployed',
    (suffix) => {
      const name = `insurance-compliance-prod-${suffix}`;
      const stack = /-(data|service|watch)$/.test(name);
      expect(stack || templates.includes(`"${name}"`) || templates.includes(`"alias/${name}"`)).toBe(true);
    },
  );

  test.each(found(/npm run (?:--silent )?admin -- ([a-z][\w-]*)/g))(
    '%s is a command of operators',
    (command) => {
      expect([...commandNames, ...importCommandNames, 'import', 'rematch']).toContain(command);
    },
  );

  test.each(found(/\("([A-Z][^":]+)"(?:, \d)?\)/g))('"%s", to which a section refers, exists', (heading) => {
    const all = Array.from(
      runbook.matchAll(/^## (.+?)(?: \((?:page|ticket|dashboard)[^)]*\))?$/gm),
      ([, one]) => one,
    );
    expect(all).toContain(heading);
  });

  test('"Restoring tables" says of every table what a restore means', () => {
    const { text = '' } = procedures.find(({ heading }) => heading === 'Restoring tables') ?? {};
    const cells = Array.from(text.matchAll(/^\| (`[^|]+`) +\|/gm), ([, cell = '']) => cell);
    const named = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
    expect(named.sort()).toEqual(tableDesigns.map(({ name }) => name).sort());
  });
});

describe('log events', () => {
  const events = Object.keys(logEvents);
  const runbook = readFileSync('infra/runbook.md', 'utf8');

  /** First groups of all matches. */
  const found = (pattern: RegExp, text: string): string[] =>
    Array.from(text.matchAll(pattern), ([, group = '']) => group);

  test('the runbook names no unknown outcome', () => {
    const named = found(/(?:`outcome` is `|outcome = ")([a-z_]+)/g, runbook);
    expect(named).toContain('backs_off');
    expect(Object.values(logOutcomes).flat()).toEqual(expect.arrayContaining(named));
  });

  test('the runbook names no unknown event', () => {
    const named = found(/`([a-z]+(?:_[a-z]+)+)`/g, runbook);
    expect(named).toContain('operator_command');
    expect(named.filter((name) => !events.includes(name))).toEqual([]);
  });
});

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
        ...privateBucketProperties,
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
