import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { joseSignature } from '../../../../../shared/platform/crypto/signature-keys.ts';

it('writes a signature as JOSE has it, whatever the lengths of its numbers', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const lengths = new Set<number>();
  // One in a hundred signatures has a number that is shorter than the others.
  for (let number = 0; number < 1_000; number += 1) {
    const signed = Buffer.from(String(number));
    const der = sign('sha256', signed, privateKey);
    lengths.add(der.length);
    if (!verify('sha256', signed, key, joseSignature(der))) throw new Error(der.toString('hex'));
  }
  expect(lengths.size).toBeGreaterThan(3);
});
