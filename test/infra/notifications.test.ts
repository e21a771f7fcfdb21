import * as z from 'zod/mini';
import { deployedEnvironments } from '../../infra/environments.ts';
import { topicOf } from './alarm-resources.ts';
import { type Resources, synthesized } from './synthesized.ts';

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
    Object.entries(allow).every(([name, value]) => JSON.stringify(statement[name]) === JSON.stringify(value)),
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
        Type !== 'AWS::SNS::Topic' && names.flat().some((name) => JSON.stringify(Properties).includes(name)),
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
