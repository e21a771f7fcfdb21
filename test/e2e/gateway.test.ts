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
  // Removed routes.
  ['POST', '/v2/upstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/policy-document'],
  ['POST', '/v2/upstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/checklist-item/attachments'],
])('%s %s is answered 404 in the error shape, with a credential and without', async (method, path) => {
  for (const headers of [{}, carrier.bearer]) {
    const { status, json, headers: answered } = await call(method, path, { headers });
    expect(status).toBe(404);
    expect(json).toEqual(errorShape(404, 'not_found'));
    expect(answered.get('x-request-id')).toBe(json['requestId']);
  }
});

it('sends the requestId of the body as x-request-id, also on success', async () => {
  const { json, headers } = await call('GET', '/v2/heartbeat');
  expect(headers.get('x-request-id')).toBe(json['requestId']);
});

it('answers a body above the gateway’s limit with 413 in API Gateway’s own format', async () => {
  const { status, text } = await call('POST', '/v2/auth/jwt', { rawBody: `"${'x'.repeat(10 * 2 ** 20)}"` });
  expect(status).toBe(413);
  expect(text).toMatch(/^HTTP content length exceeded/);
});

it('answers a body that Lambda would refuse with 413 in the error shape', async () => {
  const { status, json } = await call('POST', '/v2/auth/jwt', { rawBody: `"${'x'.repeat(7 * 2 ** 20)}"` });
  expect(status).toBe(413);
  expect(json).toMatchObject({
    statusCode: 413,
    errorType: 'validation_error',
    requestId: expect.stringMatching(/^local-/),
  });
});

it('reads credential headers in any case', async () => {
  const [, token = ''] = carrier.bearer['authorization']?.split(' ') ?? [];
  for (const headers of [{ AUTHORIZATION: `bearer ${token}` }, { Authorization: `BEARER   ${token}` }]) {
    expect((await call('GET', '/v2/auth/test-oauth', { headers })).status).toBe(200);
  }
});
