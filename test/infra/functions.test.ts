import { App, Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod/mini';
import { adminEnvironment } from '../../functions/admin/environment.ts';
import { agencyEnvironment } from '../../functions/agency/environment.ts';
import { agentsEnvironment } from '../../functions/agents/environment.ts';
import { authEnvironment } from '../../functions/auth/environment.ts';
import { authorizerEnvironment } from '../../functions/authorizer/environment.ts';
import { carriersEnvironment } from '../../functions/carriers/environment.ts';
import { complianceEnvironment } from '../../functions/compliance/environment.ts';
import { complianceChangesEnvironment } from '../../functions/compliance-changes/environment.ts';
import { contactsEnvironment } from '../../functions/contacts/environment.ts';
import { downstreamEntityAssociationsEnvironment } from '../../functions/downstream-entity-associations/environment.ts';
import { eventPublisherEnvironment } from '../../functions/event-publisher/environment.ts';
import { fileDocumentsEnvironment } from '../../functions/file-documents/environment.ts';
import { importEnvironment } from '../../functions/import/environment.ts';
import { licenseSweepEnvironment } from '../../functions/license-sweep/environment.ts';
import { policiesEnvironment } from '../../functions/policies/environment.ts';
import { registryReconciliationEnvironment } from '../../functions/registry-reconciliation/environment.ts';
import { registrySyncEnvironment } from '../../functions/registry-sync/environment.ts';
import { signingSecretRotationEnvironment } from '../../functions/signing-secret-rotation/environment.ts';
import { surplusLinesFilingsEnvironment } from '../../functions/surplus-lines-filings/environment.ts';
import { webhookDeliveryEnvironment } from '../../functions/webhook-delivery/environment.ts';
import { webhookFanoutEnvironment } from '../../functions/webhook-fanout/environment.ts';
import { webhooksEnvironment } from '../../functions/webhooks/environment.ts';
import { plain } from '../../infra/constructs/binding.ts';
import { bundleFolderContext, ServiceFunction } from '../../infra/constructs/service-function.ts';
import { environments } from '../../infra/environments.ts';
import { synthesized } from './synthesized.ts';

const { service } = synthesized('prod');

const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const oneOrMore = <Item extends z.core.$ZodType>(item: Item) =>
  z.union([
    z.array(item),
    z.pipe(
      item,
      z.transform((single) => [single]),
    ),
  ]);
const policySchema = z.object({
  Roles: z.tuple([z.object({ Ref: z.string() })]),
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Effect: z.literal('Allow'),
        Action: oneOrMore(z.string()),
        Resource: oneOrMore(z.unknown()),
      }),
    ),
  }),
});

/** A resource as a reader names it: `policies`, `policies/by-number`, `signingsecret`, or as it stands. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  const [, queue, part] = /GetAtt"?[:,]?\["(\w+?)queue(Queue|Dead)/.exec(text) ?? [];
  if (queue !== undefined) return part === 'Dead' ? `${queue}-dead` : queue;
  const table = /GetAtt(\w+?)Table/.exec(text)?.[1];
  if (table !== undefined && text.includes('StreamArn')) return `${table}/stream`;
  const index = /\/index\/([a-z-]+)/.exec(text)?.[1];
  if (table !== undefined) return index === undefined ? table : `${table}/${index}`;
  const [, bucket, folder] = /GetAtt(\w+?)Bucket\w*"(?:},"\/([a-z]+)\/\*")?/.exec(text) ?? [];
  if (bucket !== undefined) return folder === undefined ? bucket : `${bucket}/${folder}`;
  return /Ref(\w+?)Secret|GetAtt":\["(\w+?)Bus/.exec(text)?.slice(1).find(Boolean) ?? text;
}

/** What each function may do, as `action resource`, but for its own log and its traces. */
const grants: Record<string, string[]> = {};
for (const [, { Properties }] of service.ofType('AWS::Lambda::Function')) {
  const { FunctionName, Role } = z.parse(z.object({ FunctionName: z.string(), Role: getAtt }), Properties);
  const statements = service
    .ofType('AWS::IAM::Policy')
    .map(([, policy]) => z.parse(policySchema, policy.Properties))
    .filter(({ Roles }) => Roles[0].Ref === Role['Fn::GetAtt'][0])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  grants[FunctionName.replace('insurance-compliance-prod-', '')] = statements
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => `${action} ${nameOf(resource)}`)),
    )
    .sort();
}

const ownTraces = ['xray:PutTelemetryRecords "*"', 'xray:PutTraceSegments "*"'];

const queues = [
  'registrysync',
  'webhookfanout',
  'deliveriesfast',
  'deliveriesslow',
  'compliancechanges',
  'licensesweep',
  'registryreconciliation',
];

/** What a queue's worker may do with it, and with its dead-letter queue. */
const worksOn = (queue: string): string[] => [
  `sqs:DeleteMessage ${queue}`,
  `sqs:GetQueueAttributes ${queue}`,
  `sqs:ReceiveMessage ${queue}`,
  `sqs:SendMessage ${queue}-dead`,
];

const expected = {
  authorizer: [
    'dynamodb:BatchGetItem organizations',
    'dynamodb:GetItem organizations',
    'secretsmanager:GetSecretValue signingsecret',
  ],
  auth: [
    'dynamodb:GetItem organizations',
    'dynamodb:UpdateItem ratecounters',
    'secretsmanager:GetSecretValue signingsecret',
  ],
  'not-found': [],
  policies: [
    'dynamodb:GetItem policies',
    'dynamodb:Query policies/by-number',
    'dynamodb:Query policies/by-ordinal',
    'dynamodb:Query policies/by-state',
    'dynamodb:Query policies/by-status',
  ],
  carriers: ['dynamodb:Query carriers'],
  contacts: [
    'dynamodb:BatchGetItem associations',
    'dynamodb:BatchGetItem contacts',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:GetItem associations',
    'dynamodb:GetItem contacts',
    'dynamodb:GetItem downstreamentities',
    'dynamodb:PutItem contacts',
    'dynamodb:PutItem idempotency',
    'dynamodb:Query associations',
    'dynamodb:Query contacts',
    'dynamodb:Query contacts/by-list',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
  ],
  'downstream-entity-associations': [
    'dynamodb:BatchGetItem associations',
    'dynamodb:BatchGetItem contacts',
    'dynamodb:BatchGetItem downstreamentities',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:ConditionCheckItem downstreamentities',
    'dynamodb:DeleteItem associations',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:GetItem associations',
    'dynamodb:GetItem compliance',
    'dynamodb:GetItem contacts',
    'dynamodb:GetItem organizations',
    'dynamodb:GetItem registryrecords',
    'dynamodb:PutItem associations',
    'dynamodb:PutItem contacts',
    'dynamodb:PutItem downstreamentities',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem onetimelinks',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query associations',
    'dynamodb:Query associations/by-npn',
    'dynamodb:Query compliance',
    'dynamodb:Query contacts/by-domain',
    'dynamodb:Query contacts/by-email',
    'dynamodb:Query policies/by-agency',
    'dynamodb:Query registryrecords',
    'dynamodb:Query registryrecords/by-license-number',
    'dynamodb:UpdateItem associations',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
    'dynamodb:UpdateItem registryrecords',
    'sqs:SendMessage registrysync',
  ],
  'file-documents': [
    'dynamodb:BatchGetItem filedocuments',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:GetItem downstreamentities',
    'dynamodb:GetItem associations',
    'dynamodb:GetItem filedocuments',
    'dynamodb:PutItem filedocuments',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem outbox',
    'dynamodb:Query filedocuments/by-entity',
    'dynamodb:Query filedocuments/by-owner',
    'dynamodb:UpdateItem filedocuments',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
    's3:GetObject files/files',
    's3:GetObject files/incoming',
    's3:ListBucket files',
    's3:PutObject files/files',
    's3:PutObject files/incoming',
  ],
  'surplus-lines-filings': [
    'dynamodb:BatchGetItem filedocuments',
    'dynamodb:BatchGetItem filings',
    'dynamodb:BatchGetItem idempotency',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:GetItem downstreamentities',
    'dynamodb:PutItem filings',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem outbox',
    'dynamodb:Query filings',
    'dynamodb:Query filings/by-action',
    'dynamodb:Query filings/by-downstream',
    'dynamodb:Query filings/by-entity',
    'dynamodb:Query filings/by-owner',
    'dynamodb:Query filings/by-policy-number',
    'dynamodb:Query filings/by-reference',
    'dynamodb:Query filings/by-state',
    'dynamodb:Query filings/by-status',
    'dynamodb:UpdateItem filedocuments',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
    's3:GetObject files/files',
    's3:GetObject files/incoming',
    's3:ListBucket files',
    's3:PutObject files/files',
  ],
  agents: [
    'dynamodb:BatchGetItem agents',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:GetItem agents',
    'dynamodb:GetItem compliance',
    'dynamodb:Query agents',
    'dynamodb:Query agents/by-npn',
    'dynamodb:Query registryrecords',
    'dynamodb:Query registryrecords/by-license-number',
  ],
  compliance: [
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:GetItem registryrecords',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem outbox',
    'dynamodb:Query compliance',
    'dynamodb:Query registryrecords',
    'dynamodb:UpdateItem compliance',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
    'secretsmanager:GetSecretValue registry',
  ],
  webhooks: [
    'dynamodb:BatchGetItem webhooks',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:DeleteItem webhooks',
    'dynamodb:GetItem webhooks',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem webhooks',
    'dynamodb:Query webhooks',
    'dynamodb:Query webhooks/by-webhook',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
    'dynamodb:UpdateItem webhooks',
    'sqs:SendMessage deliveriesfast',
    'sqs:SendMessage deliveriesslow',
  ],
  agency: [
    'dynamodb:BatchGetItem agents',
    'dynamodb:BatchGetItem associations',
    'dynamodb:BatchGetItem downstreamentities',
    'dynamodb:BatchGetItem filings',
    'dynamodb:BatchGetItem licensing',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:DeleteItem idempotency',
    'dynamodb:DeleteItem licensing',
    'dynamodb:GetItem downstreamentities',
    'dynamodb:GetItem licensing',
    'dynamodb:PutItem idempotency',
    'dynamodb:PutItem licensing',
    'dynamodb:Query agents/by-list',
    'dynamodb:Query agents/by-npn',
    'dynamodb:Query associations/by-list',
    'dynamodb:Query associations/by-list-entity',
    'dynamodb:Query compliance',
    'dynamodb:Query downstreamentities/by-organization',
    'dynamodb:Query filings/by-action',
    'dynamodb:Query filings/by-entity',
    'dynamodb:Query licensing/by-list',
    'dynamodb:Query licensing/by-list-entity',
    'dynamodb:Query registryrecords',
    'dynamodb:Query registryrecords/by-license-number',
    'dynamodb:Query registryrecords/by-list',
    'dynamodb:Query registryrecords/by-npn',
    'dynamodb:Query registryrecords/by-state',
    'dynamodb:Query registryrecords/by-status',
    'dynamodb:UpdateItem idempotency',
    'dynamodb:UpdateItem ratecounters',
  ],
  admin: [
    'dynamodb:BatchGetItem agents',
    'dynamodb:BatchGetItem filedocuments',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:ConditionCheckItem registryrecords',
    'dynamodb:DeleteItem licensing',
    'dynamodb:UpdateItem onetimelinks',
    'dynamodb:GetItem associations',
    'dynamodb:GetItem filings',
    'dynamodb:GetItem licensing',
    'dynamodb:GetItem organizations',
    'dynamodb:GetItem registryrecords',
    'dynamodb:PutItem associations',
    'dynamodb:PutItem filedocuments',
    'dynamodb:PutItem filings',
    'dynamodb:PutItem licensing',
    'dynamodb:PutItem organizations',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query associations/by-npn',
    'dynamodb:Query filings',
    'dynamodb:Query registryrecords',
    'dynamodb:Query registryrecords/by-renewal',
    'dynamodb:Query registryrecords/by-shard',
    'dynamodb:UpdateItem filedocuments',
    'dynamodb:UpdateItem organizations',
    'dynamodb:UpdateItem registryrecords',
    's3:GetObject files/files',
    's3:GetObject files/incoming',
    's3:ListBucket files',
    's3:PutObject files/files',
    's3:PutObject files/incoming',
    'secretsmanager:GetSecretValue registry',
    ...queues.flatMap((queue) => [
      `sqs:DeleteMessage ${queue}-dead`,
      `sqs:ReceiveMessage ${queue}-dead`,
      `sqs:SendMessage ${queue}`,
    ]),
  ],
  import: [
    'dynamodb:BatchGetItem associations',
    'dynamodb:BatchGetItem carriers',
    'dynamodb:BatchGetItem compliance',
    'dynamodb:BatchGetItem contacts',
    'dynamodb:BatchGetItem downstreamentities',
    'dynamodb:BatchGetItem filings',
    'dynamodb:BatchGetItem licensing',
    'dynamodb:BatchGetItem policies',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:ConditionCheckItem downstreamentities',
    'dynamodb:DeleteItem agents',
    'dynamodb:DeleteItem associations',
    'dynamodb:DeleteItem carriers',
    'dynamodb:DeleteItem contacts',
    'dynamodb:DeleteItem filings',
    'dynamodb:GetItem agents',
    'dynamodb:GetItem associations',
    'dynamodb:GetItem contacts',
    'dynamodb:GetItem filings',
    'dynamodb:GetItem organizations',
    'dynamodb:PutItem agents',
    'dynamodb:PutItem associations',
    'dynamodb:PutItem carriers',
    'dynamodb:PutItem compliance',
    'dynamodb:PutItem contacts',
    'dynamodb:PutItem downstreamentities',
    'dynamodb:PutItem filings',
    'dynamodb:PutItem licensing',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem policies',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query associations/by-entity',
    'dynamodb:Query contacts',
    'dynamodb:Query filings',
    'dynamodb:Query policies',
    'dynamodb:UpdateItem associations',
    'dynamodb:UpdateItem registryrecords',
  ],
  'registry-sync': [
    'dynamodb:ConditionCheckItem registryrecords',
    'dynamodb:DeleteItem registryrecords',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query registryrecords',
    'dynamodb:UpdateItem registryrecords',
    'secretsmanager:GetSecretValue registry',
    ...worksOn('registrysync'),
  ],
  'event-publisher': [
    'dynamodb:BatchGetItem outbox',
    'dynamodb:DescribeStream outbox/stream',
    'dynamodb:GetRecords outbox/stream',
    'dynamodb:GetShardIterator outbox/stream',
    'dynamodb:ListStreams "*"',
    'dynamodb:Query outbox/unpublished',
    'dynamodb:UpdateItem outbox',
    'events:PutEvents events',
    'sqs:SendMessage eventpublisher-dead',
  ],
  'webhook-fanout': [
    'dynamodb:BatchGetItem webhooks',
    'dynamodb:PutItem webhooks',
    'dynamodb:Query webhooks',
    'sqs:SendMessage deliveriesfast',
    'sqs:SendMessage deliveriesslow',
    ...worksOn('webhookfanout'),
  ],
  'webhook-delivery': [
    'dynamodb:BatchGetItem webhooks',
    'dynamodb:GetItem outbox',
    'dynamodb:UpdateItem webhooks',
    'sqs:DeleteMessage deliveriesslow',
    'sqs:GetQueueAttributes deliveriesslow',
    'sqs:ReceiveMessage deliveriesslow',
    'sqs:SendMessage deliveriesfast',
    'sqs:SendMessage deliveriesslow',
    ...worksOn('deliveriesfast'),
  ],
  'compliance-changes': [
    'dynamodb:BatchGetItem associations',
    'dynamodb:BatchGetItem downstreamentities',
    'dynamodb:DeleteItem compliance',
    'dynamodb:GetItem compliance',
    'dynamodb:PutItem compliance',
    'dynamodb:PutItem outbox',
    'dynamodb:Query agents',
    'dynamodb:Query agents/by-npn',
    'dynamodb:Query associations',
    'dynamodb:Query associations/by-npn',
    'dynamodb:Query compliance',
    'dynamodb:Query registryrecords',
    'dynamodb:UpdateItem compliance',
    'sqs:SendMessage compliancechanges',
    ...worksOn('compliancechanges'),
  ],
  'license-sweep': [
    'dynamodb:BatchGetItem agents',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:ConditionCheckItem registryrecords',
    'dynamodb:GetItem registryrecords',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query associations/by-npn',
    'dynamodb:Query registryrecords/by-renewal',
    'dynamodb:UpdateItem registryrecords',
    'sqs:SendMessage licensesweep',
    ...worksOn('licensesweep'),
  ],
  'registry-reconciliation': [
    'dynamodb:BatchGetItem agents',
    'dynamodb:BatchGetItem registryrecords',
    'dynamodb:PutItem outbox',
    'dynamodb:PutItem registryrecords',
    'dynamodb:Query associations/by-npn',
    'dynamodb:Query registryrecords',
    'dynamodb:Query registryrecords/by-shard',
    'secretsmanager:GetSecretValue registry',
    'sqs:SendMessage registryreconciliation',
    ...worksOn('registryreconciliation'),
  ],
  'signing-secret-rotation': [
    'secretsmanager:DescribeSecret signingsecret',
    'secretsmanager:GetSecretValue signingsecret',
    'secretsmanager:PutSecretValue signingsecret',
    'secretsmanager:UpdateSecretVersionStage signingsecret',
  ],
};

test('no function is deployed that this test does not know', () => {
  expect(Object.keys(grants).sort()).toEqual(Object.keys(expected).sort());
});

test.each(Object.entries(expected))('%s may do what it does and nothing else', (name, actions) => {
  const ownLog = (grants[name] ?? []).filter((grant) => grant.startsWith('logs:'));
  expect(ownLog).toEqual([
    expect.stringMatching(/^logs:CreateLogStream .*Logs\w+","Arn"/),
    expect.stringMatching(/^logs:PutLogEvents .*Logs\w+","Arn"/),
  ]);
  expect(grants[name]).toEqual([...actions, ...ownLog, ...ownTraces].sort());
});

const environmentSchemas = {
  authorizer: authorizerEnvironment,
  auth: authEnvironment,
  policies: policiesEnvironment,
  carriers: carriersEnvironment,
  contacts: contactsEnvironment,
  'downstream-entity-associations': downstreamEntityAssociationsEnvironment,
  'file-documents': fileDocumentsEnvironment,
  'surplus-lines-filings': surplusLinesFilingsEnvironment,
  agents: agentsEnvironment,
  compliance: complianceEnvironment,
  webhooks: webhooksEnvironment,
  agency: agencyEnvironment,
  admin: adminEnvironment,
  import: importEnvironment,
  'registry-sync': registrySyncEnvironment,
  'event-publisher': eventPublisherEnvironment,
  'webhook-fanout': webhookFanoutEnvironment,
  'webhook-delivery': webhookDeliveryEnvironment,
  'compliance-changes': complianceChangesEnvironment,
  'license-sweep': licenseSweepEnvironment,
  'registry-reconciliation': registryReconciliationEnvironment,
  'signing-secret-rotation': signingSecretRotationEnvironment,
};

// The compiler sees a missing one; one too many can hide from it in a spread literal.
test.each(Object.entries(environmentSchemas))(
  '%s has the variables of its schema and no other',
  (name, schema) => {
    const variables = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });
    const deployed = service
      .ofType('AWS::Lambda::Function')
      .find(([, { Properties }]) => Properties['FunctionName'] === `insurance-compliance-prod-${name}`);
    const { Environment } = z.parse(variables, deployed?.[1].Properties);
    // NODE_OPTIONS is for the runtime, which reads it before the function does.
    expect(Object.keys(Environment.Variables).sort()).toEqual(
      ['NODE_OPTIONS', ...Object.keys(schema.shape)].sort(),
    );
  },
);

test('no role has a policy managed elsewhere, but the one that API Gateway logs with', () => {
  const managed = service
    .ofType('AWS::IAM::Role')
    .filter(([, { Properties }]) => Properties['ManagedPolicyArns'] !== undefined)
    .map(([logicalId]) => logicalId);
  expect(managed).toEqual([expect.stringMatching(/^GatewayApiCloudWatchRole/)]);
});

test('every function runs on Node 24 and arm64, with traces and a log of its own that ends', () => {
  for (const [, { Properties }] of service.ofType('AWS::Lambda::Function')) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: 1024,
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      Environment: { Variables: { NODE_OPTIONS: '--enable-source-maps' } },
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringContaining('Logs') } },
    });
  }
  const retention = service
    .ofType('AWS::Logs::LogGroup')
    .map(([, { Properties }]) => Properties['RetentionInDays']);
  expect(new Set(retention)).toEqual(new Set([environments.prod.logRetention]));
});

test('a function with a streamed list outlasts the gateway, and no other function waits longer than it', () => {
  const timeouts = service
    .ofType('AWS::Lambda::Function')
    .map(([, { Properties }]) => [Properties['FunctionName'], Properties['Timeout']]);
  expect(Object.fromEntries(timeouts)).toEqual({
    'insurance-compliance-prod-authorizer': 5,
    'insurance-compliance-prod-auth': 29,
    'insurance-compliance-prod-not-found': 29,
    'insurance-compliance-prod-policies': 310,
    'insurance-compliance-prod-carriers': 29,
    'insurance-compliance-prod-contacts': 310,
    'insurance-compliance-prod-downstream-entity-associations': 310,
    'insurance-compliance-prod-file-documents': 29,
    'insurance-compliance-prod-surplus-lines-filings': 310,
    'insurance-compliance-prod-agents': 310,
    'insurance-compliance-prod-compliance': 310,
    'insurance-compliance-prod-webhooks': 310,
    'insurance-compliance-prod-agency': 29,
    'insurance-compliance-prod-admin': 300,
    'insurance-compliance-prod-import': 300,
    'insurance-compliance-prod-registry-sync': 60,
    'insurance-compliance-prod-event-publisher': 300,
    'insurance-compliance-prod-webhook-fanout': 30,
    'insurance-compliance-prod-webhook-delivery': 30,
    'insurance-compliance-prod-compliance-changes': 60,
    'insurance-compliance-prod-license-sweep': 300,
    'insurance-compliance-prod-registry-reconciliation': 300,
    'insurance-compliance-prod-signing-secret-rotation': 30,
  });
});

test('a function without its bundle is refused with what to do', () => {
  const { dev: deployment } = environments;
  const stack = new Stack(new App({ context: { [bundleFolderContext]: '/nowhere' } }));
  const build = () =>
    new ServiceFunction(stack, 'policies', {
      deployment,
      timeout: Duration.seconds(1),
      environment: z.object({}),
      uses: {},
    });
  expect(build).toThrow(
    'No bundle of the function "policies" at /nowhere/policies: run "npm run build" first.',
  );
});

describe('variables are checked by the compiler', () => {
  const rest = {
    deployment: environments.dev,
    timeout: Duration.seconds(1),
    environment: policiesEnvironment,
  };
  const ENVIRONMENT = plain('dev');
  const RESPONSE_CHECK = plain('refuse');
  const POLICIES_TABLE = plain('policies');

  // None of these runs; `tsc` fails where an expected error is missing.
  const declarations: Record<string, (scope: Construct) => ServiceFunction<typeof policiesEnvironment>> = {
    complete: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        uses: { ENVIRONMENT, RESPONSE_CHECK, POLICIES_TABLE },
      }),
    missing: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: POLICIES_TABLE is missing.
        uses: { ENVIRONMENT, RESPONSE_CHECK },
      }),
    leftOver: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: the function reads no QUEUE.
        uses: { ENVIRONMENT, RESPONSE_CHECK, POLICIES_TABLE, QUEUE: plain('queue') },
      }),
    misspelt: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: the schema admits `refuse` and `report`.
        uses: { ENVIRONMENT, RESPONSE_CHECK: plain('refused'), POLICIES_TABLE },
      }),
  };

  test.each(Object.keys(declarations))('%s', (name) => {
    expect(declarations[name]).toBeInstanceOf(Function);
  });
});
