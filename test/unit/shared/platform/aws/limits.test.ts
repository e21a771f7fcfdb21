import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = 'shared/platform/aws/limits.ts';
const lines = readFileSync(file, 'utf8').split('\n');
const units = ['KB', 'MB'];
const limits = lines.flatMap((line, index) => {
  const name = /^export const (\w+) =/.exec(line)?.[1];
  return name === undefined || units.includes(name) ? [] : [{ name, comment: lines[index - 1] ?? '' }];
});

it.each(limits)("$name stands beside the address of AWS's documentation", ({ comment }) => {
  expect(comment).toMatch(/^\/\*\* .+ https:\/\/docs\.aws\.amazon\.com\/\S+ \*\/$/);
});

const users = ['functions', 'infra', 'shared', 'test/infra'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && path !== file)
    .map((path) => readFileSync(path, 'utf8')),
);

it.each(limits)('code, templates or the local run depend on $name', ({ name }) => {
  expect(users.some((text) => new RegExp(`\\b${name}\\b`).test(text))).toBe(true);
});
