import { toError } from '#platform/log/log.ts';

test('an error is returned unchanged; anything else becomes the message of one', () => {
  const error = new TypeError('as it was');
  expect(toError(error)).toBe(error);
  expect(toError('a string')).toEqual(new Error('a string'));
  expect(toError(undefined)).toEqual(new Error('undefined'));
});
