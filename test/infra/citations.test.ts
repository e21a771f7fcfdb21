import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';

const document = openApiDocument(documentedGroups);

/** What a comment can cite as `OpenAPI, "…"`. */
const places = new Set([
  ...Array.from(document.info.description.matchAll(/^## (.+)$/gm), ([, heading]) => heading),
  ...document.tags.map(({ name }) => name),
  ...Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  ),
  ...Object.keys(document.components.schemas),
]);

const sources = ['functions', 'infra', 'shared', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules') && !file.includes('citations'),
    )
    .map((file) => join(folder, file)),
);

/** The text of a file with comments that go on in the next line put together. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(/\n\s*(?:\*|\/\/) /g, ' ');

it('comments cite existing places of the OpenAPI document', () => {
  const cited = sources.flatMap((file) =>
    Array.from(textOf(file).matchAll(/OpenAPI, "([^"]+)"/g), ([, place = '']) => ({ file, place })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ place }) => !places.has(place))).toEqual([]);
});
