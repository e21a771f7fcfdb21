import * as z from 'zod/mini';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { pathParameters, type Route, takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import type { UsedComponents } from './components.ts';
import type { Parameter } from './document.ts';
import type { PublishedSchemas } from './schemas.ts';
import { sentenceCase, words } from './text.ts';

interface Parameterized {
  readonly route: Route;
  /** The schema of the query string. */
  readonly query: z.core.$ZodType;
}

/** An operation's parameters: path, query, and the headers for idempotency keys. */
export function parametersOf(
  { route, query }: Parameterized,
  schemas: PublishedSchemas,
  used: UsedComponents,
) {
  const path = pathParameters(route.path).map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      description: `Id of the ${words(name.replace(/Id$/, ''))}.`,
      schema: schemas.of(objectId, 'input'),
    }),
  );
  const { properties = {}, required = [] } = schemas.of(query, 'input');
  const filters = Object.entries(properties).map(([name, property]): Parameter => {
    if (typeof property === 'boolean') throw new Error(`The query parameter ${name} has no schema.`);
    const { description, ...schema } = property;
    const fallback = defaultOf(route, name);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: description ?? schemas.resolve(property).description ?? sentenceCase(`${words(name)}.`),
      schema: fallback === undefined ? schema : { ...schema, default: fallback },
    };
  });
  const keys = takesIdempotencyKey(route)
    ? (['idempotency-key', 'x-idempotency-key'] as const).map((name) => used.parameter(name))
    : [];
  return [...path, ...filters, ...keys];
}

/** The default of a query parameter. */
function defaultOf(route: Route, name: string): unknown {
  const schema = z.safeParse(z.object({ ...route.query?.shape }), {});
  return schema.success ? schema.data[name] : undefined;
}
