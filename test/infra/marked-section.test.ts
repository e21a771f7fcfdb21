import { readFileSync } from 'node:fs';
import { withSection } from '../../infra/text.ts';

const page = readFileSync('test/bench/README.md', 'utf8');

test('new results replace only the benchmark table', () => {
  const once = withSection(page, 'bench', 'first results');
  const twice = withSection(once, 'bench', 'second results');
  expect(page).toContain('authorizer: bundle');
  expect(once).not.toContain('authorizer: bundle');
  expect(twice).toBe(once.replace('first results', 'second results'));
  expect(twice.startsWith('# Benchmarks')).toBe(true);
  expect(twice).toContain('## Reading it');
});

test('a page without the markers is refused', () => {
  expect(() => withSection('# Benchmarks', 'bench', 'results')).toThrow('lacks <!-- bench:start -->');
});
