import * as z from 'zod/mini';
import { countedReceives, filterPatternLength } from '#platform/aws/limits.ts';
import { routeClass, routeClasses } from '#platform/contract/route.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { functionsOf, routeGroupsOf } from '../../infra/function-uses.ts';
import { alarmsOf, severityOf, topicOf } from './alarm-resources.ts';
import { alarmSections } from './runbook-sections.ts';
import { type Resources, synthesized } from './synthesized.ts';

describe('alarms', () => {
  const metricFilter = z.object({
    LogGroupName: z.union([z.string(), z.object({ Ref: z.string() })]),
    MetricTransformations: z.tuple([
      z.object({
        MetricName: z.string(),
        MetricValue: z.string(),
        Dimensions: z.optional(z.array(z.object({ Key: z.string(), Value: z.string() }))),
      }),
    ]),
  });

  const { service, watch } = synthesized('prod');
  const routeGroups = routeGroupsOf(environments.prod);
  const ofBoth = (type: string) => [...service.ofType(type), ...watch.ofType(type)];
  const alarms = alarmsOf();
  const composites = alarms.filter(({ children }) => children.length > 0);
  const notifying = alarms.filter((alarm) => severityOf(alarm) !== undefined);

  /** Alarms that notify nobody: whoever deploys sees the deployment fail. */
  const rollbacks = alarms.filter((alarm) => alarm.rollsBack && !notifying.includes(alarm));

  /** Severities of an alarm: its own, and those of the alarms that it is part of. */
  const severitiesOf = (alarm: (typeof alarms)[number]) =>
    rollbacks.includes(alarm)
      ? ['rollback']
      : [alarm, ...composites.filter(({ children }) => children.includes(alarm.name))]
          .map(severityOf)
          .filter((severity) => severity !== undefined);

  test.each(alarms)('$name says what it means and has a section in the runbook', ({ runbook }) => {
    expect(alarmSections.map(({ heading }) => heading)).toContain(runbook);
  });

  test.each(notifying)('$name notifies one topic when it goes off, and a page when it is over', (alarm) => {
    expect(alarm.actions.map(topicOf)).toEqual([expect.stringMatching(/^(pages|tickets)$/)]);
    // A ticket that is over is read in the morning all the same.
    expect(alarm.okActions).toEqual(severityOf(alarm) === 'page' ? alarm.actions : []);
  });

  test('an alarm that notifies nobody is part of exactly one that does, or rolls back a deployment', () => {
    const silent = alarms
      .filter((alarm) => !notifying.includes(alarm) && !rollbacks.includes(alarm))
      .map(({ name }) => name);
    expect(composites.flatMap(({ children }) => children).sort()).toEqual(silent.sort());
    expect(composites.map(severityOf)).not.toContain(undefined);
  });

  test('fewer than 40 alarms page, and each says why it cannot wait', () => {
    const pages = notifying.filter((alarm) => severityOf(alarm) === 'page');
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.length).toBeLessThan(40);
    for (const { name, description } of pages)
      expect([name, description]).toEqual([name, expect.stringMatching(/ Why now: .+\. What to do: /)]);
    const tickets = notifying.filter((alarm) => !pages.includes(alarm));
    for (const { description } of tickets) expect(description).not.toContain('Why now');
  });

  test('alarms cost less than half of what they did, $30 a month, and those of deployments $6', () => {
    // https://aws.amazon.com/cloudwatch/pricing/: of an alarm by metric, and of a composite one. A query finds a metric for
    // each operation of a table that DynamoDB throttled lately, usually none.
    const costOf = (some: typeof alarms) =>
      some.reduce((cost, { metrics, queries }) => cost + 0.1 * (metrics + queries), 0);
    const others = alarms.filter((alarm) => !rollbacks.includes(alarm));
    expect(costOf(others) + 0.5 * composites.length).toBeLessThan(15);
    expect(costOf(rollbacks)).toBeLessThan(6);
  });

  test('the heading of a section has the severities of its alarms', () => {
    const derived = alarmSections.map(({ heading, severities }) => {
      const ofAlarms = alarms.filter(({ runbook }) => runbook === heading).flatMap(severitiesOf);
      // The dashboard shows some of what an alarm watches elsewhere, and it alone the rest (`dashboard.test.ts`).
      const withDashboard = severities.includes('dashboard') ? ['dashboard'] : [];
      return [heading, [...new Set(ofAlarms), ...withDashboard].sort()];
    });
    expect(alarmSections.map(({ heading, severities }) => [heading, [...severities].sort()])).toEqual(
      derived,
    );
    expect(alarmSections.filter(({ severities }) => severities.length === 0)).toEqual([]);
  });

  test('the service stack has the alarms that roll back a deployment, and no others', () => {
    const own = service.ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties['AlarmName']);
    const rollingBack = alarms.filter(({ rollsBack }) => rollsBack);
    expect(own.sort()).toEqual(rollingBack.map(({ name }) => `insurance-compliance-prod-${name}`).sort());
  });

  test('the alarm of the canary alone goes off without data: after two periods in which no run passed', () => {
    expect(alarms.filter(({ isMissingBad }) => isMissingBad).map(({ name }) => name)).toEqual([
      'canary-failing',
    ]);
    const [found] = watch
      .ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => String(Properties['AlarmName']).endsWith('-canary-failing'));
    expect(found?.[1].Properties).toMatchObject({
      EvaluationPeriods: 2,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      Metrics: [{ Expression: 'FILL(passed, 0) < 1' }, { MetricStat: { Period: 300, Stat: 'Sum' } }],
    });
  });

  test('every route has a class, and every class of which an alarm is about a route', () => {
    const classes = routeGroups.flatMap(({ routes }) => Object.values(routes).map(routeClass));
    expect(new Set(classes)).toEqual(new Set(routeClasses));
  });

  const filters = ofBoth('AWS::Logs::MetricFilter').map(([, { Properties }]) => {
    const { LogGroupName, MetricTransformations } = z.parse(metricFilter, Properties);
    // What a version's number is put into is some characters longer here than in AWS.
    const pattern = JSON.stringify(Properties['FilterPattern']).replaceAll('\\"', '"');
    return { pattern, logGroup: LogGroupName, ...MetricTransformations[0] };
  });

  test('AWS accepts the pattern of every filter', () => {
    const lengths = filters.map(({ pattern }) => pattern.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(filterPatternLength);
  });

  test('the durations of each group’s requests are counted by the class of their route, once', () => {
    const counting = filters.filter(({ MetricName }) => MetricName === 'request-duration');
    for (const { pattern, MetricValue, Dimensions } of counting) {
      expect(pattern).toContain('{ ($.event = "request") && ($.routeClass = "*") }');
      expect([MetricValue, Dimensions]).toEqual(['$.durationMs', [{ Key: 'Class', Value: '$.routeClass' }]]);
    }
    expect(counting.map(({ logGroup }) => logGroup).sort()).toEqual(
      routeGroups.map(({ name }) => `/aws/lambda/insurance-compliance-prod-${name}`).sort(),
    );
  });

  test('a queue’s age alarm goes off while all deliveries fail, and not after the first failure', () => {
    const queue = z.object({ QueueName: z.string(), VisibilityTimeout: z.number() });
    const hidden = service.ofType('AWS::SQS::Queue').flatMap(([, { Properties }]) => {
      const { QueueName, VisibilityTimeout } = z.safeParse(queue, Properties).data ?? {};
      return QueueName === undefined ? [] : [[`${QueueName}-message-age`, VisibilityTimeout] as const];
    });
    const visibility = new Map<unknown, number | undefined>(hidden);
    // Their alarms are about hours of work; what fails is a dead letter within two and a half.
    const ofJobs = ['license-sweep', 'registry-reconciliation', '-imports'];
    const ages = watch
      .ofType('AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => Properties)
      .filter(
        ({ AlarmName }) =>
          visibility.has(AlarmName) && !ofJobs.some((one) => String(AlarmName).includes(one)),
      );
    expect(ages).toHaveLength(6);
    for (const { AlarmName, Threshold } of ages) {
      const hiddenSeconds = visibility.get(AlarmName) ?? Number.NaN;
      expect(Threshold).toBeGreaterThan(hiddenSeconds);
      expect(Threshold).toBeLessThan((countedReceives - 1) * hiddenSeconds);
    }
  });

  test.each([
    ['an event that the bus refuses', 'event_refused'],
    ['a list that is larger than Lambda streams', 'response_too_large'],
    ['an answer that breaks its schema', 'response_breaks_schema'],
  ])('%s is counted from its log line', (_, event) => {
    const counting = filters.filter(({ MetricName, Dimensions }) => MetricName === 'errors' && Dimensions);
    const patterns = counting.map(({ pattern }) => pattern);
    expect(patterns).toContainEqual(expect.stringMatching(`\\$\\.level = "ERROR".+\\$\\.event = "${event}"`));
  });

  test('a stored item that breaks its schema is counted from the lines of every function', () => {
    const counting = watch
      .ofType('AWS::Logs::MetricFilter')
      .filter(([, { Properties }]) => Properties['FilterPattern'] === '{ $.error.name = "StoredItemError" }');
    expect(counting).toHaveLength([...functionsOf(environments.prod)].length);
  });

  test('the refusals that page are those of callers with a valid credential, as the access log has them', () => {
    const [stage] = service.ofType('AWS::ApiGateway::Stage');
    expect(stage?.[1].Properties['AccessLogSetting']).toMatchObject({
      Format: expect.stringMatching(
        /"status":"\$context.+"credentialId":"\$context.authorizer.credentialId"/,
      ),
    });
    const counting = filters.filter(
      ({ logGroup }) => logGroup === '/aws/apigateway/insurance-compliance-prod-api',
    );
    expect(counting.map(({ MetricName, pattern }) => [MetricName, pattern])).toEqual([
      ['callers-refusals', '"{ ($.credentialId != "-") && ($.status = "4*") }"'],
      ['callers-requests', '"{ $.credentialId != "-" }"'],
    ]);
    expect(alarms.filter(({ name }) => name === 'gateway-refusals').map(severityOf)).toEqual(['ticket']);
  });

  test('overdue NPNs are counted where the function logs them', () => {
    const [[, { Properties }] = ['', { Properties: {} }], ...others] = watch
      .ofType('AWS::Logs::MetricFilter')
      .filter(([, filter]) => String(filter.Properties['FilterPattern']).includes('npns_overdue'));
    expect(others).toEqual([]);
    expect(Properties).toMatchObject({
      FilterPattern: '{ ($.event = "npns_overdue") && ($.level = "WARN") }',
      MetricTransformations: [{ MetricValue: '$.npns' }],
    });
  });
});

describe('notifications', () => {
  const topicRef = z.object({ Ref: z.string() });
  const policySchema = z.object({
    Topics: z.array(topicRef),
    PolicyDocument: z.object({ Statement: z.array(z.record(z.string(), z.unknown())) }),
  });
  const alarmSchema = z.object({
    AlarmActions: z._default(z.array(z.unknown()), []),
    OKActions: z._default(z.array(z.unknown()), []),
    InsufficientDataActions: z._default(z.array(z.unknown()), []),
  });

  interface Publication {
    readonly from: string;
    readonly publisher: string;
    /** Name of the topic, without the prefix of the environment; undefined if it is none. */
    readonly topic: string | undefined;
  }

  /** Whatever a template has publish of its own accord, with the service that publishes. */
  function publications({ ofType }: Resources): Publication[] {
    const ofAlarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
      ofType(type).flatMap(([from, { Properties }]) => {
        const { AlarmActions, OKActions, InsufficientDataActions } = z.parse(alarmSchema, Properties);
        return [...AlarmActions, ...OKActions, ...InsufficientDataActions].map((target) => ({
          from,
          publisher: 'cloudwatch.amazonaws.com',
          topic: topicOf(target),
        }));
      }),
    );
    const ofRules = ofType('AWS::Events::Rule').flatMap(([from, { Properties }]) =>
      z
        .parse(z.array(z.object({ Arn: z.unknown() })), Properties['Targets'])
        // Other targets have permissions of their own; `events.test.ts` is about those.
        .filter(({ Arn }) => topicOf(Arn) !== undefined)
        .map(({ Arn }) => ({ from, publisher: 'events.amazonaws.com', topic: topicOf(Arn) })),
    );
    return [...ofAlarms, ...ofRules];
  }

  /** Whether a topic's policy lets a service publish for this account and for no other. */
  function admits({ ofType }: Resources, topic: string, publisher: string): boolean {
    const statements = ofType('AWS::SNS::TopicPolicy')
      .map(([, { Properties }]) => z.parse(policySchema, Properties))
      .filter(({ Topics }) => Topics.some(({ Ref }) => Ref === topic))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const allow = {
      Effect: 'Allow',
      Principal: { Service: publisher },
      Action: 'sns:Publish',
      Resource: { Ref: topic },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    return statements.some((statement) =>
      Object.entries(allow).every(
        ([name, value]) => JSON.stringify(statement[name]) === JSON.stringify(value),
      ),
    );
  }

  /** Types that can name a topic: the publishers above, and what belongs to the topic itself. */
  const known = [
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::CompositeAlarm',
    'AWS::Events::Rule',
    'AWS::SNS::Subscription',
    'AWS::SNS::TopicPolicy',
  ];

  describe.each(deployedEnvironments)('%s', (environment) => {
    const { data, service, watch } = synthesized(environment);
    const topics = new Map(
      watch
        .ofType('AWS::SNS::Topic')
        .map(([id, { Properties }]) => [
          String(Properties['TopicName']).replace(`insurance-compliance-${environment}-`, ''),
          id,
        ]),
    );
    const all = [...publications(service), ...publications(watch)];

    it('has only the publishers that are listed here', () => {
      const names = Array.from(topics, ([name, id]) => [
        JSON.stringify({ Ref: id }),
        `-${environment}-${name}"`,
      ]);
      const naming = [...Object.values(service.all), ...Object.values(watch.all)].filter(
        ({ Type, Properties }) =>
          Type !== 'AWS::SNS::Topic' &&
          names.flat().some((name) => JSON.stringify(Properties).includes(name)),
      );
      expect(known).toEqual(expect.arrayContaining(naming.map(({ Type }) => Type)));
      expect([...data.ofType('AWS::SNS::Topic'), ...service.ofType('AWS::SNS::Topic')]).toEqual([]);
    });

    it('lets alarms publish, pages to one topic and tickets to another, when they fire and when they recover', () => {
      const refused = all.filter(
        ({ topic = '', publisher }) => !admits(watch, topics.get(topic) ?? '', publisher),
      );

      // Those that notify nobody by themselves are part of one that does (`alarms.test.ts`).
      expect(all.length).toBeGreaterThan(40);
      expect(new Set(all.map(({ topic }) => topic))).toEqual(new Set(['pages', 'tickets']));
      expect(refused).toEqual([]);
    });

    it('has no topic without a publisher, and none that accepts unencrypted messages', () => {
      expect(new Set(topics.keys())).toEqual(new Set(all.map(({ topic }) => topic)));

      for (const [, { Properties }] of watch.ofType('AWS::SNS::TopicPolicy')) {
        expect(z.parse(policySchema, Properties).PolicyDocument.Statement).toContainEqual(
          expect.objectContaining({
            Effect: 'Deny',
            Action: 'sns:Publish',
            Principal: '*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        );
      }
    });
  });

  test.each(deployedEnvironments)(
    '%s: an alarm on what a rule counts names the rule, and so waits for it',
    (name) => {
      const { watch } = synthesized(name);
      const expressions = Array.from(
        JSON.stringify(watch.ofType('AWS::CloudWatch::Alarm')).matchAll(/INSIGHT_RULE_METRIC[^}]+\}/g),
        ([found]) => found,
      );
      expect(expressions.length).toBeGreaterThan(0);
      const rules = watch.ofType('AWS::CloudWatch::InsightRule').map(([id]) => id);
      for (const one of expressions) {
        const [, rule] = one.match(/"Fn::GetAtt":\["(\w+)","RuleName"\]/) ?? [];
        expect(rules).toContain(rule);
      }
    },
  );
});
