import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../package.json';
import { promises } from '../support/promises.mjs';
import { comparisonsOf, longestFunction } from '../support/syntax.ts';

const sources = ['functions', 'infra', 'shared', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules')),
);
const textOf = (path: string): string => readFileSync(path, 'utf8');

/** The first folders of a path: `functions/policies`, `shared`. */
const roomOf = (path: string): string => {
  const [top = '', name = ''] = path.split('/');
  return top === 'functions' ? `${top}/${name}` : top;
};

/** Every import of one file by another, as `importer > imported`. */
const imports = sources.flatMap((path) =>
  Array.from(textOf(path).matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g), ([, to = '']) => ({
    path,
    target: join(dirname(path), to),
    from: roomOf(path),
    to: roomOf(join(dirname(path), to)),
  })),
);

test('no function imports another function, nor the infrastructure', () => {
  const wrong = imports.filter(
    ({ from, to }) => from.startsWith('functions/') && to !== from && to !== 'shared',
  );
  expect(wrong).toEqual([]);
});

test('what functions share imports no function and no infrastructure', () => {
  expect(imports.filter(({ from, to }) => from === 'shared' && to !== 'shared')).toEqual([]);
});

test('the platform imports nothing of insurance', () => {
  const upwards = imports.filter(
    ({ path, target }) => path.startsWith('shared/platform/') && !target.startsWith('shared/platform/'),
  );
  expect(upwards).toEqual([]);
});

test('no files import each other in a circle', () => {
  const done = new Set<string>();
  const circleFrom = (path: string, way: readonly string[]): readonly string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return [];
    done.add(path);
    for (const { target } of imports.filter((one) => one.path === path)) {
      const circle = circleFrom(target, [...way, path]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  const deployed = sources.filter((path) => !path.startsWith('test/'));
  expect(deployed.map((path) => circleFrom(path, [])).filter(({ length }) => length > 0)).toEqual([]);
});

test('nothing that is deployed imports a test', () => {
  expect(imports.filter(({ from, to }) => from !== 'test' && to === 'test')).toEqual([]);
});

test('stores know nothing of HTTP: they throw domain errors', () => {
  const stores = sources.filter((path) => /^(functions|shared)\/.*store\.ts$/.test(path));
  expect(stores).toContain('functions/webhooks/store.ts');
  expect(stores.filter((path) => /contract\/errors\.ts'/.test(textOf(path)))).toEqual([]);
});

test('the handle of tables alone writes expressions of DynamoDB, but where it is said why', () => {
  const writing = sources.filter(
    (path) =>
      /^(functions|shared|infra)\//.test(path) &&
      /\b(?:Update|Condition|KeyCondition|Filter|Projection)Expression\b|\battribute_(?:not_)?exists\b/.test(
        textOf(path),
      ),
  );
  expect(writing).toEqual([
    // Compares two attributes of an item.
    'shared/domain/associations/agency-entries.ts',
    'shared/platform/data/expressions.ts',
    'shared/platform/data/query-pages.ts',
    'shared/platform/data/table-items.ts',
    'shared/platform/data/table-reads.ts',
  ]);
});

test('one file of the functions reads the environment', () => {
  const reading = sources.filter(
    (path) => /^(functions|shared)\//.test(path) && textOf(path).includes('process.env'),
  );
  expect(reading).toEqual(['shared/platform/config/environment.ts']);
});

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
        'registryAction',
      ],
      ...['email', 'lineWithAddresses', 'registryAppointment', 'registryLicense', 'z.record'],
      // What this version itself has: its environment, the files of its bundle, and what it is about to write or to show.
      ...['accessMap', 'amendableFields', 'businessFields', 'expiring', 'publishedDocument', 'webhook'],
      ...['keyed', 'webhookV1'],
      // The responses of AWS and of the registry, and those of the API itself to the canary.
      ...['busError', 'z.pipe', 'associationEvent', 'connectionFault', 'delivery', 'envelope', 'refusal'],
      // `parseStored`, the consumer of queues, and the pipeline, whose callers choose the schema; the key in an error's message.
      ...['body', 'keyInMessage', 'schema'],
    ].sort(),
  );
});

describe('nothing but the decision judges licenses and appointments', () => {
  const decision = 'shared/domain/decision/';
  const others = sources.filter((path) => !path.startsWith('test/') && !path.startsWith(decision));
  const importersOf = (module: string): string[] =>
    imports.flatMap(({ path, target }) => (target === module && others.includes(path) ? [path] : []));
  const comparisonsIn = (paths: readonly string[], ...fields: readonly string[]): string[] =>
    paths.flatMap((path) => comparisonsOf(textOf(path), fields).map((one) => `${path}: ${one}`));

  test.each([
    'license-history',
    'license-terms',
    'appointments',
    'appointment-statements',
    'appointment-timeline',
    'companies',
  ])('nothing else imports its %s', (part) => {
    expect(sources).toContain(`${decision}${part}.ts`);
    expect(importersOf(`${decision}${part}.ts`)).toEqual([]);
  });

  test('nothing else compares names of companies but agencies’, to match them', () => {
    expect(importersOf('shared/domain/matching/names.ts')).toEqual([
      'functions/import/matching/match-agency.ts',
      'functions/import/matching/match-agents.ts',
      'shared/domain/agents/names.ts',
      'shared/domain/associations/evidence.ts',
    ]);
  });

  test('nothing else compares their dates, lines, or carriers', () => {
    const dates = ['issueDate', 'nextRenewalDate', 'expirationDate', 'statusChangeDate', 'renewalDate'];
    const ofTerms = ['begins', 'ownEnd', 'terminationReason'];
    const lines = ['linesOfAuthority', 'lineOfAuthorityCode', 'lineOfAuthorityName'];
    const carriers = ['carrierName', 'companyCode', 'naicCodes', 'carrierNaicCodes', 'eins'];
    expect(comparisonsIn(others, ...dates, ...ofTerms, ...lines, ...carriers)).toEqual([]);
  });

  test('nothing else compares their statuses, but with one that a caller asks for', () => {
    const ofRecords = others.filter((path) =>
      /registry-records|registry-lists|registry\/registry/.test(textOf(path)),
    );
    expect(comparisonsIn(ofRecords, 'status')).toEqual([
      "functions/agency/missing-appointments.ts: market.status !== 'active'",
      'functions/agency/registry-lists.ts: (status ?? record.status) === record.status',
      "shared/domain/associations/view.ts: status === 'invited'",
      'shared/domain/compliance/records-of-day.ts: row.status === status',
      "shared/domain/registry-reconciliation/store.ts: status === 'not started'",
      "shared/domain/registry-reconciliation/store.ts: status === 'failed'",
    ]);
  });

  test.each([
    'license.nextRenewalDate < today',
    "calendarDate(license['nextRenewalDate']) >= today",
    'today <= end',
    'isDue(license) === today',
    'compare(one.nextRenewalDate, other.nextRenewalDate)',
    '[today].includes(license.nextRenewalDate)',
    'license?.nextRenewalDate.startsWith(year)',
  ])('%s would be found', (comparison) => {
    const given =
      'const { nextRenewalDate: end } = license; const isDue = (one) => dateOf(one.nextRenewalDate);';
    expect(comparisonsOf(`${given}\nexport const found = () => ${comparison};`, ['nextRenewalDate'])).toEqual(
      [comparison],
    );
  });
});

test('no source file is above 300 lines, but words', () => {
  const long = sources.filter(
    (path) => !path.startsWith('test/') && textOf(path).trimEnd().split('\n').length > 300,
  );
  expect(long.filter((path) => !path.endsWith('/docs.ts'))).toEqual([]);
});

test('no function is above 120 lines', () => {
  const lines = 120;
  const some = sources.filter((path) => !path.startsWith('test/') && textOf(path).split('\n').length > lines);
  expect(some.filter((path) => longestFunction(textOf(path)) > lines)).toEqual([]);
  expect(longestFunction(`const one = () => {${'\n'.repeat(lines)}}`)).toBe(lines + 1);
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
