import { randomUUID } from 'node:crypto';
import { challenge, commonHeaders } from '#platform/contract/responses.ts';
import {
  expectedCategory,
  type Feature,
  features,
  pathParameters,
  type Route,
  rateLimits,
  rateOf,
  takesIdempotencyKey,
} from '#platform/contract/route.ts';
import { bodyFor, readOnce, servedRequest } from '../support/demo.ts';
import {
  asksAll,
  badRequest,
  callerOf,
  credentialFor,
  fill,
  newPersonas,
  type Personas,
  routes,
  routesWithCredential,
  routesWithIds,
  someOf,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';
import { acceptedValues, parameters } from '../support/route-parameters.ts';

// Who may call a route, for every row of the route tables: a route that is added is covered without an edit here.

const ofOneKind = routesWithCredential.filter(
  ([, { access }]) => access !== 'public' && access.kind !== 'any',
);

describe('without a credential', () => {
  it.each(routesWithCredential)('%s answers 401', async (_, route) => {
    const { status, json, headers } = await call(
      route.method,
      fill(route.path, () => 'not-even-an-id'),
    );
    expect(status).toBe(401);
    expect(json).toEqual(errorShape(401, 'unauthorized'));
    expect(Object.fromEntries(headers)).toMatchObject({ ...commonHeaders, 'www-authenticate': challenge });
    // The gateway can't put the environment before it.
    expect(json['requestId']).toBe(`local-${headers.get('x-request-id')}`);
  });
});

describe('with a credential of another kind', () => {
  const others = [
    'upstreamEntity',
    'downstreamEntity',
    'enterpriseUpstreamEntity',
    'enterpriseDownstreamEntity',
  ] as const;
  const organizations = new Map<string, Organization>();

  beforeAll(async () => {
    await Promise.all(
      others.map(async (category) => organizations.set(category, await newOrganization(category))),
    );
  });

  it.each(ofOneKind)('%s answers 403 with both categories', async (_, route) => {
    if (route.access === 'public' || route.access.kind === 'any') throw new Error('not of one kind');
    const expected = expectedCategory(route.access.kind);
    const refused = others.filter((category) => category !== expected);
    for (const actual of someOf(refused, route)) {
      const organization = organizations.get(actual);
      if (organization === undefined) throw new Error(`no organization of ${actual}`);
      const { status, json, headers } = await call(
        route.method,
        fill(route.path, () => unknownId),
        {
          headers: credentialFor(route, organization),
        },
      );
      expect(status).toBe(403);
      expect(json).toEqual(
        errorShape(403, 'invalid_organization_category', { details: { expected, actual } }),
      );
      expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
    }
  });
});

describe('without an entitlement', () => {
  const lacking = new Map<string, Personas>();
  const neededBy = (route: Route): Feature[] =>
    (['public_api', route.access === 'public' ? null : route.access.feature] as const).filter(
      (feature) => feature !== null,
    );

  beforeAll(async () => {
    const needed = new Set(routesWithCredential.flatMap(([, route]) => neededBy(route)));
    await Promise.all(
      Array.from(needed, async (feature) =>
        lacking.set(feature, await newPersonas({ features: features.filter((other) => other !== feature) })),
      ),
    );
  });

  it('there is a route of each feature', () => {
    const needed = new Set(routesWithCredential.flatMap(([, route]) => neededBy(route)));
    expect([...needed].sort()).toEqual([...features].sort());
  });

  it.each(routesWithCredential)('%s answers 403 naming the feature', async (_, route) => {
    const needed = neededBy(route);
    // What every route needs stands first, and what its own row says last.
    for (const feature of asksAll ? needed : needed.slice(-1)) {
      const personas = lacking.get(feature);
      if (personas === undefined) throw new Error(`No organization lacks ${feature}.`);
      const { status, json } = await call(
        route.method,
        fill(route.path, () => unknownId),
        { headers: credentialFor(route, callerOf(route, personas)) },
      );
      expect(status).toBe(403);
      expect(json).toEqual(
        errorShape(403, 'product_feature_subscription_required', {
          details: { expected: feature, actual: 'none' },
        }),
      );
    }
  });
});

it('there is a route of each rate class', () => {
  const classes = new Set(routes.map(([, route]) => rateOf(route)));
  expect([...classes].sort()).toEqual(
    ['none', ...Object.keys(rateLimits).filter((name) => name !== 'tokenAddress')].sort(),
  );
});

describe('with an id of another organization', () => {
  const { current } = strangers(2);
  // The id of a preview need not name anything yet; test/integration/compliance-settings.test.ts has one of another carrier.
  const finding = routesWithIds.filter(([, { takesUnknownIds }]) => takesUnknownIds !== true);

  it.each(finding)('%s answers 404, the same as for an id that nobody has', async (_, route) => {
    const { owner, ids, query } = await servedRequest(route, readOnce);
    const owned = fill(route.path, (name) => ids[name] ?? unknownId);
    if (route.method === 'GET') {
      // The owner itself is served, so the ids are real.
      const { status, headers } = await call('GET', owned, { headers: owner, query });
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
    }
    const headers = credentialFor(route, callerOf(route, current()));
    const answers = [];
    for (const path of [owned, fill(route.path, () => unknownId)]) {
      // A refusal frees its idempotency key.
      const key = takesIdempotencyKey(route) ? { 'idempotency-key': randomUUID() } : {};
      answers.push(await call(route.method, path, { headers: { ...headers, ...key }, ...bodyFor(route) }));
    }
    for (const { status, json } of answers) {
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
    }
    const [foreign, unknown] = answers.map(({ json }) => ({ ...json, requestId: '', timestamp: '' }));
    expect(foreign).toEqual(unknown);
  });
});

// What a route refuses, for every row of the route tables: a route that is added is covered without an edit here.

describe('with a malformed id', () => {
  const { current } = strangers(2);

  it.each(routesWithIds)('%s answers 400 naming each id that is not one', async (_, route) => {
    for (const name of pathParameters(route.path)) {
      const path = fill(route.path, (other) => (other === name ? 'none' : unknownId));
      const { status, json } = await call(route.method, path, {
        headers: credentialFor(route, callerOf(route, current())),
      });
      expect(status).toBe(400);
      expect(json).toMatchObject(
        errorShape(400, 'validation_error', { details: { issues: [{ path: name }] } }),
      );
    }
  });
});

// With the permissions of its function; every-route.slow.test.ts shows what a parameter does.
it.each(parameters.filter(([, , { method }]) => method === 'GET'))(
  '%s of %s is read',
  async (name, _, route) => {
    const { owner, ids, query } = await servedRequest(route, readOnce);
    const path = fill(route.path, (id) => ids[id] ?? unknownId);
    const accepted = acceptedValues(route, name);
    // An example may lie too far in the past, and the last value is now.
    for (const value of [...accepted.slice(0, 1), ...accepted.slice(-1)]) {
      const { status } = await call('GET', path, { headers: owner, query: { ...query, [name]: value } });
      expect(status).toBeLessThan(500);
      if (status === 200) return;
    }
  },
);

describe('with a query parameter that is not known', () => {
  const { current } = strangers(1);

  it.each(routes)(
    '%s refuses it, and says how many requests are left, or is not counted',
    async (_, route) => {
      const path = `${fill(route.path, () => unknownId)}?misspelt=1`;
      const { status, json, headers } = await call(route.method, path, {
        headers: credentialFor(route, callerOf(route, current())),
      });
      expect(status).toBe(400);
      expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
      const rate = rateOf(route);
      expect(headers.get('x-ratelimit-limit')).toBe(rate === 'none' ? null : String(rateLimits[rate].limit));
      expect(json).toMatchObject(
        badRequest(route, {
          details: { issues: expect.arrayContaining([expect.objectContaining({ path: 'misspelt' })]) },
        }),
      );
    },
  );
});

describe('with a body that is none', () => {
  const unknown = { rawBody: '{"misspelt":1}' };
  const malformed = [
    ...['', '{', 'null', '[]', '"text"'].map((rawBody) => ({ rawBody })),
    {
      rawBody: '{"misspelt":{"a":1,"b":2,"a":1}}',
      details: { issues: [{ path: 'misspelt.a', message: 'is given more than once' }] },
    },
    { rawBody: '{}', contentType: 'text/plain' },
  ];
  const { current } = strangers(1 + (asksAll ? malformed.length : 1));

  it.each(routes.filter(([, route]) => route.body !== undefined))('%s refuses it', async (_, route) => {
    const path = fill(route.path, () => unknownId);
    const wrong = malformed.filter(({ rawBody }) => rawBody !== '' || !route.isBodyOptional);
    const cases: readonly { rawBody: string; details?: object; contentType?: string }[] = [
      unknown,
      ...someOf(wrong, route),
    ];
    for (const [index, { rawBody, details, contentType = 'application/json' }] of cases.entries()) {
      const headers = {
        ...credentialFor(route, callerOf(route, current())),
        'content-type': contentType,
        'x-local-source-ip': `198.51.100.${index + 10}`,
      };
      const { status, json } = await call(route.method, path, { headers, rawBody });
      expect(status).toBe(400);
      expect(json).toMatchObject(badRequest(route, details === undefined ? {} : { details }));
    }
  });
});
