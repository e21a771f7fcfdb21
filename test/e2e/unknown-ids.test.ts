import { isObject } from '../../infra/json.ts';
import { pathParameters } from '../../shared/platform/contract/route.ts';
import { bodyFor } from '../support/demo.ts';
import {
  callerOf,
  credentialFor,
  fill,
  routesWithCredential,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { call, errorShape } from '../support/local-api.ts';
import { document, resolved } from '../support/openapi.ts';

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
