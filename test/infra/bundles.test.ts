import { readdirSync } from 'node:fs';
import { routeGroups } from '../../infra/function-uses.ts';
import { builtFunction } from '../support/bundle-budgets.ts';
import { requestFunctions } from '../support/start-environment.ts';

/** Operators' functions: no caller waits for their start, and they hold what every type of record needs. */
const unlimited = ['admin', 'import'];

const names = readdirSync('functions').filter((name) => !unlimited.includes(name));

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
    expect(code.length).toBeLessThanOrEqual(budget);
  });

  it.each(names)('%s contains no file of words', (name) => {
    const { sources } = bundleOf(name);
    expect(sources.filter((source) => source.endsWith('/docs.ts'))).toEqual([]);
    expect(sources.length).toBeGreaterThan(5);
  });

  it('every group of routes is among the functions whose import the bench measures', () => {
    expect(requestFunctions).toEqual(expect.arrayContaining(routeGroups.map(({ name }) => name)));
  });
});
