import { readFileSync } from 'node:fs';
import { routeGroups } from '../../infra/function-uses.ts';
import { isObject } from '../../infra/openapi/json.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { type DecisionPlace, decisions } from '../support/decisions.ts';

const document = openApiDocument(routeGroups);

const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, description }) => [operationId, description]),
);

/** The introduction's sections by their headings. */
const sections = new Map(
  document.info.description
    .split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.split('\n', 1)[0] ?? '', section]),
);

/** Where a decision can stand, and how it is read there. */
const places = {
  introduction: (heading: string) => sections.get(heading),
  operation: (operationId: string) => operations.get(operationId),
  tag: (name: string) => document.tags.find((tag) => tag.name === name)?.description,
  /** What concerns operators alone. */
  file: (path: string) => readFileSync(path, 'utf8'),
} as const satisfies Record<DecisionPlace, (place: string) => string | undefined>;

const words = (text: string): string => text.replace(/\s+/g, ' ');

it.each(decisions)('%s %s says: %s', (kind, place, sentence) => {
  const text = places[kind](place);
  if (text === undefined) throw new Error(`There is no ${kind} ${place}.`);
  expect(words(text)).toContain(sentence);
});

it('v2 has every operation of v1, as the list of changes says', () => {
  const twin = (path: string): string =>
    path.replace('/v1/auth/', '/v2/auth/').replace('/v1/', '/v2/upstream/');
  const missing = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [twin(path), method] as const))
    .filter(([path, method]) => !isObject(document.paths[path]) || !(method in document.paths[path]));
  expect(missing).toEqual([]);
});
