import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type AccessMap, accessMap } from '../../shared/platform/identity/access-map.ts';
import type { JsonSchema } from '../openapi/document.ts';

/** What the previous release was, as far as the next one has to be compatible with it; `npm run release` writes it. */
export const previousFolder = 'infra/release/previous';

const read = (file: string): string => readFileSync(`${previousFolder}/${file}`, 'utf8');

const keys = z.record(z.string(), z.string());

const namedSchema = z.object({
  name: z.string(),
  schema: z.custom<JsonSchema>((value) => typeof value === 'object'),
});

/** Who could call each route of the previous release that required a credential. */
export const previousAccessMap = (): AccessMap => z.parse(accessMap, JSON.parse(read('access-map.json')));

/** How the previous release makes the keys of items; see `presentKeys`. */
export const previousKeys = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(z.parse(keys, JSON.parse(read('keys.json')))));

/** What the previous release reads; see `presentSchemas`. */
export const previousSchemas = (): ReadonlyMap<string, JsonSchema> =>
  new Map(
    read('schemas.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => z.parse(namedSchema, JSON.parse(line)))
      .map(({ name, schema }) => [name, schema]),
  );
