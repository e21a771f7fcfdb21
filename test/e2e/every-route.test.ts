import * as fc from 'fast-check';
import { routeGroups } from '../../infra/route-groups.ts';
import { type Feature, features } from '../../shared/contract/access.ts';
import { expectedCategory, pathParameters, type Route } from '../../shared/contract/route.ts';
import { bodyFor, idsFor } from '../support/demo.ts';
import { call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';

/**
 * What holds for every route, derived from the route tables: a route that is added is covered here on the same day,
 * without an edit of this file.
 */
const routes = routeGroups.flatMap(({ routes: table }) =>
  Object.entries(table).map(([operationId, route]): [string, Route] => [
    `${operationId} (${route.method} ${route.path})`,
    route,
  ]),
);
const withCredential = routes.filter(([, route]) => route.access !== 'public');
const ofOneKind = withCredential.filter(([, { access }]) => access !== 'public' && access.kind !== 'any');
const withIds = withCredential.filter(([, { path }]) => pathParameters(path).length > 0);

const unknownId = 'ffffffffffffffffffffffff';
const fill = (path: string, value: (name: string) => string): string =>
  path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => value(name));

/** The organization that a route serves, of the two that stand for their kinds. */
interface Personas {
  readonly upstreamEntity: Organization;
  readonly downstreamEntity: Organization;
}

let strangers: Personas;

/**
 * Gives a family organizations of its own, so that the writes of one don't use up the allowance of another; or every
 * route its own, in a family that writes often.
 */
const withStrangers = (hook = beforeAll) =>
  hook(async () => {
    const [upstreamEntity, downstreamEntity] = await Promise.all([
      newOrganization('upstreamEntity'),
      newOrganization('downstreamEntity'),
    ]);
    strangers = { upstreamEntity, downstreamEntity };
  });

/** Headers of a credential that the route's own method takes. */
function credentialFor(
  route: Route,
  organization: Pick<Organization, 'bearer' | 'token'>,
): Record<string, string> {
  const tests = route.access === 'public' ? undefined : route.access.credential;
  return tests === 'restricted access token'
    ? { ...organization.token, 'x-local-source-ip': '198.51.100.7' }
    : { ...organization.bearer };
}

function servedBy(route: Route, personas: Personas = strangers): Organization {
  const kind = route.access === 'public' || route.access.kind === 'any' ? 'upstream' : route.access.kind;
  return kind === 'upstream' ? personas.upstreamEntity : personas.downstreamEntity;
}

describe('without a credential', () => {
  it.each(withCredential)('%s answers 401', async (_, route) => {
    const { status, json } = await call(
      route.method,
      fill(route.path, () => 'not-even-an-id'),
    );
    expect(status).toBe(401);
    expect(json).toEqual(errorShape(401, 'unauthorized'));
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
    for (const category of others) organizations.set(category, await newOrganization(category));
  });

  it.each(ofOneKind)('%s answers 403 with both categories', async (_, route) => {
    if (route.access === 'public' || route.access.kind === 'any') throw new Error('not of one kind');
    const expected = expectedCategory(route.access.kind);
    for (const actual of others.filter((category) => category !== expected)) {
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
      // The gateway can't put the environment before it.
      expect(json['requestId']).toBe(`local-${headers.get('x-request-id')}`);
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
    for (const feature of new Set(withCredential.flatMap(([, route]) => neededBy(route)))) {
      const settings = { features: features.filter((other) => other !== feature) };
      lacking.set(feature, {
        upstreamEntity: await newOrganization('upstreamEntity', settings),
        downstreamEntity: await newOrganization('downstreamEntity', settings),
      });
    }
  });

  it.each(withCredential)('%s answers 403 naming the feature', async (_, route) => {
    for (const feature of neededBy(route)) {
      const { status, json } = await call(
        route.method,
        fill(route.path, () => unknownId),
        {
          headers: credentialFor(route, servedBy(route, lacking.get(feature))),
        },
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

describe('with an id of another organization', () => {
  withStrangers();

  it.each(withIds)('%s answers 404, the same as for an id that nobody has', async (_, route) => {
    const { owner, ids } = await idsFor(route);
    const owned = fill(route.path, (name) => ids[name] ?? unknownId);
    if (route.method === 'GET') {
      const { status } = await call('GET', owned, { headers: owner });
      // The owner itself is served, so the ids are real; 400 says that the route wants a query as well.
      expect([200, 400]).toContain(status);
    }
    const headers = credentialFor(route, servedBy(route));
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

describe('with a malformed id', () => {
  withStrangers();

  it.each(withIds)('%s answers 400 naming each id that is not one', async (_, route) => {
    for (const name of pathParameters(route.path)) {
      const path = fill(route.path, (other) => (other === name ? '12345' : unknownId));
      const { status, json } = await call(route.method, path, {
        headers: credentialFor(route, servedBy(route)),
      });
      expect(status).toBe(400);
      expect(json).toMatchObject(
        errorShape(400, 'validation_error', { details: { issues: [{ path: name }] } }),
      );
    }
  });
});

describe('with a query parameter that is not known', () => {
  withStrangers();

  it.each(routes)('%s refuses it', async (_, route) => {
    const path = `${fill(route.path, () => unknownId)}?misspelt=1`;
    const { status, json } = await call(route.method, path, {
      headers: credentialFor(route, servedBy(route)),
    });
    expect(status).toBe(400);
    expect(json).toMatchObject(
      errorShape(400, 'validation_error', {
        details: { issues: expect.arrayContaining([expect.objectContaining({ path: 'misspelt' })]) },
      }),
    );
  });
});

describe('with a body that is none', () => {
  withStrangers(beforeEach);

  it.each(routes.filter(([, route]) => route.body !== undefined))('%s refuses it', async (_, route) => {
    const path = fill(route.path, () => unknownId);
    const bodies = ['', '{', 'null', '[]', '"text"', '{"misspelt":1}'];
    for (const [index, rawBody] of bodies.entries()) {
      const headers = {
        ...credentialFor(route, servedBy(route)),
        'x-local-source-ip': `198.51.100.${index + 10}`,
      };
      const { status, json } = await call(route.method, path, { headers, rawBody });
      expect(status).toBe(400);
      expect(json).toMatchObject(errorShape(400, 'validation_error'));
    }
    const plain = {
      ...credentialFor(route, servedBy(route)),
      'content-type': 'text/plain',
      'x-local-source-ip': '198.51.100.30',
    };
    expect(await call(route.method, path, { headers: plain, rawBody: '{}' })).toMatchObject({
      status: 400,
    });
  });
});

describe('with anything at all', () => {
  withStrangers(beforeEach);

  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const jsonText = fc.oneof(fc.json(), text);

  it.each(routes)('%s never answers 5xx and always in one of the two shapes', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constant(unknownId)), { minLength: 4, maxLength: 4 }),
        fc.dictionary(fc.oneof(text, fc.constantFrom(...Object.keys(route.query ?? { page: 1 }))), text, {
          maxKeys: 3,
        }),
        jsonText,
        async (segments, query, rawBody) => {
          const path = fill(route.path, () => segmentOf(segments.pop() ?? ''));
          const search = new URLSearchParams(query).toString();
          const { status, json } = await call(route.method, search === '' ? path : `${path}?${search}`, {
            headers: credentialFor(route, servedBy(route)),
            ...(route.method === 'GET' ? {} : { rawBody }),
          });
          expect(status).toBeLessThan(500);
          const isDocument = 'document' in route.answer && status === 200;
          if (status < 300 && !isDocument)
            expect(json).toMatchObject({ statusCode: status, requestId: expect.any(String) });
          if (status >= 300)
            expect(json).toMatchObject({ statusCode: status, errorMessage: [expect.any(String)] });
        },
      ),
      { numRuns: 15 },
    );
  });
});

/** Segments of dots alone are removed from a path by every client. */
const segmentOf = (text: string): string => (/^\.*$/.test(text) ? 'x' : encodeURIComponent(text));
