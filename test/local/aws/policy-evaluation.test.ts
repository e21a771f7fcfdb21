// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are AWS's, in texts that AWS would fill.
import { evaluate, readStatements } from '../../../infra/local/aws/policy-evaluation.ts';
import { withoutAction } from '../../support/grants.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/policies';
const statement = (Effect: 'Allow' | 'Deny', Action: string | string[], Resource: string | string[]) => ({
  Effect,
  Action,
  Resource,
});
const read = (...Statement: object[]) => readStatements({ Version: '2012-10-17', Statement });

describe('a role', () => {
  it('allows what a statement names, and returns that grant', () => {
    const statements = read(statement('Allow', ['dynamodb:GetItem', 'dynamodb:PutItem'], table));
    expect(evaluate(statements, { action: 'dynamodb:PutItem', resource: table })).toEqual({
      allowed: true,
      grants: [{ action: 'dynamodb:PutItem', resource: table }],
    });
  });

  it.each([
    ['another action', 'dynamodb:DeleteItem', table],
    ['another table', 'dynamodb:GetItem', `${table}-2`],
    ['an index, when only the table is allowed', 'dynamodb:GetItem', `${table}/index/by-number`],
  ])('refuses %s', (_, action, resource) => {
    const statements = read(statement('Allow', 'dynamodb:GetItem', table));
    expect(evaluate(statements, { action, resource })).toEqual({ allowed: false, explicit: false });
  });

  it('refuses what a Deny names unless a key has this value, and so a request without the key', () => {
    const statements = read(statement('Allow', '*', '*'), {
      ...statement('Deny', 's3:GetObject', '*'),
      Condition: { StringNotEquals: { tag: 'clean' } },
    });
    const allows = (context: Record<string, string>) =>
      evaluate(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::files/a', context }).allowed;
    expect([allows({}), allows({ tag: 'infected' }), allows({ tag: 'clean' })]).toEqual([false, false, true]);
  });

  it('refuses what a Deny names for calls without TLS, which a call that does not say so is not', () => {
    const statements = read(statement('Allow', '*', '*'), {
      ...statement('Deny', '*', '*'),
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    const access = { action: 's3:GetObject', resource: 'arn:aws:s3:::files/a' };
    expect(evaluate(statements, access).allowed).toBe(true);
    expect(evaluate(statements, { ...access, context: { 'aws:SecureTransport': 'false' } }).allowed).toBe(
      false,
    );
  });

  it('refuses what a Deny names, even if another statement allows it', () => {
    const statements = read(statement('Allow', '*', '*'), statement('Deny', 'dynamodb:Scan', '*'));
    expect(evaluate(statements, { action: 'dynamodb:Scan', resource: table })).toEqual({
      allowed: false,
      explicit: true,
    });
    expect(evaluate(statements, { action: 'dynamodb:Query', resource: table }).allowed).toBe(true);
  });

  it.each([
    ['dynamodb:*', table, true],
    ['dynamodb:Get*', table, true],
    ['dynamodb:?etItem', table, true],
    ['DYNAMODB:getitem', table, true],
    ['dynamodb:Get', table, false],
    ['dynamodb:GetItem', `${table}*`, true],
    ['dynamodb:GetItem', 'arn:aws:dynamodb:us-east-1:000000000000:table/polic.es', false],
    ['dynamodb:GetItem', `${table.toUpperCase()}`, false],
  ])('matches %s on %s: %s', (action, resource, allowed) => {
    const statements = read(statement('Allow', action, resource));
    expect(evaluate(statements, { action: 'dynamodb:GetItem', resource: table }).allowed).toBe(allowed);
  });

  it('evaluates a condition with the service’s values for the call', () => {
    const statements = readStatements({
      Statement: {
        ...statement('Allow', 'secretsmanager:GetSecretValue', '*'),
        Condition: { StringEquals: { 'secretsmanager:VersionStage': ['AWSCURRENT', 'AWSPENDING'] } },
      },
    });
    const access = { action: 'secretsmanager:GetSecretValue', resource: 'x' };
    const staged = (stage: string) => ({ ...access, context: { 'secretsmanager:VersionStage': stage } });
    expect(evaluate(statements, staged('AWSPENDING')).allowed).toBe(true);
    expect(evaluate(statements, staged('AWSPREVIOUS')).allowed).toBe(false);
    expect(evaluate(statements, access).allowed).toBe(false);
  });

  it.each([
    [{ Effect: 'Allow', NotAction: 'a', Resource: '*' }],
    [{ Effect: 'Allow', Action: 'a', NotResource: '*' }],
    [{ ...statement('Allow', 'a', '*'), Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    [statement('Allow', 'a', 'table/${aws:username}')],
  ])('with an unsupported statement is refused: %j', (source) => {
    expect(() => read(source)).toThrow(/local run/);
  });

  it('loses only the actions that a test removes', () => {
    const statements = read(
      statement('Allow', ['dynamodb:GetItem', 'dynamodb:PutItem'], table),
      statement('Allow', 'dynamodb:PutItem', '*'),
    );
    expect(withoutAction(statements, 'dynamodb:PutItem')).toEqual([
      { effect: 'Allow', actions: ['dynamodb:GetItem'], resources: [table], conditions: [] },
    ]);
  });
});
