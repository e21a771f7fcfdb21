import type { GatewayDefinition } from '../../../infra/local/gateway/definition.ts';
import { invokePermissions, refuseUninvokable } from '../../../infra/local/gateway/invoke-permissions.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';

const arn = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

/** Starts with a route that calls this function, and a permission for that one. */
function start(called: string, FunctionName: unknown, SourceArn = '*'): void {
  const Resources = {
    Function: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'policies' } },
    Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Function' } } },
    Alias: {
      Type: 'AWS::Lambda::Alias',
      Properties: {
        FunctionName: { Ref: 'Function' },
        FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] },
        Name: 'live',
      },
    },
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
        FunctionName,
        SourceArn,
      },
    },
  };
  const deployment = readTemplates({ service: { Resources } }, { awsEndpoint: '' });
  const method = { functionArn: called, timeoutMs: 1_000, authorizerArn: undefined };
  const definition: GatewayDefinition = {
    resources: [{ path: '/policies/{policyId}', methods: new Map([['GET', method]]) }],
    responses: {},
    binaryMediaTypes: [],
  };
  refuseUninvokable(definition, { apiId: 'api', stage: 'local' }, invokePermissions(deployment));
}

const route = 'arn:aws:execute-api:us-east-1:000000000000:api/local/GET/policies/*';

describe('a permission admits calls', () => {
  it.each([
    ['of the function, by its ARN', arn('policies'), { 'Fn::GetAtt': ['Function', 'Arn'] }],
    ['of the function, by its name', arn('policies'), 'policies'],
    ['of its alias', arn('policies:live'), { Ref: 'Alias' }],
    ['of its alias, by their names', arn('policies:live'), 'policies:live'],
    ['of its version', arn('policies:1'), { Ref: 'Version' }],
  ])('%s', (_, called, permitted) => {
    expect(() => start(called, permitted)).not.toThrow();
    expect(() => start(called, permitted, route)).not.toThrow();
  });
});

describe('a permission admits no calls, and the run does not start,', () => {
  it.each([
    ['of the alias, if it is for the function', arn('policies:live'), { 'Fn::GetAtt': ['Function', 'Arn'] }],
    ['of the function, if it is for the alias', arn('policies'), { Ref: 'Alias' }],
    ['of the version, if it is for the alias', arn('policies:1'), { Ref: 'Alias' }],
    ['of another function', arn('carriers:live'), { Ref: 'Alias' }],
  ])('%s', (_, called, permitted) => {
    expect(() => start(called, permitted)).toThrow(`API Gateway may not invoke ${called} for GET/policies/*`);
  });

  it('for another route', () => {
    const other = route.replace('policies', 'carriers');
    expect(() => start(arn('policies:live'), { Ref: 'Alias' }, other)).toThrow('no permission matches');
  });
});
