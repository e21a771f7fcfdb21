import { App, Stack } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { environments } from '../../infra/environments.ts';
import { functionUses } from '../../infra/function-uses.ts';
import { createFlows, declaredFlows } from '../../infra/service/flows.ts';
import type { FunctionUses } from '../../shared/domain/function-uses.ts';
import { visibilityTimeouts } from '../../shared/platform/aws/limits.ts';
import { invoked } from './invoked.ts';
import { synthesized } from './synthesized.ts';

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
const ofNoQueue = ['event-publisher-dead', 'schedules-dead'].map(
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
    'webhook-fanout',
    'webhook-fanout-dead',
  ]);
});

describe('who sends and who receives', () => {
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
    expect(flows.events.from).toEqual(['event-publisher', 'zz']);
    expect(flows.outbox).toEqual(declared.outbox);
  });
});
