import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'openid-client';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  newOrganization,
  newOrganizations,
  type Organization,
  officeAddress,
  rotateSigningSecret,
  secretsClient,
  signingSecretId,
} from '../support/local-api.ts';

let carrier: Organization;
let agency: Organization;

beforeAll(async () => {
  [carrier, agency] = await newOrganizations('upstreamEntity', 'downstreamEntity');
});

/** Every test exchanges from an address of its own, so that none uses up another's allowance. */
let lastAddress = 0;
const freshAddress = (): string => {
  lastAddress += 1;
  return `198.18.0.${lastAddress}`;
};

const exchangeAt = (path: string, clientId: string, clientSecret: string) =>
  call('POST', path, { body: { clientId, clientSecret }, from: freshAddress() });

const policies = '/v2/upstream/policies';
const office = { 'x-local-source-ip': officeAddress };

describe('exchanging client credentials', () => {
  it('answers 201 with a token that is valid for an hour, on v1 and v2', async () => {
    for (const [path, more] of [
      ['/v1/auth/jwt', {}],
      ['/v2/auth/jwt', { expiresIn: 3_600 }],
    ] as const) {
      const { status, json } = await exchangeAt(path, carrier.clientId, carrier.clientSecret);
      expect(status).toBe(201);
      expect(json).toEqual({
        statusCode: 201,
        data: { accessToken: expect.any(String), ...more },
        requestId: expect.stringMatching(/^local-/),
        timestamp: expect.any(String),
      });
      const { exp = 0, iat = 0 } = decodeJwt((json['data'] as { accessToken: string }).accessToken);
      expect(exp - iat).toBe(3_600);
    }
  });

  it('answers a wrong secret and an unknown client alike', async () => {
    const wrong = await exchangeAt('/v2/auth/jwt', carrier.clientId, 'secret_wrong');
    const unknown = await exchangeAt('/v2/auth/jwt', 'client_unknown', carrier.clientSecret);
    for (const { status, json } of [wrong, unknown]) {
      expect(status).toBe(401);
      expect(json).toEqual(errorShape(401, 'unauthorized'));
    }
    expect(wrong.json['errorMessage']).toEqual(unknown.json['errorMessage']);
  });

  it('directs a downstream client from v1 to v2 if its secret is right', async () => {
    const { status, json } = await exchangeAt('/v1/auth/jwt', agency.clientId, agency.clientSecret);
    expect(status).toBe(403);
    expect(json).toEqual(
      errorShape(403, 'invalid_organization_category', {
        errorMessage: [expect.stringContaining('/v2/auth/jwt')],
        details: { expected: 'upstreamEntity', actual: 'downstreamEntity' },
      }),
    );
    expect((await exchangeAt('/v1/auth/jwt', agency.clientId, 'secret_wrong')).status).toBe(401);
    expect((await exchangeAt('/v2/auth/jwt', agency.clientId, agency.clientSecret)).status).toBe(201);
  });

  it('allows ten a minute per client and address, and says how many are left', async () => {
    const from = freshAddress();
    const body = { clientId: carrier.clientId, clientSecret: 'secret_wrong' };
    const answers = [];
    for (let i = 0; i < 11; i += 1) answers.push(await call('POST', '/v2/auth/jwt', { body, from }));
    // A window may end between two of them.
    const first = Number(answers[0]?.headers.get('x-ratelimit-reset'));
    const inWindow = answers.filter(({ headers }) => Number(headers.get('x-ratelimit-reset')) === first);
    expect(inWindow.map(({ headers }) => headers.get('x-ratelimit-remaining')).slice(0, 10)).toEqual(
      ['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'].slice(0, inWindow.length),
    );
    const last = answers[10];
    if (inWindow.length === 11) {
      expect(last?.status).toBe(429);
      expect(last?.json).toEqual(errorShape(429, 'rate_limit_exceeded'));
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await exchangeAt('/v2/auth/jwt', carrier.clientId, carrier.clientSecret)).status).toBe(201);
  });
});

describe('the token endpoint of RFC 6749', () => {
  const request = (parameters: object, { from = freshAddress(), ...headers }: Record<string, string> = {}) =>
    call('POST', '/v2/oauth/token', {
      rawBody: String(new URLSearchParams({ grant_type: 'client_credentials', ...parameters })),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      from,
    });
  const formOf = ({ clientId, clientSecret }: Pick<Organization, 'clientId' | 'clientSecret'>) => ({
    client_id: clientId,
    client_secret: clientSecret,
  });
  const basicOf = ({ clientId, clientSecret }: Organization) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  });

  it('answers organizations of both kinds, whose credentials are in the form or HTTP Basic', async () => {
    for (const { status, json, headers } of [
      await request({ ...formOf(agency), scope: 'everything' }),
      await request({}, basicOf(carrier)),
    ]) {
      expect({ status, json }).toEqual({
        status: 200,
        json: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 },
      });
      expect(headers.get('cache-control')).toBe('no-store');
      const bearer = { authorization: `Bearer ${json['access_token']}` };
      expect((await call('GET', '/v2/auth/test-oauth', { headers: bearer })).status).toBe(200);
    }
  });

  it('answers a wrong secret, an unknown client, and none at all with the same 401, whose challenge is renamed', async () => {
    const wrong = { ...carrier, clientSecret: 'secret_wrong' };
    const answers = [
      await request(formOf(wrong)),
      await request({}, basicOf(wrong)),
      await request(formOf({ ...carrier, clientId: 'client_unknown' })),
      await request({}),
    ];
    for (const { status, json, headers } of answers) {
      expect(status).toBe(401);
      expect(json).toEqual({
        error: 'invalid_client',
        error_description: 'The client id or secret is not valid.',
      });
      expect(headers.get('x-amzn-remapped-www-authenticate')).toMatch(/^Basic realm="/);
    }
  });

  it('connects a client of openid-client, which calls an operation with its token', async () => {
    const baseUrl = String(process.env['TEST_BASE_URL']);
    const from = freshAddress();
    const connect = (clientSecret: string, authentication: oauth.ClientAuth) => {
      const server = { issuer: baseUrl, token_endpoint: `${baseUrl}/v2/oauth/token` };
      const config = new oauth.Configuration(server, carrier.clientId, clientSecret, authentication);
      oauth.allowInsecureRequests(config);
      config[oauth.customFetch] = (url, { headers, ...options }) =>
        fetch(url, { ...options, headers: { ...headers, 'x-local-source-ip': from } } as RequestInit);
      return config;
    };
    for (const authentication of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      const config = connect(carrier.clientSecret, authentication(carrier.clientSecret));
      const tokens = await oauth.clientCredentialsGrant(config);
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600 });
      const url = new URL(`${baseUrl}${policies}`);
      const listed = await oauth.fetchProtectedResource(config, tokens.access_token, url, 'GET');
      expect(await listed.json()).toMatchObject({ statusCode: 200, data: [] });

      const refused = oauth.clientCredentialsGrant(connect('wrong', authentication('secret_wrong')));
      await expect(refused).rejects.toMatchObject({ status: 401, error: 'invalid_client' });
    }
  });
});

it('tokens from before a rotation of the secret and from right after it are valid: the former version signs both', async () => {
  const before = await newOrganization('upstreamEntity');
  await rotateSigningSecret();
  const after = await newOrganization('upstreamEntity');
  const former = await secretsClient().send(
    new GetSecretValueCommand({ SecretId: signingSecretId, VersionStage: 'AWSPREVIOUS' }),
  );
  for (const { bearer } of [before, after]) {
    const { kid } = decodeProtectedHeader(bearer['authorization']?.slice('Bearer '.length) ?? '');
    expect(kid).toBe(former.VersionId);
    expect((await call('GET', policies, { headers: bearer })).status).toBe(200);
  }
});

describe('a restricted access token', () => {
  it('works from its address', async () => {
    expect((await call('GET', policies, { headers: { ...carrier.token, ...office } })).status).toBe(200);
  });

  it('is refused from another address, which is named', async () => {
    const { status, json } = await call('GET', policies, { headers: carrier.token, from: '203.0.113.1' });
    expect(status).toBe(403);
    expect(json).toEqual(
      errorShape(403, 'forbidden', {
        details: { expected: 'an allowlisted address', actual: '203.0.113.1' },
      }),
    );
  });

  it('matches exact addresses only, IPv6 as requests spell it', async () => {
    const create = (ipAddress: string) =>
      adminAnswer('create-restricted-access-token', {
        organizationId: carrier.organizationId,
        name: 'Spelling',
        ipAddresses: [ipAddress],
      });
    const noAddress = 'must be an IPv4 or IPv6 address';
    for (const [refused, message] of [
      ['192.0.2.0/24', noAddress],
      ['192.0.2.*', noAddress],
      ['localhost', noAddress],
      ['2001:DB8::1', 'must be written 2001:db8::1'],
      ['2001:db8:0:0::1', 'must be written 2001:db8::1'],
      ['::ffff:127.0.0.1', 'must be written 127.0.0.1'],
      ['::ffff:7f00:1', 'must be written 127.0.0.1'],
    ] as const) {
      expect(await create(refused)).toMatchObject({
        ok: false,
        error: { errorType: 'validation_error', details: { issues: [{ path: 'ipAddresses[0]', message }] } },
      });
    }
    expect(await create('2001:db8::1')).toMatchObject({ ok: true });
  });
});

describe('both credentials', () => {
  const good = () => ({ ...carrier.bearer, ...carrier.token, ...office });
  const badBearer = { authorization: 'Bearer bad' };
  const badToken = { 'x-restricted-access-token': 'rat_bad' };

  it('are checked separately by the routes that test one of them', async () => {
    const oauth = '/v2/auth/test-oauth';
    const restricted = '/v2/auth/test-restricted-access-token';
    const onlyBearer = { ...good(), ...badToken };
    const onlyToken = { ...good(), ...badBearer };
    expect((await call('GET', oauth, { headers: onlyBearer })).status).toBe(200);
    expect((await call('GET', oauth, { headers: onlyToken })).status).toBe(401);
    expect((await call('GET', restricted, { headers: onlyBearer })).status).toBe(401);
    expect((await call('GET', restricted, { headers: onlyToken })).status).toBe(200);
  });
});

describe('testing a credential', () => {
  it.each(['upstreamEntity', 'downstreamEntity', 'enterpriseUpstreamEntity', 'enterpriseDownstreamEntity'])(
    'names the category %s',
    async (category) => {
      const { bearer, token } = await newOrganization(category);
      const { status, json } = await call('GET', '/v2/auth/test-oauth', { headers: bearer });
      expect(status).toBe(200);
      expect(json).toMatchObject({ data: { message: expect.any(String), orgCategory: category } });
      const restricted = await call('GET', '/v2/auth/test-restricted-access-token', {
        headers: { ...token, ...office },
      });
      expect(restricted.status).toBe(200);
      expect(restricted.json['data']).toEqual({ message: expect.any(String) });
    },
  );

  it('answers only a message on v1', async () => {
    const { json } = await call('GET', '/v1/auth/test-oauth', { headers: carrier.bearer });
    expect(json['data']).toEqual({ message: expect.any(String) });
  });
});

it('the heartbeat needs no credential', async () => {
  const { status, json } = await call('GET', '/v2/heartbeat');
  expect(status).toBe(200);
  expect(json).toMatchObject({ statusCode: 200, data: { status: 'ok' } });
});

it('the OpenAPI document needs no credential and has no envelope', async () => {
  const { status, json, headers } = await call('GET', '/v2/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(json).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: process.env['TEST_BASE_URL'] }],
    paths: { '/v2/heartbeat': {} },
  });
});

describe('operators', () => {
  it('revoke a credential, or learn that there is none', async () => {
    const { organizationId, clientId, clientSecret, tokenId } = await newOrganization('upstreamEntity');
    const whose = { revoked: true, organizationId, name: 'Test' };
    expect(await admin('revoke-credential', { clientId })).toEqual({ ...whose, clientId });
    expect(await admin('revoke-credential', { tokenId })).toEqual({ ...whose, tokenId });
    expect((await exchangeAt('/v2/auth/jwt', clientId, clientSecret)).status).toBe(401);
    for (const unknown of [
      { clientId: 'client_none' },
      { tokenId: 'ffffffffffffffffffffffff' },
      { token: 'rat_none' },
    ]) {
      expect(await adminAnswer('revoke-credential', unknown)).toMatchObject({
        ok: false,
        error: { errorType: 'not_found' },
      });
    }
    expect(await adminAnswer('revoke-credential', {})).toMatchObject({
      ok: false,
      error: { errorType: 'validation_error' },
    });
  });

  it('revoke a token of which they have what leaked, and learn whose it was', async () => {
    const { organizationId, restrictedToken, tokenId, token } = await newOrganization('upstreamEntity');
    expect(await admin('revoke-credential', { token: restrictedToken })).toMatchObject({
      organizationId,
      tokenId,
    });
    expect((await call('GET', policies, { headers: { ...token, ...office } })).status).toBe(401);
  });

  it('find an organization by its name, and its credentials', async () => {
    const { organizationId = '' } = await admin('create-organization', {
      name: 'Prairie Mutual',
      category: 'upstreamEntity',
    });
    const { clientId = '' } = await admin('create-api-client', { organizationId, name: 'nightly job' });
    expect(await admin('find-organization', { name: 'prairie' })).toEqual({
      organizations: expect.arrayContaining([
        {
          organizationId,
          name: 'Prairie Mutual',
          category: 'upstreamEntity',
          features: expect.arrayContaining(['public_api', 'compliance']),
          subscription: 'active',
        },
      ]),
    });
    expect(await admin('list-credentials', { organizationId })).toEqual({
      credentials: [
        {
          kind: 'API client',
          clientId,
          name: 'nightly job',
          createdAt: expect.any(String),
        },
      ],
    });
  });

  it('change what an organization may use', async () => {
    const { organizationId } = await newOrganization('upstreamEntity');
    const changed = await admin('update-organization', {
      organizationId,
      subscription: 'inactive',
      planCeiling: 7,
    });
    expect(changed).toMatchObject({
      organizationId,
      subscription: 'inactive',
      planCeiling: 7,
      category: 'upstreamEntity',
    });
  });

  it.each([
    ['an unknown command', 'create-boat', {}, 'command'],
    ['an unknown category', 'create-organization', { name: 'x', category: 'boat' }, 'category'],
    [
      'an unknown member',
      'create-api-client',
      { organizationId: 'ffffffffffffffffffffffff', name: 'x', boat: 1 },
      'boat',
    ],
  ])('are refused %s, which is named', async (_, command, input, path) => {
    expect(await adminAnswer(command, input)).toMatchObject({
      ok: false,
      error: { errorType: 'validation_error', details: { issues: [{ path }] } },
    });
  });
});
