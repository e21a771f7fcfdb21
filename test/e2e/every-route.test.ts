import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { isObject } from '../../infra/text.ts';
import { challenge, commonHeaders } from '../../shared/platform/contract/responses.ts';
import {
  expectedCategory,
  type Feature,
  features,
  pathParameters,
  type Route,
  rateLimits,
  rateOf,
} from '../../shared/platform/contract/route.ts';
import { anyText } from '../support/any-text.ts';
import { bodyFor, dataAt, demo, demoBearer, servedRequest } from '../support/demo.ts';
import {
  asksAll,
  badRequest,
  callerOf,
  credentialFor,
  fill,
  newPersonas,
  type Personas,
  placeOf,
  routes,
  routesWithCredential,
  routesWithIds,
  someOf,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { agent, transaction } from '../support/import-lines.ts';
import { call, errorShape, importRecords, newOrganization, type Organization } from '../support/local-api.ts';
import { document, resolved } from '../support/openapi.ts';

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
  // The id of a preview need not name anything yet; test/integration/config-versions.test.ts has one of another carrier.
  const finding = routesWithIds.filter(([, { takesUnknownIds }]) => takesUnknownIds !== true);

  const lists = new Map<string, ReturnType<typeof dataAt>>();
  const readOnce: typeof dataAt = (path, headers) => {
    const data = lists.get(path) ?? dataAt(path, headers);
    lists.set(path, data);
    return data;
  };

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
      answers.push(await call(route.method, path, { headers, ...bodyFor(route) }));
    }
    for (const { status, json } of answers) {
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
    }
    const [foreign, unknown] = answers.map(({ json }) => ({ ...json, requestId: '', timestamp: '' }));
    expect(foreign).toEqual(unknown);
  });
});

// That what a query declares is read, for every row of the route tables: a parameter that is added is covered without an edit here.

const lists = new Map<string, ReturnType<typeof dataAt>>();
const readOnce: typeof dataAt = (path, headers) => {
  const data = lists.get(path) ?? dataAt(path, headers);
  lists.set(path, data);
  return data;
};

/** Every parameter of the route tables, under a title for `it.each`. */
const parameters = routes.flatMap(([title, route]) =>
  Object.keys(route.query?.shape ?? {}).map((name): [string, string, Route] => [name, title, route]),
);

/** Values of which a parameter accepts some, whatever it means: they select nobody, nothing, no time, or less. */
const values = [
  ...['zz', unknownId, '9999999999', 'WY', 'true', 'false', '1', '2', '99'],
  ...['nobody@nowhere.example', 'nowhere.example', '1990-01-01', '2199-01-01', '1990-01-01T00:00:00.000Z'],
  new Date().toISOString(),
];

/** What the document says of a parameter's values: those of an enum, and its examples. */
function documentedValues({ path, method }: Route, name: string): string[] {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const found = operation?.parameters?.map((one) =>
    '$ref' in one ? resolved(document, String(one.$ref)) : one,
  );
  const parameter = found?.find((one) => isObject(one) && one['name'] === name);
  const valuesOf = (schema: unknown): unknown[] => {
    if (!isObject(schema)) return [];
    if (typeof schema['$ref'] === 'string') return valuesOf(resolved(document, schema['$ref']));
    const { enum: all = [], examples = [], items, anyOf = [] } = schema as Record<string, unknown[]>;
    return [...(all ?? []), ...(examples ?? []), ...valuesOf(items), ...(anyOf ?? []).flatMap(valuesOf)];
  };
  return isObject(parameter) ? valuesOf(parameter['schema']).map(String) : [];
}

type Said = Readonly<Record<string, unknown>>;

/** What an answer says, but for what the pipeline adds to a page. */
function saidBy({ status, json }: Awaited<ReturnType<typeof call>>): Said {
  const { data, errorMessage } = json;
  if (!isObject(data)) return { status, data, errorMessage };
  const { page: _page, limit: _limit, totalPages: _pages, ...rest } = data;
  return { status, errorMessage, ...rest };
}

/** Whether an answer differs from those before and after it, in what these two have in common: time changes some by itself. */
const isChanged = (before: Said, answer: Said, after: Said): boolean =>
  Object.entries(before).some(
    ([member, said]) => isDeepStrictEqual(said, after[member]) && !isDeepStrictEqual(said, answer[member]),
  );

describe('a parameter changes what is answered', () => {
  beforeAll(async () => {
    // Of these the demo has one each, and a limit would not show.
    const { organizationId } = demo().downstream;
    const [{ _id: entity } = { _id: '' }] = z.parse(
      z.object({ items: z.array(z.object({ _id: z.string() })) }),
      await dataAt('/v2/downstream/entities', await demoBearer('downstream')),
    ).items;
    await importRecords(
      organizationId,
      { type: 'downstream-entity', legalName: 'Zavala Brokerage', npn: '17654399' },
      // The carrier knows him, too.
      { ...agent({ npn: '8640066', lastName: 'Stroud' }), downstreamEntityIds: [entity] },
      // The first of their list, for a test each that deletes one.
      ...['one', 'another'].map((name) => ({
        type: 'contact',
        firstName: 'Abe',
        lastName: 'Aaberg',
        email: `${name}@aaberg.example`,
        associations: [{ downstreamEntityId: entity }],
      })),
    );
    // An appointment that is due.
    const sale = { riskStateCode: 'OK', agencyNpn: '17654321', agentNpn: '8123456', productCode: 'CGL' };
    await importRecords(demo().upstream.organizationId, transaction('GL-2026-900001', sale));
  });

  it.each(parameters.filter(([, , { method }]) => method === 'GET'))('%s of %s', async (name, _, route) => {
    const { owner, ids, query } = await servedRequest(route, readOnce);
    const path = fill(route.path, (id) => ids[id] ?? unknownId);
    const ask = async (more: Readonly<Record<string, string>>) =>
      saidBy(await call(route.method, path, { headers: owner, query: { ...query, ...more } }));
    const schema = z.object({ [name]: route.query?.shape[name] as z.core.$ZodType });
    const accepted = [...new Set([...documentedValues(route, name), ...values])].filter(
      (value) => z.safeParse(schema, { [name]: value }).success,
    );
    let before = await ask({});
    expect(before).toMatchObject({ status: 200 });
    // Others change what the demo holds, and an answer that differs by that alone proves nothing: a value has more than one try.
    for (const value of [...accepted, ...accepted, ...accepted]) {
      const answer = await ask({ [name]: value });
      const after = await ask({});
      if (isChanged(before, answer, after)) return;
      before = after;
    }
    throw new Error(`No value of ${name} changes the answer: ${accepted.join(', ')}.`);
  });

  // What is written is not there to be written again: one that names nobody is refused, and the one without it is not.
  it.each(parameters.filter(([, , { method }]) => method !== 'GET'))('%s of %s', async (name, _, route) => {
    const { owner, ids } = await servedRequest(route);
    const path = fill(route.path, (id) => ids[id] ?? unknownId);
    const ask = (query: Readonly<Record<string, string>>) =>
      call(route.method, path, { headers: owner, query });
    expect(await ask({ [name]: unknownId })).toMatchObject({ status: 404 });
    expect(await ask({})).toMatchObject({ status: 200 });
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

describe('with anything at all', () => {
  const numRuns = asksAll ? 3 : 1;
  const { current } = strangers(numRuns);

  const text = anyText(40);
  const jsonText = fc.oneof(fc.json(), text);

  it.each(routes)('%s never answers 5xx and always in one of the two shapes', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constant(unknownId)), { minLength: 4, maxLength: 4 }),
        fc.dictionary(
          fc.oneof(text, fc.constantFrom(...Object.keys(route.query?.shape ?? { page: 1 }))),
          text,
          {
            maxKeys: 3,
          },
        ),
        jsonText,
        async (segments, query, rawBody) => {
          const path = fill(route.path, () => segmentOf(segments.pop() ?? ''));
          const search = new URLSearchParams(query).toString();
          const { status, json } = await call(route.method, search === '' ? path : `${path}?${search}`, {
            headers: credentialFor(route, callerOf(route, current())),
            ...(route.method === 'GET' ? {} : { rawBody }),
          });
          expect(status).toBeLessThan(500);
          const isDocument = ('document' in route.answer || 'bare' in route.answer) && status === 200;
          if (status < 300 && !isDocument)
            expect(json).toMatchObject({ statusCode: status, requestId: expect.any(String) });
          const isOfStandard = route.standard !== undefined && status !== 429;
          if (status >= 300)
            expect(json).toMatchObject(
              isOfStandard
                ? { error: expect.any(String) }
                : { statusCode: status, errorMessage: [expect.any(String)] },
            );
        },
      ),
      { numRuns, ...(asksAll ? {} : { seed: placeOf(route) }) },
    );
  });
});

/** Segments of dots alone are removed from a path by every client. */
const segmentOf = (text: string): string =>
  /^\.*$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed());
