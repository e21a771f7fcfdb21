import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import type { SignatureKeys } from '#platform/crypto/signature-keys.ts';

/** A key of receipts in memory, made with the first call. */
export function memorySignatureKeys(): SignatureKeys {
  let pair: ReturnType<typeof generateKeyPair> | undefined;
  const made = () => {
    pair ??= generateKeyPair('ES256');
    return pair;
  };
  return {
    async sign(payload) {
      const { privateKey } = await made();
      return new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(privateKey);
    },
    async publicKeys() {
      const { kty = '', crv = '', x = '', y = '' } = await exportJWK((await made()).publicKey);
      return [{ kty, crv, x, y, kid: 'one', alg: 'ES256', use: 'sig' }];
    },
  };
}
