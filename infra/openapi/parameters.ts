import * as z from 'zod/mini';
import {
  pathParameters,
  pathSchema,
  type Route,
  takesIdempotencyKey,
} from '../../shared/platform/contract/route.ts';
import { bodyType, multipartForm } from '../../shared/platform/request/headers.ts';
import { isObject, sentenceCase, words } from '../text.ts';
import type { UsedComponents } from './components.ts';
import type { JsonSchema, MediaType, Parameter, RequestBody } from './document.ts';
import type { PublishedSchemas } from './schemas.ts';

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
  const path = pathParameters(route.path).map((name): Parameter => {
    const { description, ...schema } = schemas.of(pathSchema(route, name), 'input');
    const about = description ?? `Id of the ${words(name.replace(/Id$/, ''))}.`;
    return { name, in: 'path', required: true, description: about, schema };
  });
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
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
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

/** What an operation accepts as its body: JSON or parameters, and for an upload a form; undefined for one without a body. */
export function requestBodyOf(route: Route, schemas: PublishedSchemas): RequestBody | undefined {
  if (route.body === undefined) return undefined;
  const schema = schemas.of(route.body, 'input');
  return {
    required: route.isBodyOptional !== true,
    content: {
      [bodyType(route)]: { schema, example: schemas.exampleOf(schema) },
      ...(route.form === undefined
        ? {}
        : { [multipartForm]: formOf(schemas.of(route.form, 'input'), route, schemas) }),
    },
  };
}

/** A form, its files with the media types that they may have. */
function formOf(schema: JsonSchema, { fileTypes = [] }: Route, schemas: PublishedSchemas): MediaType {
  const files = Object.entries(schemas.resolve(schema).properties ?? {}).flatMap(([name, property]) =>
    isObject(property) && property['format'] === 'binary' ? [name] : [],
  );
  return {
    schema,
    example: schemas.exampleOf(schema),
    encoding: Object.fromEntries(files.map((name) => [name, { contentType: fileTypes.join(', ') }])),
  };
}
