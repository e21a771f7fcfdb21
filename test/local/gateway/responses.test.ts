import { renderFault, substitute } from '../../../infra/local/gateway/responses.ts';

describe('a gateway response', () => {
  it('replaces variables by their plain text, and one without a value by nothing', () => {
    const template =
      '{"id":"$context.requestId","actual":"$context.authorizer.actual","x":"$context.nothing"}';
    expect(substitute(template, { requestId: 'r-1', 'authorizer.actual': 'downstreamEntity' })).toBe(
      '{"id":"r-1","actual":"downstreamEntity","x":""}',
    );
  });

  it('does not escape a quote in a value, as API Gateway does not', () => {
    expect(substitute('{"a":"$context.authorizer.a"}', { 'authorizer.a': 'x","b":"y' })).toBe(
      '{"a":"x","b":"y"}',
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
