import { notFound } from '../../../../shared/contract/errors.ts';
import { TransactionContention, VersionConflict } from '../../../../shared/data/optimistic-lock.ts';
import { StateConflict } from '../../../../shared/data/state-conflict.ts';
import { operatorHandler } from '../../../../shared/operator/handler.ts';
import { refusalOf } from '../../../../shared/request/refusal.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';

const contention = [new TransactionContention(), new VersionConflict()];

test('an error of the API is its own refusal', () => {
  const error = notFound();
  expect(refusalOf(error)).toBe(error);
});

test.each(contention)('$name is a conflict that passes, and stays its cause', (error) => {
  expect(refusalOf(error)).toMatchObject({
    status: 409,
    errorType: 'transient_transaction_error',
    cause: error,
  });
});

test('a conflict with what is stored tells the caller why', () => {
  expect(refusalOf(new StateConflict('It is open.'))).toMatchObject({
    status: 409,
    errorType: 'conflict',
    message: 'It is open.',
  });
});

test('every other failure is no refusal', () => {
  expect(refusalOf(new Error('ours'))).toBeUndefined();
  expect(refusalOf('ours')).toBeUndefined();
});

test.each(contention)('an operator is answered $name, and it is no failure in the log', async (error) => {
  const logger = recordingLogger();
  const handler = operatorHandler(logger, () => Promise.reject(error));
  await expect(handler({})).resolves.toMatchObject({
    ok: false,
    error: { errorType: 'transient_transaction_error' },
  });
  expect(logger.lines).toMatchObject([{ level: 'info', event: 'operator_command', outcome: 'refused' }]);
});
