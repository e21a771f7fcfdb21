import { isTransactionConflict, isTransient } from '#platform/aws/transient-errors.ts';
import { brokenConnection, canceled, exception, transientForms } from '../../../support/aws-errors.ts';

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
