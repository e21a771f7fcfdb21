import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { joseSignature } from '#platform/crypto/signature-keys.ts';

it('writes a signature as JOSE has it, whatever the lengths of its numbers', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  // With both numbers of 32 bytes, DER is of 70. One in a hundred signatures has a number that is shorter.
  for (let number = 0, shortest = 70; shortest === 70; number += 1) {
    const signed = Buffer.from(String(number));
    const der = sign('sha256', signed, privateKey);
    shortest = Math.min(shortest, der.length);
    if (!verify('sha256', signed, key, joseSignature(der))) throw new Error(der.toString('hex'));
  }
});
