import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { commonHeaders } from '#platform/contract/responses.ts';
import { pathParameters, takesIdempotencyKey } from '#platform/contract/route.ts';
import { createAnswerObjects } from '#platform/request/answer-objects.ts';
import { createIdempotency } from '#platform/request/idempotency.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { clientSettings } from '../../infra/local/aws/service.ts';
import { isObject } from '../../infra/text.ts';
import { lambdaContext } from '../support/api-event.ts';
import { bodyFor } from '../support/demo.ts';
import {
  callerOf,
  credentialFor,
  fill,
  routesWithCredential,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { call, errorShape, filesBucket, newOrganization, type Organization } from '../support/local-api.ts';
import { document, resolved } from '../support/openapi.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

describe('a request that the gateway passes on, although it', () => {
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
    ['POST', '/v2/downstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/policy-document'],
    ['POST', '/v2/downstream/surplus-lines-filings/65f0c1d2e3a4b5c6d7e8f901/checklist-item/attachments'],
  ])('%s %s is answered 404 in the error shape, with a credential and without', async (method, path) => {
    for (const headers of [{}, carrier.bearer]) {
      const { status, json, headers: answered } = await call(method, path, { headers });
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
      expect(answered.get('x-request-id')).toBe(json['requestId']);
      expect(Object.fromEntries(answered)).toMatchObject(commonHeaders);
    }
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

  it('a document has the headers of every response', async () => {
    const { status, headers } = await call('GET', '/v2/openapi.json');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
  });

  it('reads credential headers in any case', async () => {
    const [, token = ''] = carrier.bearer['authorization']?.split(' ') ?? [];
    for (const headers of [{ AUTHORIZATION: `bearer ${token}` }, { Authorization: `BEARER   ${token}` }]) {
      expect((await call('GET', '/v2/auth/test-oauth', { headers })).status).toBe(200);
    }
  });
});

describe('large responses', () => {
  const functionKeys = JSON.parse(process.env['TEST_FUNCTION_KEYS'] ?? '{}') as Record<string, string>;

  const groups = routeGroups
    .filter(({ routes }) => Object.values(routes).some(takesIdempotencyKey))
    .map(({ name }) => name);

  it.each(groups)('%s may remember an answer that does not fit an item, and replay it', async (group) => {
    const access = {
      endpoint: String(process.env['TEST_AWS_ENDPOINT']),
      accessKeyId: String(functionKeys[group]),
    };
    const table = await physicalName(runDatabase(), 'idempotency');
    const settings = clientSettings(access);
    const objects = createAnswerObjects(
      new S3Client({ ...settings, forcePathStyle: true }),
      await filesBucket(),
    );
    const { once } = createIdempotency(new DynamoDBClient(settings), table, objects);
    const body = randomBytes(500_000).toString('hex');
    const request = { key: randomUUID(), scope: [group], body: {} };
    const write = { operate: async () => ({}), respond: () => ({ status: 200, body }) };
    expect(await once(request, lambdaContext, write)).toEqual({ status: 200, body, isReplayed: false });
    expect(await once(request, lambdaContext, write)).toEqual({ status: 200, body, isReplayed: true });
  });
});

const isId = (schema: unknown): boolean =>
  isObject(schema) && (schema['$ref'] === '#/components/schemas/ObjectId' || isId(schema['items']));

/** The members of a route's body and query that are ids, which it looks up. */
const rows = routesWithCredential
  .filter(([, { path }]) => pathParameters(path).length === 0)
  .flatMap(([title, route]) => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    const given = operation?.requestBody?.content['application/json']?.schema;
    const schema = given?.$ref === undefined ? given : resolved(document, given.$ref);
    const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
    const named = Object.entries(properties).flatMap(([name, property]) => (isId(property) ? [name] : []));
    return named.map((name) => ({ title, route, name }));
  });

describe('an id in a body', () => {
  const { current } = strangers(1);

  it.each(rows)('$title: 404 names $name', async ({ route, name }) => {
    const { body, ...asked } = bodyFor(route);
    const others = Object.fromEntries(
      Object.entries(isObject(body) ? body : {}).filter(([key]) => !rows.some((row) => row.name === key)),
    );
    const caller = callerOf(route, current());
    const { status, json } = await call(route.method, route.path, {
      ...asked,
      headers: credentialFor(route, caller),
      body: { ...others, isPrimary: undefined, [name]: unknownId },
    });
    expect({ status, json }).toMatchObject({
      status: 404,
      json: errorShape(404, 'not_found', {
        errorMessage: [expect.stringContaining(`${name}: `)],
        details: { issues: [{ path: name, message: expect.any(String) }] },
      }),
    });
  });

  it('there are some to be named', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBeGreaterThan(4);
  });
});

describe('a filter', () => {
  const { current } = strangers(1);
  const filtered = routesWithCredential.filter(
    ([, { method, query }]) => method === 'GET' && query?.shape['downstreamEntityId'] !== undefined,
  );

  it.each(filtered)('%s: 404 names downstreamEntityId', async (_, route) => {
    const path = `${fill(route.path, () => unknownId)}?downstreamEntityId=${unknownId}`;
    const { status, json } = await call(route.method, path, {
      headers: credentialFor(route, callerOf(route, current())),
    });
    expect({ status, json }).toMatchObject({
      status: 404,
      json: { details: { issues: [{ path: 'downstreamEntityId' }] } },
    });
  });
});
