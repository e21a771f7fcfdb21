import { randomBytes } from 'node:crypto';
import { seal, unseal } from '#platform/crypto/seal.ts';

const key = randomBytes(32);
const plain = Buffer.from('whsec_secret');

it('gives back what was sealed, and seals the same text differently each time', () => {
  const sealed = seal(key, plain, 'webhook 1');
  expect(unseal(key, sealed, 'webhook 1')).toEqual(plain);
  expect(seal(key, plain, 'webhook 1')).not.toEqual(sealed);
  expect(sealed.includes(plain)).toBe(false);
});

it('opens what another version has sealed', () => {
  const sealed = Buffer.from('AQEBAQEBAQEBAQEBAYn60vPgn2uyprlVMD1VjTXVuMT01I7URw5KeA==', 'base64');
  expect(unseal(Buffer.alloc(32, 7), sealed, 'webhook 1')).toEqual(plain);
});

it.each([
  ['another key', (sealed: Buffer) => unseal(randomBytes(32), sealed, 'webhook 1')],
  ['another context', (sealed: Buffer) => unseal(key, sealed, 'webhook 2')],
  ['a byte too few', (sealed: Buffer) => unseal(key, sealed.subarray(0, -1), 'webhook 1')],
  ['nothing', () => unseal(key, Buffer.alloc(0), 'webhook 1')],
  [
    'a changed byte',
    (sealed: Buffer) => {
      sealed.writeUInt8(sealed.readUInt8(14) ^ 1, 14);
      return unseal(key, sealed, 'webhook 1');
    },
  ],
])('refuses %s', (_, open) => {
  expect(() => open(seal(key, plain, 'webhook 1'))).toThrow();
});
