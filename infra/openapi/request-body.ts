import type { Route } from '../../shared/platform/contract/route.ts';
import { bodyType, multipartForm } from '../../shared/platform/request/media-types.ts';
import type { JsonSchema, MediaType, RequestBody } from './document.ts';
import { isObject } from './json.ts';
import type { PublishedSchemas } from './schemas.ts';

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
  const files = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isObject(property) && property['format'] === 'binary' ? [name] : [],
  );
  return {
    schema,
    example: schemas.exampleOf(schema),
    encoding: Object.fromEntries(files.map((name) => [name, { contentType: fileTypes.join(', ') }])),
  };
}
