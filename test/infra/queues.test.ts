import { App, Stack } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import type { FunctionUses } from '#function/uses.ts';
import { visibilityTimeouts } from '#platform/aws/limits.ts';
import { environments } from '../../infra/environments.ts';
import { functionUses } from '../../infra/function-uses.ts';
import { createFlows, declaredFlows } from '../../infra/service/functions.ts';
import { invoked } from './invoked.ts';
import { type Resource, synthesized } from './synthesized.ts';

describe('who sends and who receives', () => {
  const { service } = synthesized('prod');

  const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
  const queueProperties = z.object({
    QueueName: z.string(),
    SqsManagedSseEnabled: z.literal(true),
    MessageRetentionPeriod: z.number(),
    VisibilityTimeout: z.optional(z.number()),
    RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: getAtt, maxReceiveCount: z.number() })),
  });
  const mappingProperties = z.object({
    FunctionName: z.unknown(),
    EventSourceArn: getAtt,
    BatchSize: z.number(),
    FunctionResponseTypes: z.array(z.string()),
    ScalingConfig: z.object({ MaximumConcurrency: z.number() }),
  });

  const policyProperties = z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({
          Effect: z.string(),
          Principal: z.unknown(),
          Action: z.unknown(),
          Resource: getAtt,
          Condition: z.unknown(),
        }),
      ),
    }),
    Queues: z.tuple([z.object({ Ref: z.string() })]),
  });

  const queues = new Map(
    service
      .ofType('AWS::SQS::Queue')
      .map(([logicalId, { Properties }]) => [logicalId, z.parse(queueProperties, Properties)]),
  );
  const mappings = service
    .ofType('AWS::Lambda::EventSourceMapping')
    // A stream's mapping is of a table of the other stack, and belongs to the tests of events.
    .filter(([, { Properties }]) => getAtt.safeParse(Properties['EventSourceArn']).success)
    .map(([, { Properties }]) => z.parse(mappingProperties, Properties))
    .map((mapping) => {
      const queue = queues.get(mapping.EventSourceArn['Fn::GetAtt'][0]);
      const worker = service.all[invoked(service, mapping.FunctionName).functionId];
      return { name: queue?.QueueName ?? '', mapping, queue, worker };
    });

  test('every queue is encrypted and keeps its messages for 14 days', () => {
    expect(queues.size).toBeGreaterThan(0);
    // Encryption is part of the schema that the queues were parsed by.
    for (const { MessageRetentionPeriod } of queues.values()) {
      expect(MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
    }
  });

  /** Dead-letter queues of what is no queue: a stream, and calls that schedules make. */
  const ofNoQueue = ['event-publisher-dead', 'imported-event-publisher-dead', 'schedules-dead'].map(
    (name) => `insurance-compliance-prod-${name}`,
  );

  test('every queue with a worker has a dead-letter queue, and every other queue is one', () => {
    const worked = Array.from(queues.values()).filter(({ RedrivePolicy }) => RedrivePolicy !== undefined);
    expect(worked.map(({ QueueName }) => QueueName).sort()).toEqual(mappings.map(({ name }) => name).sort());
    for (const { QueueName, RedrivePolicy } of worked) {
      const dead = queues.get(RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0] ?? '');
      expect(dead).toMatchObject({ QueueName: `${QueueName}-dead` });
      expect(dead?.RedrivePolicy).toBeUndefined();
    }
    const dead = worked.map(({ QueueName }) => `${QueueName}-dead`);
    const others = Array.from(queues.values(), ({ QueueName }) => QueueName).filter(
      (name) => !dead.includes(name),
    );
    expect(others.sort()).toEqual([...worked.map(({ QueueName }) => QueueName), ...ofNoQueue].sort());
  });

  test.each(mappings)(
    'the visibility timeout of $name is six times the timeout of its worker',
    ({ queue, worker }) => {
      const { Timeout } = z.parse(z.object({ Timeout: z.number() }), worker?.Properties);
      expect(queue?.VisibilityTimeout).toBeGreaterThanOrEqual(visibilityTimeouts * Timeout);
    },
  );

  test.each(mappings)(
    '$name is handed out with a limit, and its worker reports single failures',
    ({ mapping }) => {
      expect(mapping.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    },
  );

  const policies = service
    .ofType('AWS::SQS::QueuePolicy')
    .map(([, { Properties }]) => z.parse(policyProperties, Properties));

  test('no queue can be reached without TLS', () => {
    expect(policies).toHaveLength(queues.size);
    for (const {
      PolicyDocument,
      Queues: [{ Ref }],
    } of policies) {
      expect(PolicyDocument.Statement).toContainEqual({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'sqs:*',
        Resource: { 'Fn::GetAtt': [Ref, 'Arn'] },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
    }
  });

  test('only rules of the bus may send to a queue, each by its ARN', () => {
    const allowed = policies.flatMap(({ PolicyDocument, Queues: [{ Ref }] }) =>
      PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow').map((statement) => ({
        queue: queues.get(Ref)?.QueueName.replace('insurance-compliance-prod-', ''),
        ...statement,
      })),
    );
    for (const { Principal, Action, Condition } of allowed) {
      expect(Principal).toEqual({ Service: 'events.amazonaws.com' });
      expect(Action).toBe('sqs:SendMessage');
      expect(Condition).toEqual({
        ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [expect.stringMatching(/^events/), 'Arn'] } },
      });
    }
    expect(allowed.map(({ queue }) => queue).sort()).toEqual([
      'compliance-changes',
      'compliance-changes-dead',
      'compliance-changes-imports',
      'compliance-changes-imports-dead',
      'webhook-fanout',
      'webhook-fanout-dead',
      'webhook-fanout-imports',
      'webhook-fanout-imports-dead',
    ]);
  });

  const declared = declaredFlows(functionUses);
  const create = (flows: typeof declared) =>
    createFlows(new Stack(new App(), 'stack'), environments.dev, flows);

  test.each([
    ['a sender that declares nothing', { ...declared, events: { from: ['event-publisher', 'webhooks'] } }],
    ['no sender where one declares that it is', { ...declared, outbox: { ...declared.outbox, from: [] } }],
    [
      'another receiver',
      { ...declared, queues: { ...declared.queues, 'registry-sync': { from: ['agents'], to: 'agents' } } },
    ],
  ])('is refused with %s', (_case, flows) => {
    expect(() => create(flows)).toThrow('declare other flows');
  });

  test('is what functions declare, the bus and the stream included', () => {
    const also: FunctionUses = { timeoutSeconds: 1, sends: ['webhook-fanout'], publishes: true };
    const flows = declaredFlows(new Map([...functionUses, ['zz', also]]));
    expect(flows.queues['webhook-fanout'].from).toEqual(['events', 'zz']);
    expect(flows.events.from).toEqual(['event-publisher', 'imported-event-publisher', 'zz']);
    expect(flows.outbox).toEqual(declared.outbox);
  });
});

describe('recursion', () => {
  // Lambda drops the 17th invocation of a chain unless the function allows recursion
  // (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). A chain is followed through SQS, SNS, S3 and
  // calls of Lambda, so those are walked here; DynamoDB's streams and EventBridge do not belong to it.

  const { data, service, watch } = synthesized('prod');

  const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
  const ref = z.object({ Ref: z.string() });
  const oneOrMore = <Schema extends z.core.$ZodType>(schema: Schema) =>
    z.union([
      z.array(schema),
      z.pipe(
        schema,
        z.transform((one) => [one]),
      ),
    ]);
  const policySchema = z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({ Effect: z.string(), Action: oneOrMore(z.string()), Resource: oneOrMore(z.unknown()) }),
      ),
    }),
    Roles: z.array(ref),
  });

  const logicalIdOf = (value: unknown): string | undefined => {
    const parsed = z.safeParse(getAtt, value);
    return parsed.success ? parsed.data['Fn::GetAtt'][0] : undefined;
  };

  const functions = service.ofType('AWS::Lambda::Function');
  const nameOf = ({ Properties }: Resource): string =>
    String(Properties['FunctionName']).replace('insurance-compliance-prod-', '');

  /** What the policies of a role allow: each action with its resource. */
  const grantsOf = (roleId: string | undefined) =>
    service
      .ofType('AWS::IAM::Policy')
      .map(([, { Properties }]) => z.parse(policySchema, Properties))
      .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === roleId))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        Action.flatMap((action) => Resource.map((resource) => ({ action, resource }))),
      );

  /** Functions that the messages of a queue invoke, by the queue's logical id. */
  const invokedBy = (queueId: string | undefined): string[] =>
    service
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => logicalIdOf(Properties['EventSourceArn']) === queueId)
      .map(([, { Properties }]) => invoked(service, Properties['FunctionName']).functionId);

  const droppedAlarm = z.object({
    Threshold: z.number(),
    ComparisonOperator: z.string(),
    Metrics: z.array(
      z.object({
        MetricStat: z.optional(
          z.object({
            Metric: z.object({
              MetricName: z.literal('RecursiveInvocationsDropped'),
              Dimensions: z.array(z.object({ Name: z.literal('FunctionName'), Value: z.string() })),
            }),
          }),
        ),
      }),
    ),
  });

  /** Functions that a function may invoke by sending to a queue, by logical id. */
  const next = new Map(
    functions.map(([logicalId, { Properties }]) => {
      const queues = grantsOf(logicalIdOf(Properties['Role']))
        .filter(({ action }) => action === 'sqs:SendMessage')
        .map(({ resource }) => logicalIdOf(resource));
      return [logicalId, queues.flatMap((queueId) => (queueId === undefined ? [] : invokedBy(queueId)))];
    }),
  );

  /** Whatever comes after a function, however far down the chain. */
  function reachedFrom(logicalId: string, seen = new Set<string>()): ReadonlySet<string> {
    for (const one of next.get(logicalId) ?? []) {
      if (seen.has(one)) continue;
      seen.add(one);
      reachedFrom(one, seen);
    }
    return seen;
  }

  test('exactly the functions that can be invoked by their own messages allow recursion', () => {
    const recursive = functions.filter(([logicalId]) => reachedFrom(logicalId).has(logicalId));
    const allowing = functions.filter(([, { Properties }]) => Properties['RecursiveLoop'] === 'Allow');
    expect(recursive.map(([, one]) => nameOf(one)).sort()).toEqual([
      'compliance-changes',
      'license-sweep',
      'registry-reconciliation',
      'webhook-delivery',
    ]);
    expect(allowing).toEqual(recursive);
  });

  test('a function that allows recursion says why in its description', () => {
    const allowing = functions.filter(([, { Properties }]) => Properties['RecursiveLoop'] !== undefined);
    expect(allowing.length).toBeGreaterThan(0);
    for (const [, { Properties }] of allowing) expect(Properties['Description']).toMatch(/^.{40,256}$/);
  });

  test('the invocations that Lambda drops are counted for every function that messages invoke, and one is enough for an alarm', () => {
    const [alarm] = watch
      .ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => String(Properties['AlarmName']).endsWith('-dropped-invocations'));
    const dropped = z.parse(droppedAlarm, alarm?.[1].Properties);
    expect(dropped).toMatchObject({ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' });
    const counted = dropped.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? []);
    const queues = service.ofType('AWS::SQS::Queue').map(([logicalId]) => logicalId);
    const named = queues.flatMap(invokedBy).map((id) => service.all[id]?.Properties['FunctionName']);
    expect(new Set(counted.map(({ Value }) => Value))).toEqual(new Set(named));
  });

  test('chains pass through queues only: a function is invoked by no topic, no bucket, and no other but what operators invoke', () => {
    const invokers = functions.filter(([, { Properties }]) =>
      grantsOf(logicalIdOf(Properties['Role'])).some(({ action }) => /^(lambda:Invoke|sns:)|\*/.test(action)),
    );
    expect(invokers.map(([, one]) => nameOf(one))).toEqual(['admin']);
    const { consumes, stream, schedules } = functionUses.get('admin') ?? {};
    expect([consumes, stream, schedules]).toEqual([undefined, undefined, undefined]);
    const subscribed = [service, watch]
      .flatMap(({ ofType }) => ofType('AWS::SNS::Subscription'))
      .map(([, { Properties }]) => Properties['Protocol']);
    expect(subscribed.filter((protocol) => protocol !== 'email')).toEqual([]);
    const buckets = [...data.ofType('AWS::S3::Bucket'), ...service.ofType('AWS::S3::Bucket')];
    expect(buckets.filter(([, { Properties }]) => 'NotificationConfiguration' in Properties)).toEqual([]);
  });
});
