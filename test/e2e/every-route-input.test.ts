import * as fc from 'fast-check';
import { commonHeaders } from '../../shared/platform/contract/common-headers.ts';
import { pathParameters } from '../../shared/platform/contract/route.ts';
import {
  badRequest,
  callerOf,
  credentialFor,
  fill,
  routes,
  routesWithIds,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { call, errorShape } from '../support/local-api.ts';

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

  it.each(routes)('%s refuses it', async (_, route) => {
    const path = `${fill(route.path, () => unknownId)}?misspelt=1`;
    const { status, json, headers } = await call(route.method, path, {
      headers: credentialFor(route, callerOf(route, current())),
    });
    expect(status).toBe(400);
    expect(Object.fromEntries(headers)).toMatchObject(commonHeaders);
    expect(json).toMatchObject(
      badRequest(route, {
        details: { issues: expect.arrayContaining([expect.objectContaining({ path: 'misspelt' })]) },
      }),
    );
  });
});

describe('with a body that is none', () => {
  const bodies = ['', '{', 'null', '[]', '"text"', '{"misspelt":1}'];
  const { current } = strangers(bodies.length + 2);

  it.each(routes.filter(([, route]) => route.body !== undefined))('%s refuses it', async (_, route) => {
    const path = fill(route.path, () => unknownId);
    for (const [index, rawBody] of bodies.entries()) {
      if (rawBody === '' && route.isBodyOptional) continue;
      const headers = {
        ...credentialFor(route, callerOf(route, current())),
        'x-local-source-ip': `198.51.100.${index + 10}`,
      };
      const { status, json } = await call(route.method, path, { headers, rawBody });
      expect(status).toBe(400);
      expect(json).toMatchObject(badRequest(route));
    }
    const twice = await call(route.method, path, {
      headers: { ...credentialFor(route, callerOf(route, current())), 'x-local-source-ip': '198.51.100.31' },
      rawBody: '{"misspelt":{"a":1,"b":2,"a":1}}',
    });
    expect(twice.status).toBe(400);
    const issues = [{ path: 'misspelt.a', message: 'is given more than once' }];
    expect(twice.json).toMatchObject(badRequest(route, { details: { issues } }));
    const plain = {
      ...credentialFor(route, callerOf(route, current())),
      'content-type': 'text/plain',
      'x-local-source-ip': '198.51.100.30',
    };
    expect(await call(route.method, path, { headers: plain, rawBody: '{}' })).toMatchObject({
      status: 400,
    });
  });
});

describe('with anything at all', () => {
  const numRuns = 3;
  const { current } = strangers(numRuns);

  const text = fc.string({ unit: 'binary', maxLength: 40 });
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
      { numRuns },
    );
  });
});

/** Segments of dots alone are removed from a path by every client. */
const segmentOf = (text: string): string => (/^\.*$/.test(text) ? 'x' : encodeURIComponent(text));
