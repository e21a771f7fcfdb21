import * as z from 'zod/mini';
import { routeGroup } from '#platform/contract/route.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { apiEvent, carrier, type EventOptions, lambdaContext } from '../../../../support/api-event.ts';
import { testContext } from '../../../../support/context.ts';

const thing = z.object({ name: z.string() });

const { routes, ...group } = routeGroup('things', {
  createThing: {
    method: 'POST',
    path: '/v2/upstream/things',
    access: { kind: 'upstream', feature: null },
    body: z.strictObject({
      name: z.string(),
      parts: z.optional(z.array(z.strictObject({ code: z.string() }))),
    }),
    answer: { status: 201, one: thing },
  },
  changeThing: {
    method: 'PATCH',
    path: '/v2/upstream/things/{thingId}',
    access: { kind: 'upstream', feature: null },
    body: z.strictObject({ name: z.string() }),
    answer: { status: 200, one: thing },
  },
  listThings: {
    method: 'GET',
    path: '/v2/upstream/things',
    access: { kind: 'upstream', feature: null },
    query: z.object({ color: z.optional(z.string()), size: z.optional(z.string()) }),
    answer: { status: 200, all: thing },
  },
  exchange: {
    method: 'POST',
    path: '/v2/auth/jwt',
    access: 'public',
    rate: 'token',
    countedBy: 'clientId',
    largestBody: 4_096,
    body: z.strictObject({ clientId: z.string() }),
    answer: { status: 201, one: thing },
  },
  requestToken: {
    method: 'POST',
    path: '/v2/oauth/token',
    access: 'public',
    standard: 'RFC 6749',
    rate: 'token',
    countedBy: 'client_id',
    largestBody: 4_096,
    body: z.object({
      grant_type: z.literal('client_credentials'),
      client_id: z.optional(z.string()),
      client_secret: z.optional(z.string()),
    }),
    answer: { status: 200, bare: z.object({ access_token: z.string() }) },
  },
});

/** Sends one request; what was counted, and under which scopes keys were looked up, is in the answer. */
async function call(
  route: (typeof routes)[keyof typeof routes],
  options: EventOptions & { encoded?: Buffer; path?: string },
) {
  const counted: [string, string][] = [];
  const scopes: (readonly string[])[] = [];
  const admitted = new Set<string>(
    options.sourceIp === 'full' ? ['token', 'write'] : ['token', 'tokenAddress', 'write'],
  );
  const pipeline = createPipeline({
    ...testContext({ environment: 'test', now: () => new Date('2026-03-01T14:05:09.123Z') }),
    group: { ...group, routes },
    operations: {
      createThing: ({ body }) => body,
      changeThing: ({ body }) => body,
      listThings: async function* () {},
      exchange: () => ({ name: 'x' }),
      requestToken({ body: { client_id, client_secret } }) {
        if (client_secret === 'breaks') throw new Error('broken');
        return { access_token: `${client_id} ${client_secret}` };
      },
    },
    rateLimiter: {
      take: (rateClass, subject) => {
        counted.push([rateClass, subject]);
        const limit = rateClass === 'tokenAddress' ? 600 : 10;
        const isAdmitted = admitted.has(rateClass);
        return Promise.resolve({
          limit,
          remaining: isAdmitted ? limit - 1 : 0,
          reset: 1,
          isAdmitted,
        });
      },
    },
    idempotency: {
      async once({ scope }, _, { operate, respond }) {
        scopes.push(scope);
        return { ...respond(await operate(() => [])), isReplayed: false };
      },
    },
  });
  const event = apiEvent(route, { identity: carrier, ...options });
  const body = options.encoded && { body: options.encoded.toString('base64'), isBase64Encoded: true };
  const response = await pipeline({ ...event, ...body, path: options.path ?? event.path }, lambdaContext);
  const json = JSON.parse(typeof response.body === 'string' ? response.body : 'null') as {
    data?: unknown;
    errorMessage: string[];
    details: { issues: { path: string; message: string; accepted?: string[] }[] };
  };
  return { ...response, json, counted, scopes };
}

const { createThing, changeThing, listThings, exchange, requestToken } = routes;
const keys = (count: number, longest = 10) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'k'.repeat(longest)}${index}`, 1]));

describe('many faults', () => {
  it('are answered with the first 20 and the number of the others', async () => {
    const { status, body, json } = await call(createThing, { body: { name: 'x', ...keys(10_000) } });
    expect(status).toBe(400);
    expect(json.details.issues).toHaveLength(21);
    expect(json.details.issues.at(-1)).toEqual({ path: '', message: 'and 9980 more' });
    expect(String(body).length).toBeLessThan(10_000);
  });

  it('count together, whatever their kind', async () => {
    const parts = Array.from({ length: 30 }, () => ({ code: 7, other: 1 }));
    const { json } = await call(createThing, { body: { parts } });
    expect(json.details.issues.at(-1)?.message).toBe('and 41 more');
  });

  it('name no key at length', async () => {
    const { body } = await call(createThing, { body: { name: 'x', ['k'.repeat(200_000)]: 1 } });
    expect(String(body).length).toBeLessThan(1_000);
  });
});

describe('the log line of a refused request', () => {
  it('names the fields of the schema and counts the others', async () => {
    const { logFields } = await call(createThing, {
      body: { 'SSN 123-45-6789': 1, 'Bearer abc': 1, parts: [{ code: 'a' }, { 'secret key': 1 }] },
    });
    expect(logFields).toMatchObject({ issues: ['name', 'parts[].code'], otherIssues: 3 });
    expect(JSON.stringify(logFields)).not.toMatch(/SSN|Bearer|secret/);
  });

  it('does not hold a query key of the caller', async () => {
    const { logFields } = await call(listThings, { query: { 'Bearer abc': 'x' } });
    expect(logFields).toMatchObject({ issues: [], otherIssues: 1 });
  });
});

describe('a query', () => {
  it('with an unknown key is answered with the known ones', async () => {
    const { json } = await call(listThings, { query: { colour: 'red' } });
    expect(json.details.issues).toEqual([
      { path: 'colour', message: 'is not a parameter', accepted: ['color', 'size'] },
    ]);
  });

  it('with an empty key says which one is unknown', async () => {
    const { json } = await call(listThings, { query: { '': 'red' } });
    expect(json.errorMessage).toEqual(['"": is not a parameter']);
  });
});

describe('a token request', () => {
  it('above 4 KB is 413, and nothing of it is read', async () => {
    const { status, json, counted } = await call(exchange, { body: { clientId: 'one', ...keys(500) } });
    expect(status).toBe(413);
    expect(json).toMatchObject({
      errorType: 'validation_error',
      details: { expected: 'a body of at most 4096 bytes' },
    });
    expect(counted).toEqual([
      ['token', '#203.0.113.9'],
      ['tokenAddress', '203.0.113.9'],
    ]);
  });

  it('counts for its client and address, and for its address whatever the client', async () => {
    const { headers, counted } = await call(exchange, { body: { clientId: 'one' } });
    expect(counted).toEqual([
      ['token', 'one#203.0.113.9'],
      ['tokenAddress', '203.0.113.9'],
    ]);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
  });

  it.each(['\uD83C', 'a\u0000', 'x'.repeat(101), 7])(
    'with the clientId %j counts for its address alone',
    async (clientId) => {
      const { counted } = await call(exchange, { body: { clientId } });
      expect(counted[0]).toEqual(['token', '#203.0.113.9']);
    },
  );

  it('is 429 when its address has had too many, with a new client too', async () => {
    const { status, headers } = await call(exchange, { body: { clientId: 'new' }, sourceIp: 'full' });
    expect({ status, headers }).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '600' } });
  });
});

describe('a token request of RFC 6749', () => {
  const form = (rawBody: string, headers: Record<string, string> = {}) =>
    call(requestToken, {
      rawBody,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const grant = 'grant_type=client_credentials';
  const both = `${grant}&client_id=one&client_secret=a%2Bb`;

  it.each([
    ['the form', both, {}],
    ['HTTP Basic', grant, basic('one:a+b'.replace('+', '%2B'))],
    ['HTTP Basic, beside the same client in the form', `${grant}&client_id=one`, basic('%6fne:a%2Bb')],
    ['the form, beside parameters that are not known', `${both}&scope=x&y=`, {}],
    ['the form, beside another scheme', both, { authorization: 'Bearer x' }],
  ])('has its credentials in %s, and counts with the requests for JSON', async (_, body, headers) => {
    const { status, json, headers: answered, counted } = await form(body, headers);
    expect({ status, json }).toEqual({ status: 200, json: { access_token: 'one a+b' } });
    expect(answered).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(counted).toEqual((await call(exchange, { body: { clientId: 'one' } })).counted);
  });

  it('with credentials in two ways is told so', async () => {
    const { json } = await form(`${grant}&client_secret=x`, basic('one:x'));
    expect(json).toMatchObject({
      error_description:
        'authorization: must not be sent together with a client_secret or another client_id in the form',
    });
  });

  it.each([
    ['without a grant', 'client_id=one', {}, 'invalid_request'],
    ['with a grant twice', `${grant}&${grant}`, {}, 'invalid_request'],
    [
      'with Basic beside another client in the form',
      `${grant}&client_id=two`,
      basic('one:x'),
      'invalid_request',
    ],
    ['with Basic beside a secret in the form', `${grant}&client_secret=x`, basic('one:x'), 'invalid_request'],
    [
      'in JSON',
      '{"grant_type":"client_credentials"}',
      { 'Content-Type': 'application/json' },
      'invalid_request',
    ],
    ['for another grant', 'grant_type=password&client_id=one', {}, 'unsupported_grant_type'],
  ])('%s is 400', async (_, body, headers, error) => {
    const { status, json, headers: answered } = await form(body, headers);
    expect({ status, json }).toEqual({ status: 400, json: { error, error_description: expect.any(String) } });
    expect(answered).not.toHaveProperty('www-authenticate');
  });

  it.each(['', 'one', ':x', '%:x'])('with the Basic credentials %j is 401', async (text) => {
    const { status, json, headers } = await form(grant, basic(text));
    const described = { error_description: 'The HTTP Basic credentials cannot be read.' };
    expect({ status, json }).toMatchObject({
      status: 401,
      json: { error: 'invalid_client', ...described },
    });
    expect(headers).toMatchObject({ 'www-authenticate': 'Basic realm="insurance-compliance-api"' });
  });

  it('describes an error in ASCII without quotes, whatever its keys are', async () => {
    const { json } = await form(`${grant}&%22%5C%C3%BC%0A=1&%22%5C%C3%BC%0A=2`);
    expect(json).toMatchObject({ error_description: "'???: is given more than once" });
  });

  it('that fails on our side says nothing of it, and a 429 is in this API’s shape', async () => {
    const failed = await form(`${grant}&client_secret=breaks`);
    expect(failed).toMatchObject({ status: 500, json: { error: 'server_error' } });
    const refused = await call(requestToken, { rawBody: grant, sourceIp: 'full' });
    expect(refused).toMatchObject({ status: 429, json: { errorType: 'rate_limit_exceeded' } });
  });
});

describe('the scope of an idempotency key', () => {
  const headers = { 'idempotency-key': '3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e' };
  const scopeOf = async (...[route, options]: Parameters<typeof call>) =>
    (await call(route, { headers, ...options })).scopes;

  it('is the same whether or not the path ends with a slash', async () => {
    const body = { name: 'x' };
    expect(await scopeOf(createThing, { body, path: '/v2/upstream/things/' })).toEqual(
      await scopeOf(createThing, { body }),
    );
  });

  it('is the same for an id in either case, and another one for another id', async () => {
    const id = '65f0c1d2e3a4b5c6d7e8f901';
    const scope = (thingId: string) => scopeOf(changeThing, { body: { name: 'x' }, params: { thingId } });
    expect(await scope(id.toUpperCase())).toEqual(await scope(id));
    expect(await scope(id.replace('1', '2'))).not.toEqual(await scope(id));
  });
});

describe('a body', () => {
  it('above 256 KB is 413, however many keys it has', async () => {
    const { status, json } = await call(createThing, { body: { name: 'x', ...keys(400_000) } });
    expect(status).toBe(413);
    expect(json).toMatchObject({
      errorType: 'validation_error',
      details: { expected: 'a body of at most 262144 bytes' },
    });
  });

  it.each([
    ['{"name":"x","name":"x"}', 'name'],
    ['{"parts":[{"code":"a"},{"code":"a","code":"b"}]}', 'parts[1].code'],
    ['{"name":"x","":1,"":2}', '""'],
  ])('with a name that an object has twice, %s, is 400', async (rawBody, path) => {
    const { status, json } = await call(createThing, { rawBody });
    expect(status).toBe(400);
    expect(json.details.issues).toEqual([{ path, message: 'is given more than once' }]);
  });

  it('names no path at length', async () => {
    const depth = 20_000;
    const rawBody = `${'{"name":'.repeat(depth)}{"b":1,"b":1}${'}'.repeat(depth)}`;
    const { status, body } = await call(createThing, { rawBody });
    expect(status).toBe(400);
    expect(String(body).length).toBeLessThan(1_000);
  });

  it('of 256 KB is read', async () => {
    const name = 'x'.repeat(256 * 1_024 - JSON.stringify({ name: '' }).length);
    expect((await call(createThing, { body: { name } })).status).toBe(201);
    expect((await call(createThing, { body: { name: `${name}x` } })).status).toBe(413);
  });

  it('whose bytes are not UTF-8 is 400', async () => {
    const { status, json } = await call(createThing, {
      encoded: Buffer.from('{"name":"Müller"}', 'latin1'),
      headers: { 'content-type': 'application/json' },
    });
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { errorMessage: ['The body is not UTF-8.'] },
    });
  });

  it.each(['GZIP', 'identity, gzip'])('that is encoded as %s is 400', async (encoding) => {
    const headers = { 'Content-Encoding': encoding };
    const { status, json } = await call(createThing, { body: { name: 'x' }, headers });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      errorType: 'validation_error',
      details: { issues: [{ path: 'content-encoding', accepted: ['identity'] }] },
    });
  });

  it.each([
    [
      'that says that it is not encoded',
      { body: { name: 'x' }, headers: { 'content-encoding': 'Identity' } },
      201,
    ],
    ['that is not there has no encoding', { headers: { 'content-encoding': 'gzip' } }, 400],
  ])('%s', async (_, options, expected) => {
    const { status, json } = await call(createThing, options);
    expect(status).toBe(expected);
    expect(JSON.stringify(json)).not.toContain('content-encoding');
  });

  it.each(['iso-8859-1', '"utf-16"'])('that declares the charset %s is 400', async (charset) => {
    const headers = { 'Content-Type': `application/json; charset=${charset}` };
    const { status, json } = await call(createThing, { body: { name: 'x' }, headers });
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'content-type' }] } },
    });
  });
});
