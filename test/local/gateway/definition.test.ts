import { readGatewayDefinition } from '../../../infra/local/gateway/definition.ts';

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

describe("the API's definition", () => {
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

  it('leaves a route without security public', () => {
    const { resources } = readGatewayDefinition(
      definition({ 'x-amazon-apigateway-integration': integration }),
    );
    expect(resources[0]?.methods.get('GET')?.authorizerArn).toBeUndefined();
  });

  it.each([
    [
      'a buffered integration',
      { 'x-amazon-apigateway-integration': { ...integration, responseTransferMode: 'BUFFERED' } },
      {},
    ],
    [
      'an integration that may take longer than 15 minutes',
      { 'x-amazon-apigateway-integration': { ...integration, timeoutInMillis: 900_001 } },
      {},
    ],
    [
      'a validator',
      { 'x-amazon-apigateway-request-validator': 'all', 'x-amazon-apigateway-integration': integration },
      {},
    ],
    [
      'an extension it does not know',
      { 'x-amazon-apigateway-integration': integration },
      { 'x-amazon-apigateway-policy': {} },
    ],
    [
      'a response type that does not exist',
      { 'x-amazon-apigateway-integration': integration },
      { 'x-amazon-apigateway-gateway-responses': { ACCES_DENIED: {} } },
    ],
    [
      "a header of a response from the authorizer's context",
      { 'x-amazon-apigateway-integration': integration },
      {
        'x-amazon-apigateway-gateway-responses': {
          ACCESS_DENIED: {
            responseParameters: { 'gatewayresponse.header.x-request-id': 'context.authorizer.requestId' },
          },
        },
      },
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
