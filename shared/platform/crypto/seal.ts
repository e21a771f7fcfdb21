// Apart from `data-keys.ts`: idempotency seals without KMS.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
/** Bytes with which a sealed text begins; they are random. */
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with AES-256-GCM: a random nonce, the ciphertext, and the tag, in this order.
 * @param key 32 bytes.
 * @param context where the text belongs; it cannot be decrypted with another one.
 */
export function seal(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts what `seal` encrypted.
 * @throws Error when the key, the context, or any byte is another one.
 */
export function unseal(key: Uint8Array, sealedBytes: Uint8Array, context: string): Buffer {
  const tagAt = sealedBytes.length - tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealedBytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealedBytes.subarray(tagAt));
  return Buffer.concat([decipher.update(sealedBytes.subarray(nonceBytes, tagAt)), decipher.final()]);
}
