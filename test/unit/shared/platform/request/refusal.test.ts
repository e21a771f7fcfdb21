import { notFound } from '../../../../../shared/platform/contract/errors.ts';
import {
  TransactionContention,
  VersionConflict,
} from '../../../../../shared/platform/data/optimistic-lock.ts';
import {
  DomainError,
  type DomainErrorReason,
  foundAt,
} from '../../../../../shared/platform/errors/domain-error.ts';
import { refusalOf } from '../../../../../shared/platform/request/refusal.ts';

const contention = [new TransactionContention(), new VersionConflict()];

test('an error of the API is its own refusal', () => {
  const error = notFound();
  expect(refusalOf(error)).toBe(error);
});

test.each(contention)('$name becomes a transient conflict with it as the cause', (error) => {
  expect(refusalOf(error)).toMatchObject({
    status: 409,
    errorType: 'transient_transaction_error',
    retryAfterSeconds: 1,
    cause: error,
  });
});

// Only of what passes by itself it is said when.
test.each<[DomainErrorReason, number, string, number | undefined]>([
  ['not_found', 404, 'not_found', undefined],
  ['state_conflict', 409, 'conflict', undefined],
  ['market_has_primary', 409, 'conflict', undefined],
  ['plan_limit_reached', 403, 'invite_limit_reached', undefined],
  ['duplicate_external_id', 409, 'duplicate_external_id_error', undefined],
  ['duplicate_producer_code', 409, 'duplicate_producer_code_error', undefined],
  ['concurrent_duplicate', 409, 'transient_transaction_error', undefined],
  ['storage_unavailable', 503, 'service_unavailable', 1],
])('%s has status %d, %s, and a message of the API', (reason, status, errorType, retryAfterSeconds) => {
  const error = new DomainError(reason);
  const refusal = refusalOf(error);
  expect(refusal).toMatchObject({ status, errorType, cause: error });
  expect(refusal?.retryAfterSeconds).toBe(retryAfterSeconds);
  expect(refusal?.message).toMatch(/^[A-Z].*\.$/);
});

test('the message of a domain error reaches the caller', () => {
  expect(refusalOf(new DomainError('state_conflict', { message: 'It is open.' }))).toMatchObject({
    errorType: 'conflict',
    message: 'It is open.',
  });
});

test('the details name the limit that was reached', () => {
  const limit = { expected: 'at most 3 associated agencies', actual: '3' };
  expect(refusalOf(new DomainError('plan_limit_reached', { limit }))).toMatchObject({ details: limit });
});

test('the details have the id of the record that stands in the way, beside the fields at fault', () => {
  const ids = { contactId: '65f0c1d2e3a4b5c6d7e8f912' };
  const issues = [{ path: 'email', message: 'is taken' }];
  expect(refusalOf(new DomainError('state_conflict', { ids }))?.details).toEqual(ids);
  expect(refusalOf(new DomainError('not_found', { ids, issues }))?.details).toEqual({ issues, ...ids });
  expect(refusalOf(new DomainError('state_conflict'))?.details).toBeUndefined();
});

test('the refusal of invalid input names each field at fault', () => {
  const issues = [
    { path: 'associations', message: 'are too many' },
    { path: 'email', message: 'is taken' },
  ];
  expect(refusalOf(new DomainError('invalid_input', { issues }))).toMatchObject({
    status: 400,
    errorType: 'validation_error',
    message: 'associations: are too many; email: is taken',
    details: { issues },
  });
});

test('the refusal of an id in a body names the field', async () => {
  const looked = foundAt('downstreamEntityId', Promise.reject(new DomainError('not_found')));
  const error: unknown = await looked.catch((reason: unknown) => reason);
  expect(refusalOf(error)).toMatchObject({
    status: 404,
    errorType: 'not_found',
    message: 'downstreamEntityId: does not exist or is not yours',
    details: { issues: [{ path: 'downstreamEntityId', message: 'does not exist or is not yours' }] },
  });
});

test('no other failure is a refusal', () => {
  expect(refusalOf(new Error('ours'))).toBeUndefined();
  expect(refusalOf('ours')).toBeUndefined();
});
