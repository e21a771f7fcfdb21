import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logEvents } from '../../shared/platform/log/events.ts';

const events = Object.keys(logEvents);
const code = ['functions', 'shared']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const runbook = readFileSync('infra/runbook.md', 'utf8');

/** First groups of all matches. */
const found = (pattern: RegExp, text: string): string[] =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group);

// A scheduled worker is given the names of its two events.
test.each(events)('the event %s is logged by a function', (event) => {
  expect(code).toMatch(new RegExp(`\\b(?:event|queued|done): .*'${event}'`));
});

test('the runbook names no unknown event', () => {
  const named = found(/`([a-z]+(?:_[a-z]+)+)`/g, runbook);
  expect(named).toContain('operator_command');
  expect(named.filter((name) => !events.includes(name))).toEqual([]);
});
