import type { APIGatewayProxyEvent } from 'aws-lambda';
import { baseUrlOf } from '../../../../../shared/platform/request/base-url.ts';

/** An event's members as API Gateway documents them, for a request to a route. */
const asked = (domainName: string, path: string, resource = '/v2/openapi.json') =>
  ({ resource, requestContext: { domainName, path } }) as unknown as APIGatewayProxyEvent;
const overTls = { 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' };

it.each([
  ['a stage', 'abc123.execute-api.us-east-1.amazonaws.com', '/prod', overTls],
  ['a custom domain', 'api.carrier-compliance.com', '', overTls],
  ['a base path of a custom domain', 'api.carrier-compliance.com', '/compliance', overTls],
  ['a gateway that says nothing of the connection', 'api.carrier-compliance.com', '', {}],
])('is the address of %s', (_, domainName, prefix, headers) => {
  const expected = `https://${domainName}${prefix}`;
  expect(baseUrlOf(asked(domainName, `${prefix}/v2/openapi.json`), headers)).toBe(expected);
  const id = '65f0c1d2e3a4b5c6d7e8f901';
  const one = asked(domainName, `${prefix}/v2/upstream/policies/${id}`, '/v2/upstream/policies/{policyId}');
  expect(baseUrlOf(one, headers)).toBe(expected);
});

it('has the port of the local run', () => {
  const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-port': '3000' };
  expect(baseUrlOf(asked('127.0.0.1', '/v2/openapi.json'), headers)).toBe('http://127.0.0.1:3000');
});

it('is always an HTTP or HTTPS URL', () => {
  const headers = { 'x-forwarded-proto': 'javascript', 'x-forwarded-port': '443' };
  expect(baseUrlOf(asked('a.example', '/v2/openapi.json'), headers)).toBe('https://a.example');
});
