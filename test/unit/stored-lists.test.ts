import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { presentSchemas } from '../../infra/release/present.ts';
import { KB } from '../../shared/platform/aws/limits.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';
import { largestItem } from '../../shared/platform/data/table-items.ts';
import '../../shared/platform/request/idempotency.ts';
import { type StoredList, storedLists } from '../support/stored-lists.ts';

type JsonSchema =
  Awaited<ReturnType<typeof presentSchemas>> extends ReadonlyMap<string, infer Schema> ? Schema : never;

/** The paths of what in a schema can be of any length; what is within is part of it. Of texts, the longest is known where they are written. */
function listsIn(schema: JsonSchema, path = ''): string[] {
  const { anyOf, type, properties = {}, additionalProperties, contentEncoding } = schema;
  if (anyOf !== undefined) return anyOf.flatMap((one) => listsIn(one as JsonSchema, path));
  const isAny = Object.keys(schema).length === 0;
  if (type === 'array' || typeof additionalProperties === 'object' || contentEncoding !== undefined || isAny)
    return [path];
  return Object.entries(properties).flatMap(([name, one]) =>
    listsIn(one as JsonSchema, path === '' ? name : `${path}.${name}`),
  );
}

/** What other functions and operators send, and what is no item of a table. */
const isNoItem = (name: string): boolean =>
  /^(messages|invocations|schedules|secrets|authorizer)\//.test(name);

const bounds = storedLists();
const found = new Map<string, string[]>();

beforeAll(async () => {
  for (const [name, schema] of await presentSchemas()) {
    const lists = listsIn(schema);
    if (!isNoItem(name) && lists.length > 0) found.set(name, [...new Set(lists)].sort());
  }
});

it('every list, record, set, and value in bytes of a stored item has a bound', () => {
  const unbounded = [...found].flatMap(([name, paths]) => {
    const { lists } = bounds.find(({ schemas }) => schemas.includes(name)) ?? { lists: {} };
    return typeof lists === 'string'
      ? []
      : paths.filter((path) => !(path in lists)).map((path) => `${name} ${path}`);
  });
  expect(unbounded).toEqual([]);
});

it('what has a bound is stored', () => {
  const gone = bounds.flatMap(({ schemas, lists }) => {
    const paths = schemas.flatMap((name) => found.get(name) ?? []);
    const named = typeof lists === 'string' ? [] : Object.keys(lists).filter((path) => !paths.includes(path));
    return [...schemas.filter((name) => !found.has(name)), ...named];
  });
  expect(gone).toEqual([]);
});

const bytesOf = (list: StoredList): number =>
  'bytes' in list ? list.bytes : list.most * (1 + storedBytes(toItem({ '': list.largest })));

it.each(
  bounds.flatMap(({ schemas: [name = ''], lists }) =>
    typeof lists === 'string' ? [] : [[name, lists] as const],
  ),
)('the lists of %s together leave room in an item', (_, lists) => {
  const bytes = Object.values(lists).reduce((sum, list) => sum + bytesOf(list), 0);
  // Keys, marks, texts, and names of attributes.
  expect(bytes + KB).toBeLessThanOrEqual(largestItem);
});

it('what an update adds to a list, which no size of a whole item bounds, is of one that has a bound', () => {
  const growing = ['functions', 'shared'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter(
        (path) =>
          path.endsWith('.ts') && !path.endsWith('data/expressions.ts') && !path.endsWith('data/table.ts'),
      )
      .filter((path) =>
        /\bappended\(|: added\(new Set|\badded\(id\)|\badded\(entity\)|= added\(new Set/.test(
          readFileSync(path, 'utf8'),
        ),
      ),
  );
  expect(growing.sort()).toEqual([
    'functions/downstream-entity-associations/synchronizations.ts',
    'functions/file-documents/store.ts',
    'functions/import/agent/import.ts',
    'functions/webhook-delivery/advance.ts',
    'functions/webhook-delivery/store.ts',
    'shared/domain/associations/agency-entries.ts',
    'shared/domain/associations/evidence.ts',
    'shared/domain/downstream-entities/entity-moves.ts',
    'shared/domain/file-documents/first-use.ts',
    'shared/domain/license-sweep/days.ts',
  ]);
});
