import { setTimeout as pause } from 'node:timers/promises';
import { retryOnConflict, TransactionContention, VersionConflict } from '#platform/data/transact.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn().mockResolvedValue(undefined) }));

beforeEach(() => jest.mocked(pause).mockClear());

/** Work that conflicts so often before it succeeds. */
const conflicting = (times: number) =>
  jest.fn(async (attempt: number) => {
    if (attempt <= times) throw new VersionConflict(`attempt ${attempt}`);
    return `done in attempt ${attempt}`;
  });

it('returns the result of the operation, without a pause if there was no conflict', async () => {
  await expect(retryOnConflict(conflicting(0))).resolves.toBe('done in attempt 1');
  expect(pause).not.toHaveBeenCalled();
});

it('retries the operation after a conflict, with a longer random pause before each attempt', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await expect(retryOnConflict(conflicting(3))).resolves.toBe('done in attempt 4');
  expect(jest.mocked(pause).mock.calls).toEqual([[40], [80], [160]]);
  jest.mocked(Math.random).mockRestore();
});

it('throws contention, caused by the last conflict, after the last attempt', async () => {
  const work = conflicting(Number.POSITIVE_INFINITY);
  await expect(retryOnConflict(work, { attempts: 3 })).rejects.toMatchObject({
    name: 'TransactionContention',
    message: 'Other writers were faster 3 times.',
    cause: { name: 'VersionConflict', message: 'attempt 3' },
  });
  expect(new VersionConflict().message).toBe('A concurrent write changed the item.');
  expect(work).toHaveBeenCalledTimes(3);
  expect(pause).toHaveBeenCalledTimes(2);
});

it('passes on every other error at once', async () => {
  const failure = new Error('not a conflict');
  const work = jest.fn().mockRejectedValue(failure);
  await expect(retryOnConflict(work)).rejects.toBe(failure);
  expect(work).toHaveBeenCalledTimes(1);
});

it('does not multiply the attempts of nested operations', async () => {
  const inner = conflicting(Number.POSITIVE_INFINITY);
  const outer = jest.fn(() => retryOnConflict(inner, { attempts: 4 }));
  await expect(retryOnConflict(outer, { attempts: 4 })).rejects.toBeInstanceOf(TransactionContention);
  expect(inner).toHaveBeenCalledTimes(4);
  expect(outer).toHaveBeenCalledTimes(1);
});
