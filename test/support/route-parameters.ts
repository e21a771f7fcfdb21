import * as z from 'zod/mini';
import type { Route } from '#platform/contract/route.ts';
import { isObject } from '../../infra/text.ts';
import { routes, unknownId } from './every-route.ts';
import { document, resolved } from './openapi.ts';

/** Every parameter of the route tables, under a title for `it.each`. */
export const parameters = routes.flatMap(([title, route]) =>
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

/** The values for a parameter that a route accepts: those that the document shows first. */
export function acceptedValues(route: Route, name: string): readonly string[] {
  const schema = z.object({ [name]: route.query?.shape[name] as z.core.$ZodType });
  return [...new Set([...documentedValues(route, name), ...values])].filter(
    (value) => z.safeParse(schema, { [name]: value }).success,
  );
}
