import * as z from 'zod/mini';
import { functionUses } from '../../infra/function-uses.ts';
import { evaluate } from '../../infra/local/aws/policy-evaluation.ts';
import { statementsOf } from '../../infra/local/aws/roles.ts';
import { accountId } from '../../infra/local/template/physical-resources.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import type { FunctionUses, TableUse } from '../../shared/domain/function-uses.ts';
import { synthesized, wholeTemplates } from './synthesized.ts';

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
        Effect: z.enum(['Allow', 'Deny']),
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
  return /Ref(\w+?)Secret|GetAtt":\["(\w+?)Bus|GetAtt(\w+?)Key/.exec(text)?.slice(1).find(Boolean) ?? text;
}

/** What each function may do, as `action resource`, or may not: in prod, where it is there. */
const grants: Record<string, string[]> = {};
const deployedIn = (environment: 'sandbox' | 'prod') => {
  const { service } = synthesized(environment);
  return service.ofType('AWS::Lambda::Function').map(([, one]) => ({ ...one, service, environment }));
};
for (const { Properties, service, environment } of [...deployedIn('sandbox'), ...deployedIn('prod')]) {
  const { FunctionName, Role } = z.parse(z.object({ FunctionName: z.string(), Role: getAtt }), Properties);
  const statements = service
    .ofType('AWS::IAM::Policy')
    .map(([, policy]) => z.parse(policySchema, policy.Properties))
    .filter(({ Roles }) => Roles[0].Ref === Role['Fn::GetAtt'][0])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  grants[FunctionName.replace(`insurance-compliance-${environment}-`, '')] = statements
    .flatMap(({ Effect, Action, Resource }) =>
      Action.flatMap((action) =>
        Resource.map((resource) => `${Effect === 'Deny' ? 'not ' : ''}${action} ${nameOf(resource)}`),
      ),
    )
    .sort();
}

/** Every role of the service's own account. */
const ownRoles = {
  'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':role/*']],
};

/** What a function may do by what it declares, but for its own log. */
function declared(uses: FunctionUses): string[] {
  const { tables = {}, sends = [], consumes = {}, files, schedules } = uses;
  const queue = (name: string): string => name.replaceAll('-', '');
  const consumed = Object.keys(consumes).map(queue);
  const every = [...functionUses.values()].flatMap((one) => Object.keys(one.consumes ?? {})).map(queue);
  const given = (use: unknown, ...actions: readonly string[]) => (use === undefined ? [] : actions);
  return [
    ...Object.entries<TableUse>(tables).flatMap(([key, { items = [], query = [] }]) => [
      ...items.map((action) => `dynamodb:${action} ${key.toLowerCase()}`),
      ...query.map((index) => `dynamodb:Query ${key.toLowerCase()}${index === 'table' ? '' : `/${index}`}`),
    ]),
    ...sends.map((name) => `sqs:SendMessage ${queue(name)}`),
    ...consumed.flatMap((name) =>
      ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} ${name}`),
    ),
    ...consumed.slice(0, 1).map((name) => `sqs:SendMessage ${name}-dead`),
    ...given(
      uses.redrives,
      ...every.flatMap((name) => [
        `sqs:ReceiveMessage ${name}-dead`,
        `sqs:DeleteMessage ${name}-dead`,
        `sqs:SendMessage ${name}`,
      ]),
    ),
    ...given(
      uses.stream,
      ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
        (action) => `dynamodb:${action} ${uses.stream?.table}/stream`,
      ),
      'dynamodb:ListStreams "*"',
      'sqs:SendMessage eventpublisher-dead',
    ),
    ...given(schedules, 'sqs:SendMessage schedules-dead'),
    ...given(
      files,
      ...['files', 'incoming'].map((folder) => `s3:GetObject files/${folder}`),
      ...(files?.writes ?? []).map((folder) => `s3:PutObject files/${folder}`),
      's3:GetObjectTagging files/files',
      's3:ListBucket files',
    ),
    ...given(uses.publishes, 'events:PutEvents events'),
    // Where organizations rehearse, it is simulated: its records are in a table that its readers read anyway.
    ...given(uses.sandbox ? undefined : uses.registry, 'secretsmanager:GetSecretValue registry'),
    ...given(uses.registryChanges, 's3:GetObject registrychanges', 's3:ListBucket registrychanges'),
    ...given(uses.linkSecret, 'secretsmanager:GetSecretValue signinlinks'),
    ...given(uses.canarySecret, 'secretsmanager:GetSecretValue canary'),
    ...given(uses.signingSecret, 'secretsmanager:GetSecretValue signingsecret'),
    ...given(
      uses.rotates,
      ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
        (action) => `secretsmanager:${action} signingsecret`,
      ),
    ),
    ...given(
      uses.webhookKey,
      `kms:${uses.webhookKey === 'encrypts' ? 'GenerateDataKey' : 'Decrypt'} webhooksecrets`,
    ),
    ...given(
      uses.assumesRoles,
      'sts:AssumeRole "arn:aws:iam::*:role/insurance-compliance-webhooks*"',
      `not sts:AssumeRole ${JSON.stringify(ownRoles)}`,
    ),
    ...given(uses.receiptKeys, 'kms:Sign receiptsfirst', 'kms:GetPublicKey receiptsfirst'),
    // Its traces.
    'xray:PutTelemetryRecords "*"',
    'xray:PutTraceSegments "*"',
  ];
}

test('every function of the source is deployed, and no other', () => {
  expect(Object.keys(grants).sort()).toEqual([...functionUses.keys()].sort());
});

test.each([...functionUses])(
  '%s may do what it declares, write its own log, and nothing else',
  (name, uses) => {
    const ownLog = (grants[name] ?? []).filter((grant) => grant.startsWith('logs:'));
    expect(ownLog).toEqual([
      expect.stringMatching(/^logs:CreateLogStream .*Logs\w+","Arn"/),
      expect.stringMatching(/^logs:PutLogEvents .*Logs\w+","Arn"/),
    ]);
    expect(grants[name]).toEqual([...declared(uses), ...ownLog].sort());
  },
);

test.each([...functionUses].flatMap(([name, uses]) => (uses.assumesRoles === true ? [name] : [])))(
  '%s may assume customers’ roles, and no role of its own account, whatever it trusts',
  (name) => {
    const { data, service: own } = wholeTemplates('prod');
    const deployment = readTemplates({ data, service: own }, { awsEndpoint: 'https://aws' });
    const deployed = deployment
      .ofType('AWS::Lambda::Function')
      .map(({ properties }) => properties())
      .find(({ FunctionName }) => FunctionName === `insurance-compliance-prod-${name}`);
    const statements = statementsOf(String(deployed?.['Role']), deployment);
    const decided = (account: string) =>
      evaluate(statements, {
        action: 'sts:AssumeRole',
        resource: `arn:aws:iam::${account}:role/insurance-compliance-webhooks-a`,
      });
    expect(decided('111122223333')).toMatchObject({ allowed: true });
    expect(decided(accountId)).toEqual({ allowed: false, explicit: true });
  },
);
