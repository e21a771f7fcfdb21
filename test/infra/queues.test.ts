import * as z from 'zod/mini';
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
  FunctionName: z.object({ Ref: z.string() }),
  EventSourceArn: getAtt,
  BatchSize: z.number(),
  FunctionResponseTypes: z.array(z.string()),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }),
});

const queues = new Map(
  service
    .ofType('AWS::SQS::Queue')
    .map(([logicalId, { Properties }]) => [logicalId, z.parse(queueProperties, Properties)]),
);
const mappings = service
  .ofType('AWS::Lambda::EventSourceMapping')
  .map(([, { Properties }]) => z.parse(mappingProperties, Properties))
  .filter(({ EventSourceArn }) => queues.has(EventSourceArn['Fn::GetAtt'][0]))
  .map((mapping) => {
    const queue = queues.get(mapping.EventSourceArn['Fn::GetAtt'][0]);
    const worker = service.all[mapping.FunctionName.Ref];
    return { name: queue?.QueueName ?? '', mapping, queue, worker };
  });

test('every queue is encrypted and keeps its messages for 14 days', () => {
  for (const { MessageRetentionPeriod } of queues.values()) {
    expect(MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
  }
});

test('every queue that is worked on has a dead-letter queue, and every other one is such', () => {
  const worked = Array.from(queues.values()).filter(({ RedrivePolicy }) => RedrivePolicy !== undefined);
  // The worker of deliveries comes with the stream and the bus that bring it its events.
  const withoutWorker = ['deliveries-fast', 'deliveries-slow'].map(
    (name) => `insurance-compliance-prod-${name}`,
  );
  expect(worked.map(({ QueueName }) => QueueName).sort()).toEqual(
    [...withoutWorker, ...mappings.map(({ name }) => name)].sort(),
  );
  for (const { QueueName, RedrivePolicy } of worked) {
    const dead = queues.get(RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0] ?? '');
    expect(dead).toMatchObject({ QueueName: `${QueueName}-dead` });
    expect(dead?.RedrivePolicy).toBeUndefined();
  }
  expect(queues.size).toBe(2 * worked.length);
});

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
test.each(mappings)('$name hides a message for six times what its worker may take', ({ queue, worker }) => {
  const { Timeout } = z.parse(z.object({ Timeout: z.number() }), worker?.Properties);
  expect(queue?.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
});

test.each(mappings)(
  '$name is handed out with a limit, and its worker reports single failures',
  ({ mapping }) => {
    expect(mapping.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
  },
);

test('nobody reaches a queue without TLS', () => {
  const policies = service.ofType('AWS::SQS::QueuePolicy');
  expect(policies).toHaveLength(queues.size);
  for (const [, { Properties }] of policies) {
    expect(Properties['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ],
    });
  }
});
