import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { functionUses, routeGroups } from '../../infra/function-uses.ts';
import { builtFunction } from '../support/bundle-budgets.ts';
import { requestFunctions, startEnvironment } from '../support/start-environment.ts';

/** Operators' functions: no caller waits for their start, and they hold what every type of record needs. */
const unlimited = ['admin', 'import'];

const names = readdirSync('functions').filter((name) => !unlimited.includes(name));

/**
 * A program that imports the bundles of its argument, one after the other, and prints how many schemas and checks zod has
 * constructed for each; zod calls the hook.
 */
const counter = `
  let constructed = 0;
  globalThis.__zod_globalConfig = { postProcessor: () => { constructed += 1; } };
  globalThis.awslambda = { streamifyResponse: (handler) => handler };
  const counts = {};
  for (const { name, bundle, environment } of JSON.parse(process.argv[1])) {
    constructed = 0;
    Object.assign(process.env, environment);
    await import(bundle);
    counts[name] = constructed;
  }
  process.stdout.write(JSON.stringify(counts));
`;

async function constructedAtImport(): Promise<Record<string, number>> {
  const bundles = requestFunctions.map((name) => ({
    name,
    bundle: pathToFileURL(resolve('dist/functions', name, 'index.mjs')).href,
    environment: startEnvironment(name, 'dist/functions'),
  }));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    counter,
    JSON.stringify(bundles),
  ]);
  return z.parse(z.record(z.string(), z.number()), JSON.parse(stdout));
}

// As they are deployed: `npm run build` makes them.
describe('the bundle of', () => {
  const built = new Map(names.map((name) => [name, builtFunction(name)]));
  const bundleOf = (name: string): ReturnType<typeof builtFunction> => {
    const bundle = built.get(name);
    if (bundle === undefined) throw new Error(`Nothing was built of ${name}.`);
    return bundle;
  };

  it.each(names)('%s is within its budget', (name) => {
    const { code, budget } = bundleOf(name);
    expect(code.length).toBeLessThanOrEqual(budget.bytes);
  });

  it.each(names)('%s contains no file of words', (name) => {
    const { sources } = bundleOf(name);
    expect(sources.filter((source) => source.endsWith('/docs.ts'))).toEqual([]);
    expect(sources.length).toBeGreaterThan(5);
  });

  it('every group of routes is among the functions that are imported below', () => {
    expect(requestFunctions).toEqual(expect.arrayContaining(routeGroups.map(({ name }) => name)));
  });

  // What all requests share, and a few for each route and table: fields are built when a request first uses them.
  describe('constructs few schemas when it is imported', () => {
    let constructed: Readonly<Record<string, number>> = {};
    beforeAll(async () => {
      constructed = await constructedAtImport();
    });
    it.each(requestFunctions)('%s', (name) => {
      const { routes = {} } = routeGroups.find((group) => group.name === name) ?? {};
      const { tables = {} } = functionUses.get(name) ?? {};
      const most = 30 + 3 * Object.keys(routes).length + 4 * Object.keys(tables).length;
      expect(constructed[name]).toBeGreaterThan(0);
      expect(constructed[name]).toBeLessThanOrEqual(most);
    });
  });
});
