import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { keptDays } from '#domain/events/stored.ts';
import { tableDesigns } from '#domain/tables.ts';
import { failingAfter } from '#domain/webhooks/stored.ts';
import {
  cappedStreamBytesPerSecond,
  chainedInvocations,
  MB,
  partitionReadUnits,
  partitionWriteUnits,
  putEventsBytes,
  streamedAnswerBytes,
  uncappedGatewayStreamBytes,
} from '#platform/aws/limits.ts';
import { signsAfterMs, tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import { newClientSecret } from '#platform/identity/credentials.ts';
import { logEvents, logOutcomes } from '#platform/log/log.ts';
import { commandNames } from '../../functions/admin/commands.ts';
import { missedAfterMs } from '../../functions/event-publisher/handler.ts';
import { commandNames as importCommandNames } from '../../functions/import/commands.ts';
import { unreadableSeconds } from '../../functions/webhook-delivery/check-due.ts';
import { attemptsAtOnce, lastSeconds } from '../../functions/webhook-delivery/drain.ts';
import { leaseSeconds } from '../../functions/webhook-delivery/uses.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { privateBucketProperties, synthesized } from './synthesized.ts';

describe('runbook', () => {
  // The numbers that the runbook states, each against the template or the code that decides it.

  const { service, watch } = synthesized('prod');
  const prefix = 'insurance-compliance-prod-';

  test('the first deployment says which alarms are on from their creation, and so notify nobody until they were off once', () => {
    const fromBirth = [service, watch]
      .flatMap(({ ofType }) => ofType('AWS::CloudWatch::Alarm'))
      .filter(([, { Properties }]) => Properties['TreatMissingData'] === 'breaching')
      .map(
        ([, { Properties }]) =>
          `\`${String(Properties['AlarmName']).replace(prefix, '')}\` is on from its creation`,
      );
    const text = sections.get('First deployment') ?? '';
    expect(fromBirth).not.toEqual([]);
    expect(fromBirth.filter((said) => !text.includes(said))).toEqual([]);
  });

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

  const sections = new Map([...alarmSections, ...procedures].map(({ heading, text }) => [heading, text]));

  /** Properties of the resource of a type that has this name, by the property that holds names of its type. */
  function propertiesOf<Schema extends z.core.$ZodType>(type: string, name: string, schema: Schema) {
    const nameProperty = {
      'AWS::CloudWatch::Alarm': 'AlarmName',
      'AWS::Lambda::Function': 'FunctionName',
      'AWS::Scheduler::Schedule': 'Name',
      'AWS::SQS::Queue': 'QueueName',
    }[type];
    const found = [service, watch]
      .flatMap(({ ofType }) => ofType(type))
      .find(([, { Properties }]) => Properties[String(nameProperty)] === `${prefix}${name}`);
    return z.parse(schema, found?.[1].Properties);
  }

  const minute = 60;
  const hour = 60 * minute;
  const day = 24 * hour;

  const alarmSchema = z.object({
    EvaluationPeriods: z.number(),
    Threshold: z.number(),
    Period: z.optional(z.number()),
    ExtendedStatistic: z.optional(z.string()),
    Metrics: z._default(
      z.array(
        z.object({
          MetricStat: z.optional(z.object({ Period: z.number() })),
          Period: z.optional(z.number()),
        }),
      ),
      [],
    ),
  });

  /** What an alarm waits for: its threshold, and the seconds for which the metric has to be above it. */
  function alarm(name: string) {
    const properties = propertiesOf('AWS::CloudWatch::Alarm', name, alarmSchema);
    const { EvaluationPeriods, Threshold, ExtendedStatistic, Metrics, Period } = properties;
    const periods = Metrics.map((metric) => metric.MetricStat?.Period ?? metric.Period);
    const period = Period ?? periods.find((one) => one !== undefined) ?? Number.NaN;
    return { above: Threshold, seconds: period * EvaluationPeriods, statistic: ExtendedStatistic };
  }

  const queueSchema = z.object({
    MessageRetentionPeriod: z.number(),
    VisibilityTimeout: z.number(),
    RedrivePolicy: z.object({ maxReceiveCount: z.number() }),
  });

  function queue(name: string) {
    const properties = propertiesOf('AWS::SQS::Queue', name, queueSchema);
    return {
      keptSeconds: properties.MessageRetentionPeriod,
      hiddenSeconds: properties.VisibilityTimeout,
      deliveries: properties.RedrivePolicy.maxReceiveCount,
    };
  }

  const timeoutOf = (name: string) =>
    propertiesOf('AWS::Lambda::Function', name, z.object({ Timeout: z.number() })).Timeout;

  function schedule(name: string) {
    const { ScheduleExpression: expression, Target } = propertiesOf(
      'AWS::Scheduler::Schedule',
      name,
      z.object({
        ScheduleExpression: z.string(),
        Target: z.object({ RetryPolicy: z.object({ MaximumEventAgeInSeconds: z.number() }) }),
      }),
    );
    const [, everyMinutes] = /^rate\((\d+) minutes?\)$/.exec(expression) ?? [];
    const [, atMinute = '', atHour = ''] = /^cron\((\d+) (\d+) /.exec(expression) ?? [];
    return {
      everySeconds: Number(everyMinutes) * minute,
      at: `${atHour.padStart(2, '0')}:${atMinute.padStart(2, '0')}`,
      retriedSeconds: Target.RetryPolicy.MaximumEventAgeInSeconds,
    };
  }

  const numerals = 'zero one two three four five six seven eight nine ten'.split(' ');

  /** A number as the runbook writes it: in words up to ten. */
  const inWords = (count: number): string => numerals[count] ?? count.toLocaleString('en-US');

  /** A time as the runbook writes it, in its largest unit. */
  function time(seconds: number): string {
    const [unit, name] = seconds % hour === 0 ? [hour, 'hour'] : [minute, 'minute'];
    return `${inWords(seconds / unit)} ${name}${seconds === unit ? '' : 's'}`;
  }

  const days = (seconds: number): string => `${seconds / day} days`;

  const republish = schedule('event-publisher-republish');
  const synchronization = queue('registry-sync');
  const publishedWithin = `published within ${time(republish.everySeconds)}`;
  const publishedAgain = `${time(republish.everySeconds)} the schedule publishes what is older than ${inWords(missedAfterMs / 60_000)}`;
  const outboxKeeps = `The outbox keeps an event for ${keptDays} days`;
  const latency = alarm('authorizer-latency');
  const faults = alarm('gateway-faults');

  test.each([
    ['Gateway faults', `for ${time(faults.seconds)}, more than ${faults.above}% of all requests`],
    [
      'Canary',
      `every ${time(schedule('canary-check').everySeconds)} does what callers do`.replace(' one ', ' '),
    ],
    ['Canary', `no run of it passed for ${time(alarm('canary-failing').seconds)}`],
    ['Authorizer errors', `failed at least once in ${time(alarm('authorizer-errors').seconds)}`],
    [
      'Authorizer latency',
      `for ${time(latency.seconds)}, the slowest ${100 - Number(latency.statistic?.slice(1))} %`,
    ],
    ['Refused requests', `for ${time(alarm('callers-refusals').seconds)}, more than half of the requests`],
    ['Slow requests', `for ${time(alarm('read-latency').seconds)}, one in a hundred requests`],
    ['Slow requests', `${inWords(alarm('token-latency').above / 1_000)} seconds for \`token\``],
    ['Slow requests', `${inWords(alarm('page-latency').above / 1_000)} for \`page\` and \`write\``],
    ['Failing receivers', `began to fail within ${time(alarm('receivers-failing').seconds)}`],
    ['Failing receivers', `${inWords(failingAfter)} attempts in a row failed`],
    ['Late deliveries', `for ${time(alarm('deliveries-late').seconds)}, half of the leases`],
    ['Late events', `for ${time(alarm('webhook-fanout-message-age').seconds)} a queue has been waiting`],
    ['Late deliveries', `due for more than ${time(alarm('deliveries-late').above)}`],
    ['Late events', `for ${time(alarm('event-publisher-lag').seconds)}, the stream`],
    ['Failed schedules', `pages after ${time(alarm('schedules-failed-calls').seconds)}`],
    [
      'Concurrency near its quota',
      `for ${time(alarm('shared-concurrency').seconds)}, functions without reserved concurrency used more than ${alarm('shared-concurrency').above}%`,
    ],
    ['Authorizer latency', `took more than ${inWords(latency.above / 1_000)} seconds`],
    ['Authorizer latency', `At ${inWords(timeoutOf('authorizer'))} seconds they fail`],
    ['Responses that are too large', `than Lambda streams (${streamedAnswerBytes / MB} MB)`],
    ['Responses that are too large', `${streamedAnswerBytes / MB} MB take more than a minute and a half`],
    ['Dropped invocations', `more than ${chainedInvocations} times in a row`],
    ['Old messages', `\`license-sweep\` (${time(alarm('license-sweep-message-age').above)})`],
    [
      'Old messages',
      `\`registry-reconciliation\` (${time(alarm('registry-reconciliation-message-age').above)})`,
    ],
    ['Old messages', `more than ${attemptsAtOnce.backlog} deliveries at once`],
    ['Old messages', `a drain of ${leaseSeconds - lastSeconds} seconds`],
    ['Unreadable items', `every ${time(unreadableSeconds)}`.replace('one ', '')],
    [
      'Old messages',
      `retried every ${time(synchronization.hiddenSeconds)}, ${inWords(synchronization.deliveries)} attempts in all`,
    ],
    ['Dead messages', `Messages are kept for ${days(synchronization.keptSeconds)}`],
    ['Publisher errors', publishedAgain],
    ['Late events', `at least ${time(missedAfterMs / 1_000)} later`],
    ['Unpublished events', `for more than ${time(missedAfterMs / 1_000 + republish.everySeconds)}`],
    ['Unpublished events', publishedWithin],
    ['Unpublished events', outboxKeeps],
    ['Refused events', `an event can have up to ${putEventsBytes / MB} MB on the bus`],
    ['Refused events', `retried every ${time(republish.everySeconds)}`],
    ['Refused events', publishedWithin],
    ['Refused events', outboxKeeps],
    ['Failed schedules', `\`event-publisher\` (every ${time(republish.everySeconds)})`],
    [
      'Failed schedules',
      `\`registry-reconciliation\` (${schedule('registry-reconciliation-dispatch').at} in New York)`,
    ],
    ['Failed schedules', `\`license-sweep\` (${schedule('license-sweep-dispatch').at})`],
    [
      'Failed schedules',
      `\`canary\` (every ${time(schedule('canary-check').everySeconds)})`.replace('one ', ''),
    ],
    ['Failed schedules', `called again within ${time(republish.everySeconds)}`],
    ['Uncounted requests', `${secretBits()} random bits`],
    [
      'Signing secret rotation failed',
      `leave ${tokenLifetimeMinutes + signsAfterMs / 60_000} minutes between them`,
    ],
    ['Signing secret rotation failed', `signs ${time(signsAfterMs / 1_000)} after it was created`],
    ['Signing secret rotation failed', 'The second call is refused while the first is under way'],
    ['Signing secret rotation failed', `Wait ${time(signsAfterMs / 1_000)}, then tell callers`],
    ['Table throttles', `for ${time(alarm('outbox-table-throttles').seconds)}`],
    [
      'Table throttles',
      `more than ${inWords(partitionReadUnits)} reads or ${inWords(partitionWriteUnits)} writes per second`,
    ],
    [
      'Testing the alarms',
      `within ${time(alarm('authorizer-errors').seconds)}, with the metric's next evaluation`,
    ],
  ])('"%s" says: %s', (heading, statement) => {
    expect(sections.get(heading)).toContain(statement);
  });

  /** Random bits of a client secret, which holds them as base64url behind a prefix. */
  function secretBits(): number {
    const random = newClientSecret().replace(/^secret_/, '');
    return 8 * Buffer.from(random, 'base64url').byteLength;
  }

  test('"Failed schedules" says for how long a call is retried', () => {
    const retried = [
      'event-publisher-republish',
      'registry-reconciliation-dispatch',
      'license-sweep-dispatch',
    ];
    for (const name of retried) expect(schedule(name).retriedSeconds).toBe(hour);
    expect(sections.get('Failed schedules')).toContain('It retries for an hour');
  });

  test('"Late events" says above which lag the alarm fires', () => {
    expect(alarm('event-publisher-lag').above).toBe(minute * 1_000);
    expect(sections.get('Late events')).toContain('more than a minute behind');
  });

  test('"Responses that are too large" says how long the largest list takes', () => {
    const seconds = (streamedAnswerBytes - uncappedGatewayStreamBytes) / cappedStreamBytesPerSecond;
    expect(seconds).toBeGreaterThan(1.5 * minute);
    expect(seconds).toBeLessThan(2 * minute);
  });

  test('"Dropped invocations" says when a message that Lambda refuses becomes a dead letter', () => {
    const { hiddenSeconds, deliveries } = queue('webhook-fanout');
    expect(hiddenSeconds * deliveries).toBe(hour);
    expect(sections.get('Dropped invocations')).toContain('for most queues within an hour');
  });

  test('"Worker errors" says after how many attempts a message becomes a dead letter', () => {
    const stated =
      /\((\d+) deliveries for `([\w-]+)`, `([\w-]+)`, `([\w-]+)`, and `[\w-]+`, (\d+) for the other queues\)/.exec(
        sections.get('Worker errors') ?? '',
      );
    const [, few, one = '', two = '', three = '', many] = stated ?? [];
    const names = service
      .ofType('AWS::SQS::Queue')
      .map(([, { Properties }]) => String(Properties['QueueName']).replace(prefix, ''))
      .filter((name) => !name.endsWith('-dead'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const expected = [one, two, three].includes(name) ? few : many;
      expect([name, queue(name).deliveries]).toEqual([name, Number(expected)]);
    }
  });

  test('"Worker errors" says how long a message stays invisible', () => {
    const workers = { 'registry-sync': 'registry-sync', 'webhook-delivery': 'deliveries-healthy' };
    for (const [worker, name] of Object.entries(workers)) {
      expect(queue(name).hiddenSeconds / timeoutOf(worker)).toBe(6);
    }
    expect(sections.get('Worker errors')).toContain("(six times the function's timeout)");
  });
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

  // Without them the CDK bootstraps those of `dev`, or of the shell.
  test('accounts are bootstrapped by their number and region', () => {
    const guides = ['README.md', 'infra/runbook.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
    const commands = Array.from(guides.matchAll(/cdk bootstrap\b([^`\n]*)/g), ([, rest]) => rest);
    expect(commands).toEqual([' aws://<account>/<region>', ' aws://<account>/<region>']);
  });

  test('an emergency release is deployed at once, and whoever rolls back finds the commands for the routes and for a rollback that failed', () => {
    const { text = '' } = procedures.find(({ heading }) => heading === 'Rolling back') ?? {};
    expect(text).toContain('npx cdk deploy --all -c environment=prod -c rollout=at-once');
    expect(text).toMatch(/aws apigateway update-stage .+path=\/deploymentId,value=<former>/);
    const [, wayOut = ''] = text.split('**If the rollback fails**');
    expect(wayOut).toMatch(
      /stop-deployment.+continue-update-rollback .+ --resources-to-skip.+rollout=at-once/s,
    );
  });

  // The bucket refuses to let anyone else read or copy a file without the tag of a scan.
  test('files that were not scanned are scanned by GuardDuty on request', () => {
    const { text = '' } = alarmSections.find(({ heading }) => heading === 'Files that are not scanned') ?? {};
    expect(text).toMatch(
      /aws guardduty send-object-malware-scan --s3-object '\{"Bucket": .+, "Key": "files\/.+\}'/,
    );
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
  const code = ['functions', 'shared']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const runbook = readFileSync('infra/runbook.md', 'utf8');

  /** First groups of all matches. */
  const found = (pattern: RegExp, text: string): string[] =>
    Array.from(text.matchAll(pattern), ([, group = '']) => group);

  // A scheduled worker is given the names of its two events.
  test.each(events)('the event %s is logged by a function', (event) => {
    expect(code).toMatch(new RegExp(`\\b(?:event|queued|done): .*'${event}'`));
  });

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
