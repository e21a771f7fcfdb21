import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type AccessMap, accessMap } from '../../functions/authorizer/authenticate.ts';
import type { JsonSchema } from '../openapi/document.ts';

/** What the previous release was, as far as the next one has to be compatible with it; `npm run release` writes it. */
export const previousFolder = 'infra/release/previous';

const read = (file: string): string => readFileSync(`${previousFolder}/${file}`, 'utf8');

const texts = z.record(z.string(), z.string());

const keysFile = z.object({
  /** By the name of the function that makes them. */
  keys: texts,
  /** By table and name. */
  indexes: z.record(z.string(), texts),
});

const readKeys = () => z.parse(keysFile, JSON.parse(read('keys.json')));

/** How tables are indexed, by table and index. */
export type Indexes = z.output<typeof keysFile>['indexes'];

const namedSchema = z.object({
  name: z.string(),
  schema: z.custom<JsonSchema>((value) => typeof value === 'object'),
});

/** Who could call each route of the previous release that required a credential. */
export const previousAccessMap = (): AccessMap => z.parse(accessMap, JSON.parse(read('access-map.json')));

/** How the previous release makes the keys of items; see `presentKeys`. */
export const previousKeys = (): ReadonlyMap<string, string> => new Map(Object.entries(readKeys().keys));

/** The indexes of the previous release's tables; see `presentIndexes`. */
export const previousIndexes = (): Indexes => readKeys().indexes;

/** What the previous release reads; see `presentSchemas`. */
export const previousSchemas = (): ReadonlyMap<string, JsonSchema> =>
  new Map(
    read('schemas.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => z.parse(namedSchema, JSON.parse(line)))
      .map(({ name, schema }) => [name, schema]),
  );

/** Which code is deployed, and since when. */
export interface Release {
  /** `1e6d030f3ea7`, with `-dirty` at its end if files differed from the commit. */
  readonly commit: string;
  /** ISO time of the synthesis, minutes before callers have it. */
  readonly deployedAt: string;
}

/** The commit that is checked out; undefined where git knows of none. */
export function presentCommit(): string | undefined {
  try {
    const described = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
    return execFileSync('git', described, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** What is deployed when it is synthesized now. */
export function presentRelease(): Release | undefined {
  const commit = presentCommit();
  return commit === undefined ? undefined : { commit, deployedAt: new Date().toISOString() };
}
