import * as z from 'zod/mini';
import { invoked } from './invoked.ts';
import { type Resource, synthesized } from './synthesized.ts';

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
function after(logicalId: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const one of next.get(logicalId) ?? []) {
    if (seen.has(one)) continue;
    seen.add(one);
    after(one, seen);
  }
  return seen;
}

test('exactly the functions that can be invoked by their own messages allow recursion', () => {
  const recursive = functions.filter(([logicalId]) => after(logicalId).has(logicalId));
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

test('chains pass through queues only: no function is invoked by another function, a topic, or a bucket', () => {
  const everybodysGrants = functions.flatMap(([, { Properties }]) =>
    grantsOf(logicalIdOf(Properties['Role'])),
  );
  expect(everybodysGrants.filter(({ action }) => /^(lambda:Invoke|sns:)|\*/.test(action))).toEqual([]);
  const subscribed = [service, watch]
    .flatMap(({ ofType }) => ofType('AWS::SNS::Subscription'))
    .map(([, { Properties }]) => Properties['Protocol']);
  expect(subscribed.filter((protocol) => protocol !== 'email')).toEqual([]);
  const buckets = [...data.ofType('AWS::S3::Bucket'), ...service.ofType('AWS::S3::Bucket')];
  expect(buckets.filter(([, { Properties }]) => 'NotificationConfiguration' in Properties)).toEqual([]);
});
