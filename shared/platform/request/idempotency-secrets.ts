import { createHmac, hkdfSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { seal, unseal } from '../crypto/seal.ts';

/** What a key is bound to: the same key means the same request only within one scope. */
export interface IdempotentRequest {
  readonly key: string;
  /** Organization, credential, method, path template and the ids in the path. */
  readonly scope: readonly string[];
  /** The parsed query and body; others under the same key are refused. */
  readonly body: unknown;
}

/** What is derived from the idempotency key of a request; the key itself is not stored. */
export type IdempotencySecrets = ReturnType<typeof idempotencySecrets>;

/** Bytes of each derived key. */
const keyBytes = 32;

/**
 * Derives three independent keys from the idempotency key with HKDF (RFC 5869): one names the record, one authenticates the
 * body, and one encrypts the response. The scope is part of the derivation, so the same idempotency key of another
 * organization or for another resource leads to other keys.
 */
export function idempotencySecrets({ key, scope, body }: IdempotentRequest) {
  const info = JSON.stringify(['insurance-compliance-api/idempotency', ...scope]);
  const derived = Buffer.from(hkdfSync('sha256', key, '', info, 3 * keyBytes));
  const nameKey = derived.subarray(0, keyBytes);
  const bodyKey = derived.subarray(keyBytes, 2 * keyBytes);
  const responseKey = derived.subarray(2 * keyBytes);
  // A parsed body has its keys in the schema's order, so equal bodies make equal strings.
  const bodyText = JSON.stringify(body ?? null);
  return {
    /** What Powertools hashes to the record's id, and compares requests by: it reveals neither the key nor the body. */
    payload: {
      key: nameKey.toString('base64'),
      body: createHmac('sha256', bodyKey).update(bodyText).digest('base64'),
    },
    /** Compresses and encrypts (AES-256-GCM) a response for its record: only a caller with the same key gets it back. */
    seal: (response: string, recordId: string) => seal(responseKey, gzipSync(response), recordId),
    unseal: (sealed: Uint8Array, recordId: string) =>
      gunzipSync(unseal(responseKey, sealed, recordId)).toString('utf8'),
  };
}
