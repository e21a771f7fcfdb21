import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { promises } from '../support/promises.mjs';

const sources = ['functions', 'infra', 'shared', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules')),
);
const textOf = (path: string): string => readFileSync(path, 'utf8');

test('what another version of the service writes is parsed by schemas that are compared with that version', () => {
  const deployed = sources
    .filter((path) => /^(functions|shared)\//.test(path))
    .map(textOf)
    .join('\n');
  const compared = Array.from(
    deployed.matchAll(/const (\w+) = (?:compatible|storedItem)\(/g),
    ([, name]) => name,
  );
  const parsed = Array.from(deployed.matchAll(/\bz\.(?:safeP|p)arse\(\s*([\w.]+)/g), ([, name]) => name);
  const others = new Set(parsed.filter((name) => !compared.includes(name)));
  expect([...others].sort()).toEqual(
    [
      // The request of a caller or an operator, or a part of it.
      ...[
        'called',
        'clientContext',
        'fileNameSchema',
        'inner',
        'line',
        'loggedIds',
        'outer.in',
        'person',
        'registryAction',
        'withInput',
      ],
      ...['email', 'lineWithAddresses', 'registryAppointment', 'registryLicense', 'z.record'],
      // What this version itself has: its environment, the files of its bundle, and what it is about to write or to show.
      ...['accessMap', 'amendableFields', 'businessFields', 'expiring', 'publishedDocument', 'webhook'],
      ...['classKindSource', 'configSource', 'factSource', 'keyed', 'webhookV1'],
      // The responses of AWS and of the registry, and those of the API itself to the canary.
      ...[
        'busError',
        'z.pipe',
        'associationEvent',
        'connectionFault',
        'delivery',
        'npn',
        'envelope',
        'reading.schema',
        'refusal',
      ],
      // `parseStored`, the consumer of queues, and the pipeline, whose callers choose the schema; the key in an error's message.
      ...['body', 'keyInMessage', 'schema'],
    ].sort(),
  );
});

test('the lock file names no registry host, so that it works with any', () => {
  expect(textOf('package-lock.json')).not.toMatch(/"resolved": "https?:/);
});

test('every project of the tests is run by the workflow, or takes too long for it and is run by `npm run test:long`', () => {
  const [, left = ''] = /--ignoreProjects ([a-z ]+) --/.exec(manifest.scripts.test) ?? [];
  const long = left.split(' ');
  expect(long).toEqual(['pages']);
  for (const name of long) expect(textOf('test/support/long.mjs')).toContain(`[...jest, '${name}']`);
  expect(textOf('.ci/run')).toMatch(/^npm test /m);
  expect(textOf('.github/workflows/ci.yml')).toMatch(/run: \.ci\/run$/m);
});

test.each(promises)('the promise "$sentence" has its tests', ({ file, title }) => {
  const names = title === undefined ? [] : [title];
  for (const name of names) expect(textOf(file)).toContain(name);
  expect(sources).toContain(file);
});
