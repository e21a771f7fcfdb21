import { storedBytes } from '../../../../../shared/platform/data/stored-bytes.ts';

test.each([
  ['names and texts', { pk: { S: 'ab' }, é: { S: 'é' } }, 2 + 2 + 2 + 2],
  ['numbers: a byte for two digits, one, and one for a sign', { n: { N: '-123.45' } }, 1 + 5],
  ['booleans and null', { a: { BOOL: true }, b: { NULL: true } }, 2 + 2],
  ['lists: three, and one for each element', { l: { L: [{ S: 'a' }, { S: 'bc' }] } }, 1 + 3 + 2 + 3],
  ['maps: three, and one for each member', { m: { M: { ab: { S: 'c' } } } }, 1 + 3 + 1 + 2 + 1],
  ['sets', { s: { SS: ['a', 'bc'] } }, 1 + 3],
])('an item’s bytes are those of its %s', (_, item, bytes) => {
  expect(storedBytes(item)).toBe(bytes);
});
