import * as z from 'zod/mini';
import { ownTraces, permissions } from '../support/permissions.ts';
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
  return /Ref(\w+?)Secret|GetAtt":\["(\w+?)Bus|GetAtt(\w+?)Key/.exec(text)?.slice(1).find(Boolean) ?? text;
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

test('every deployed function is covered here', () => {
  expect(Object.keys(grants).sort()).toEqual(Object.keys(permissions).sort());
});

test.each(Object.entries(permissions))('%s has exactly the permissions that it needs', (name, actions) => {
  const ownLog = (grants[name] ?? []).filter((grant) => grant.startsWith('logs:'));
  expect(ownLog).toEqual([
    expect.stringMatching(/^logs:CreateLogStream .*Logs\w+","Arn"/),
    expect.stringMatching(/^logs:PutLogEvents .*Logs\w+","Arn"/),
  ]);
  expect(grants[name]).toEqual([...actions, ...ownLog, ...ownTraces].sort());
});
