import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTransactionConflict, isTransient } from '#platform/aws/calls.ts';
import { brokenConnection, canceled, exception, transientForms } from '../../../support/aws-errors.ts';

describe('limits', () => {
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
});

describe('transient errors', () => {
  test.each(transientForms)('%s is transient and not a conflict', (_, error) => {
    expect(isTransient(error)).toBe(true);
    expect(isTransactionConflict(error)).toBe(false);
  });

  test.each([
    ['a condition that fails', canceled('ConditionalCheckFailed', 'ThrottlingError')],
    ['a write that is not valid', canceled('ValidationError', 'None')],
    ['a conditional write', exception('ConditionalCheckFailedException')],
    ['a missing permission', exception('AccessDeniedException', 403)],
    ['a missing resource', exception('ResourceNotFoundException')],
    ['a local file', brokenConnection('ENOENT')],
    ['what is no error', 'ThrottlingException'],
  ])('%s is not transient', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });

  test.each([
    ['a transaction', canceled('None', 'TransactionConflict')],
    ['a single write', exception('TransactionConflictException')],
  ])('%s that conflicted with another write is a conflict', (_, error) => {
    expect(isTransactionConflict(error)).toBe(true);
    expect(isTransient(error)).toBe(false);
  });

  test('an error that is its own cause is classified', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isTransient(error)).toBe(false);
  });
});
