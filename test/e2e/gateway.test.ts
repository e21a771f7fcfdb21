import { randomUUID } from 'node:crypto';
import { request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { commonHeaders } from '../../shared/platform/contract/common-headers.ts';
import { call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';

let carrier: Organization;

beforeAll(async () => {
  carrier = await newOrganization('upstreamEntity');
});

it.each([
  ['GET', '/'],
  ['GET', '/v2/upstream/boats'],
  ['GET', '/v3/upstream/policies'],
  ['DELETE', '/v2/upstream/policies'],
  ['POST', '/v2/upstream/policies/65f0c1d2e3a4b5c6d7e8f901'],
  ['GET', '/v2/auth/jwt'],
  ['PATCH', '/v2/heartbeat'],
  ['GET', '/v2/heartbeat/x'],
  ['GET', '/v2//upstream/policies'],
  ['GET', '/v2/upstream//policies'],
  // Removed routes.
  ['POST', '/v2/upstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/policy-document'],
  ['POST', '/v2/upstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/checklist-item/attachments'],
])('%s %s is answered 404 in the error shape, with a credential and without', async (method, path) => {
  for (const headers of [{}, carrier.bearer]) {
    const { status, json, headers: answered } = await call(method, path, { headers });
    expect(status).toBe(404);
    expect(json).toEqual(errorShape(404, 'not_found'));
    expect(answered.get('x-request-id')).toBe(json['requestId']);
    expect(Object.fromEntries(answered)).toMatchObject(commonHeaders);
  }
});

it('sends the requestId of the body as x-request-id, also on success', async () => {
  const { json, headers } = await call('GET', '/v2/heartbeat');
  expect(headers.get('x-request-id')).toBe(json['requestId']);
});

it.each(['/v2/heartbeat/', '/v2/heartbeat//', '//v2/heartbeat'])(
  '%s is the path without more slashes',
  async (path) => {
    expect((await call('GET', path)).status).toBe(200);
  },
);

it('answers a request line with headers above 10,240 bytes with 431, in words of API Gateway’s', async () => {
  const long = await call('GET', `/v2/upstream/policies?policyNumber=${'x'.repeat(20_000)}`);
  expect(long).toMatchObject({ status: 431, text: 'HTTP header is larger than 10240 bytes.' });
  const many = await call('GET', '/v2/heartbeat', { headers: { cookie: 'x'.repeat(10_240) } });
  expect(many.status).toBe(431);
  expect((await call('GET', `/v2/heartbeat?x=${'x'.repeat(9_000)}`)).status).toBe(400);
});

it('answers a body above the gateway’s limit with 413 in API Gateway’s own format', async () => {
  const { status, text } = await call('POST', '/v2/auth/jwt', { rawBody: `"${'x'.repeat(10 * 2 ** 20)}"` });
  expect(status).toBe(413);
  expect(text).toMatch(/^HTTP content length exceeded/);
});

it('answers a body that Lambda would refuse with 413 in the error shape', async () => {
  const { status, json, headers } = await call('POST', '/v2/auth/jwt', {
    rawBody: `"${'x'.repeat(7 * 2 ** 20)}"`,
  });
  expect(status).toBe(413);
  expect(json).toMatchObject({
    statusCode: 413,
    errorType: 'validation_error',
    requestId: expect.stringMatching(/^local-/),
  });
  expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
});

it.each(['/webhooks', '/v2/openapi.json'])('%s has the headers of every response', async (path) => {
  const { status, headers } = await call('GET', path);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
});

it('reads credential headers in any case', async () => {
  const [, token = ''] = carrier.bearer['authorization']?.split(' ') ?? [];
  for (const headers of [{ AUTHORIZATION: `bearer ${token}` }, { Authorization: `BEARER   ${token}` }]) {
    expect((await call('GET', '/v2/auth/test-oauth', { headers })).status).toBe(200);
  }
});

/** Sends what `fetch` would not: a header twice, and bytes. */
const post = (path: string, headers: Record<string, string | string[]>, body: string | Uint8Array) =>
  new Promise<{ status: number | undefined; json: unknown }>((resolve, reject) => {
    const url = `${process.env['TEST_BASE_URL']}${path}`;
    const sent = sendRequest(url, {
      method: 'POST',
      headers: { ...carrier.bearer, 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (response) => {
      text(response).then(
        (answered) => resolve({ status: response.statusCode, json: JSON.parse(answered) }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('a request that the gateway passes on, although it', () => {
  const webhook = JSON.stringify({ url: 'https://example.com/events', types: ['AGENT_CREATED'] });

  it.each(['idempotency-key', 'X-Idempotency-Key'])(
    'has two different keys in %s, gets 400',
    async (name) => {
      const { status, json } = await post(
        '/v2/upstream/webhooks',
        { [name]: [randomUUID(), randomUUID()] },
        webhook,
      );
      expect({ status, json }).toMatchObject({
        status: 400,
        json: { details: { issues: [{ path: name.toLowerCase() }] } },
      });
    },
  );

  it('is compressed, gets 400', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { status, json } = await post('/v2/upstream/webhooks', headers, gzipSync(webhook));
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'content-encoding' }] } },
    });
  });
});
