import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathParameters, type Route, rateOf } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { promises } from '../support/promises.mjs';

describe('house rules', () => {
  const sources = ['functions', 'infra', 'shared', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules')),
  );
  const textOf = (path: string): string => readFileSync(path, 'utf8');

  test('the lock file names no registry host, so that it works with any', () => {
    expect(textOf('package-lock.json')).not.toMatch(/"resolved": "https?:/);
  });

  test.each(promises)('the promise "$sentence" has its tests', ({ file, title }) => {
    const names = title === undefined ? [] : [title];
    for (const name of names) expect(textOf(file)).toContain(name);
    expect(sources).toContain(file);
  });
});

describe('route tables', () => {
  /** The list of all operations. */
  const [header = '', ...lines] = readFileSync('test/contract/routes.csv', 'utf8').trim().split('\n');
  const columns = header.split(',');
  const contract = lines.map((line) => {
    const cells = Array.from(line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), ([, cell = '']) => cell);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });

  /** A route of the tables in the contract's words. */
  function inTheContractsWords(group: string, route: Route): string {
    const { method, path, access, answer } = route;
    const rate = rateOf(route);
    const kind = access === 'public' ? 'public' : access.kind;
    const feature = (access === 'public' ? null : access.feature) ?? '-';
    const paging = (['all', 'page', 'cursor'] as const).find((form) => form in answer) ?? '-';
    return [method, path, kind, feature, rate === 'none' ? '-' : rate, paging, group].join(' ');
  }

  const tables = routeGroups.flatMap(({ name, routes }) =>
    Object.values(routes).map((route) => ({ name, route })),
  );

  it('the route tables are the contract’s list, as a set', () => {
    const listed = contract.map((row) =>
      ['method', 'path', 'kind', 'feature', 'rate', 'paging', 'group'].map((column) => row[column]).join(' '),
    );
    expect(tables.map(({ name, route }) => inTheContractsWords(name, route)).sort()).toEqual(listed.sort());
  });

  it('routes respond with the status in the list', () => {
    const noted = contract.flatMap(({ method, path, note = '' }) => {
      const status = /\b20[0-2]\b/.exec(note)?.[0];
      return status === undefined ? [] : [`${method} ${path} ${status}`];
    });
    const answers = tables.map(({ route }) => `${route.method} ${route.path} ${route.answer.status}`);
    expect(noted.length).toBeGreaterThan(0);
    expect(answers).toEqual(expect.arrayContaining(noted));
  });

  it('operationIds are unique across groups', () => {
    const ids = routeGroups.flatMap(({ routes }) => Object.keys(routes));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('every route of v1, and no other, names its successor in v2', () => {
    const rows = new Map(
      tables.map(({ route }): [string, Route] => [`${route.method} ${route.path}`, route]),
    );
    const named = [...rows.values()].flatMap((route) => (route.successor === undefined ? [] : [route]));
    expect(named).toEqual([...rows.values()].filter(({ path }) => path.startsWith('/v1/')));
    for (const { method, path, successor } of named) {
      expect(rows.get(`${method} ${successor}`)?.path).toBe(successor);
      expect(pathParameters(String(successor))).toEqual(pathParameters(path));
    }
  });
});
