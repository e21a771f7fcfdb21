import { readFileSync } from 'node:fs';

const file = 'shared/aws/limits.ts';
const lines = readFileSync(file, 'utf8').split('\n');
const units = ['KB', 'MB'];
const limits = lines.flatMap((line, index) => {
  const name = /^export const (\w+) =/.exec(line)?.[1];
  return name === undefined || units.includes(name) ? [] : [{ name, comment: lines[index - 1] ?? '' }];
});

it.each(limits)("$name stands beside the address of AWS's documentation", ({ comment }) => {
  expect(comment).toMatch(/^\/\*\* .+ https:\/\/docs\.aws\.amazon\.com\/\S+ \*\/$/);
});
