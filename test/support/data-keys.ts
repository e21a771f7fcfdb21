import { randomBytes } from 'node:crypto';
import type { DataKeys } from '#platform/crypto/data-keys.ts';
import { seal, unseal } from '#platform/crypto/seal.ts';

/** Data keys of a key in memory, and how often it was used. */
export function memoryDataKeys(): DataKeys & { readonly calls: string[] } {
  const material = randomBytes(32);
  const calls: string[] = [];
  return {
    calls,
    async generate() {
      calls.push('generate');
      const plain = randomBytes(32);
      return { plain, encrypted: seal(material, plain, 'data key') };
    },
    async decrypt(encrypted) {
      calls.push('decrypt');
      return unseal(material, encrypted, 'data key');
    },
  };
}
