import { invokePermissions, refuseUninvokable } from '../../../infra/local/gateway/authorizer.ts';
import {
  createRouter,
  type GatewayDefinition,
  MalformedPathError,
  readGatewayDefinition,
} from '../../../infra/local/gateway/definition.ts';
import { renderFault, substitute } from '../../../infra/local/gateway/responses.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';

describe("the API's definition", () => {
  const arn = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
  const path = (name: string, rest: string): string =>
    `arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/${arn(name)}/${rest}`;

  const integration = {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: path('policies', 'response-streaming-invocations'),
    responseTransferMode: 'STREAM',
    timeoutInMillis: 300_000,
  };
  const scheme = {
    type: 'apiKey',
    name: 'Unused',
    in: 'header',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': {
      type: 'request',
      authorizerUri: path('authorizer', 'invocations'),
      authorizerResultTtlInSeconds: 0,
    },
  };
  const definition = (operation: object, more: object = {}) => ({
    openapi: '3.0.1',
    info: {},
    paths: { '/policies': { get: operation } },
    components: { securitySchemes: { authorizer: scheme } },
    ...more,
  });

  it('gives the function, timeout, and authorizer of a route', () => {
    const { resources } = readGatewayDefinition(
      definition({ security: [{ authorizer: [] }], 'x-amazon-apigateway-integration': integration }),
    );
    expect(resources[0]?.methods.get('GET')).toEqual({
      functionArn: arn('policies'),
      timeoutMs: 300_000,
      authorizerArn: arn('authorizer'),
    });
  });

  it.each([
    [
      'a buffered integration',
      { 'x-amazon-apigateway-integration': { ...integration, responseTransferMode: 'BUFFERED' } },
      {},
    ],
    [
      'an extension it does not know',
      { 'x-amazon-apigateway-integration': integration },
      { 'x-amazon-apigateway-policy': {} },
    ],
    [
      'an authorizer that is remembered',
      { 'x-amazon-apigateway-integration': integration },
      {
        components: {
          securitySchemes: {
            authorizer: {
              ...scheme,
              'x-amazon-apigateway-authorizer': {
                ...scheme['x-amazon-apigateway-authorizer'],
                authorizerResultTtlInSeconds: 300,
              },
            },
          },
        },
      },
    ],
  ])('with %s stops the start', (_, operation, more) => {
    expect(() => readGatewayDefinition(definition(operation, more))).toThrow();
  });
});

describe('the gateway', () => {
  const resource = (path: string, ...methods: string[]) => ({
    path,
    methods: new Map(methods.map((method) => [method, `${method} ${path}`])),
  });

  const route = createRouter([
    resource('/{proxy+}', 'ANY'),
    resource('/', 'ANY'),
    resource('/associations/{id}', 'GET', 'ANY'),
    resource('/associations/add', 'POST'),
    resource('/associations/{id}/licenses/{license}', 'GET'),
    resource('/associations', 'GET'),
  ]);

  const served = (method: string, path: string) => route(method, path)?.method;

  it.each([
    ['GET', '/', 'ANY /'],
    ['GET', '/associations', 'GET /associations'],
    ['GET', '/associations/', 'GET /associations'],
    ['GET', '/associations/7', 'GET /associations/{id}'],
    ['PUT', '/associations/7', 'ANY /associations/{id}'],
    ['POST', '/associations/add', 'POST /associations/add'],
    ['GET', '/associations/7/licenses/8', 'GET /associations/{id}/licenses/{license}'],
    ['GET', '/other/deep/path', 'ANY /{proxy+}'],
    ['GET', '//associations', 'GET /associations'],
    ['GET', '/associations//7', 'ANY /{proxy+}'],
  ])('serves %s %s by %s', (method, path, expected) => {
    expect(served(method, path)).toBe(expected);
  });

  it('lets the path decide before the method: a literal without the method does not fall back', () => {
    expect(route('GET', '/associations/add')).toMatchObject({ resource: { path: '/associations/add' } });
    expect(served('GET', '/associations/add')).toBeUndefined();
  });

  it('decodes the value of a parameter', () => {
    expect(route('GET', '/associations/a%2Fb%20c')?.pathParameters).toEqual({ id: 'a/b c' });
    expect(route('GET', '/x/y%20z')?.pathParameters).toEqual({ proxy: 'x/y z' });
    expect(route('GET', '/associations')?.pathParameters).toBeUndefined();
  });

  it('refuses a parameter with a malformed encoding', () => {
    expect(() => route('GET', '/associations/%zz')).toThrow(MalformedPathError);
  });
});

describe('a gateway response', () => {
  it('replaces variables by their plain text, and one without a value by nothing', () => {
    const template =
      '{"id":"$context.requestId","actual":"$context.authorizer.actual","x":"$context.nothing"}';
    expect(substitute(template, { requestId: 'r-1', 'authorizer.actual': 'downstreamEntity' })).toBe(
      '{"id":"r-1","actual":"downstreamEntity","x":""}',
    );
  });

  const responses = {
    ACCESS_DENIED: {
      statusCode: '403',
      responseParameters: {
        'gatewayresponse.header.x-request-id': 'context.requestId',
        'gatewayresponse.header.retry-after': "'1'",
      },
      responseTemplates: { 'application/json': '{"errorType":"$context.authorizer.errorType"}' },
    },
    DEFAULT_5XX: { responseTemplates: { 'application/json': '{"type":"$context.error.responseType"}' } },
  };

  it('has headers from the context and from literals', () => {
    const context = { requestId: 'local-1', 'authorizer.errorType': 'forbidden' };
    expect(renderFault('ACCESS_DENIED', responses, context)).toEqual({
      status: 403,
      headers: { 'content-type': 'application/json', 'x-request-id': 'local-1', 'retry-after': '1' },
      body: '{"errorType":"forbidden"}',
    });
  });

  it('falls back to the default of its class, and then to that of API Gateway', () => {
    expect(renderFault('INTEGRATION_TIMEOUT', responses, {})).toMatchObject({
      status: 504,
      body: '{"type":"INTEGRATION_TIMEOUT"}',
    });
    expect(renderFault('MISSING_AUTHENTICATION_TOKEN', responses, {})).toMatchObject({
      status: 403,
      body: '{"message":"Missing Authentication Token"}',
    });
  });
});

describe('invoke permissions', () => {
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
    ])('%s', (_, called, permitted) => {
      expect(() => start(called, permitted)).not.toThrow();
      expect(() => start(called, permitted, route)).not.toThrow();
    });
  });

  describe('a permission admits no calls, and the run does not start,', () => {
    it.each([
      [
        'of the alias, if it is for the function',
        arn('policies:live'),
        { 'Fn::GetAtt': ['Function', 'Arn'] },
      ],
      ['of the function, if it is for the alias', arn('policies'), { Ref: 'Alias' }],
      ['of another function', arn('carriers:live'), { Ref: 'Alias' }],
    ])('%s', (_, called, permitted) => {
      expect(() => start(called, permitted)).toThrow(
        `API Gateway may not invoke ${called} for GET/policies/*`,
      );
    });

    it('for another route', () => {
      const other = route.replace('policies', 'carriers');
      expect(() => start(arn('policies:live'), { Ref: 'Alias' }, other)).toThrow('no permission matches');
    });
  });
});
