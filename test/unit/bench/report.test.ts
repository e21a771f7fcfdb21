import { readFileSync } from 'node:fs';
import { withResults } from '../../bench/report.ts';

const page = readFileSync('test/bench/README.md', 'utf8');

test('the results on the page are replaced, and nothing else', () => {
  const once = withResults(page, 'first results');
  const twice = withResults(once, 'second results');
  expect(once).toContain('first results');
  expect(once).not.toContain('authorizer: bundle');
  expect(twice).toBe(once.replace('first results', 'second results'));
  expect(twice.startsWith('# Benchmarks')).toBe(true);
  expect(twice).toContain('## Reading it');
});

test('a page without markers is left alone', () => {
  expect(() => withResults('# Benchmarks', 'results')).toThrow('lacks <!-- bench:start -->');
});
