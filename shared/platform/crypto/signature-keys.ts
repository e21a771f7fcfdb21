import { createHash, createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, calculateJwkThumbprint, type JWK } from 'jose';
import { clientDefaults } from '../aws/calls.ts';
import { readOnce } from '../data/caches.ts';

/** A public key as JSON Web Key Sets have it (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  /** Thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** KMS keys (ECC_NIST_P256) of which the first signs; the others verify what they once signed. */
export type SignatureKeys = ReturnType<typeof createSignatureKeys>;

/** Bytes of each half of a signature of P-256. */
const halfBytes = 32;

/**
 * A signature as JOSE has it, both numbers in 32 bytes each (RFC 7518, section 3.4), from KMS's, which is DER: a sequence of two
 * integers, each with its length and as many bytes as it needs, one more where it would look negative.
 */
export function joseSignature(der: Uint8Array): Uint8Array {
  const lengthAt = 3;
  const first = der[lengthAt] ?? 0;
  const half = (offset: number, length: number): Buffer => {
    const bytes = Buffer.from(der.subarray(offset, offset + length)).subarray(-halfBytes);
    return Buffer.concat([Buffer.alloc(halfBytes - bytes.length), bytes]);
  };
  const secondAt = lengthAt + 1 + first + 1;
  return Buffer.concat([half(lengthAt + 1, first), half(secondAt + 1, der[secondAt] ?? 0)]);
}

export function createSignatureKeys(
  keyArns: readonly [string, ...string[]],
  client = new KMSClient(clientDefaults('kms')),
) {
  const read = async (KeyId: string): Promise<PublicKey> => {
    const { PublicKey: spki } = await client.send(new GetPublicKeyCommand({ KeyId }));
    if (spki === undefined) throw new Error('KMS returned no public key.');
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { kty = '', crv = '', x = '', y = '' }: JWK = key.export({ format: 'jwk' });
    return {
      kty,
      crv,
      x,
      y,
      kid: await calculateJwkThumbprint({ kty, crv, x, y }),
      alg: 'ES256',
      use: 'sig',
    };
  };
  const [signing, ...formerArns] = keyArns;
  const signingKey = readOnce(() => read(signing));
  const formerKeys = formerArns.map((arn) => readOnce(() => read(arn)));
  return {
    /** A payload as a compact JWS (RFC 7515), signed with ES256: one call of KMS. */
    async sign(payload: string): Promise<string> {
      const { kid } = await signingKey();
      const signedText = [{ alg: 'ES256', typ: 'JWT', kid }, payload]
        .map((part) => base64url.encode(typeof part === 'string' ? part : JSON.stringify(part)))
        .join('.');
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: signing,
          Message: createHash('sha256').update(signedText).digest(),
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      if (Signature === undefined) throw new Error('KMS returned no signature.');
      return `${signedText}.${base64url.encode(joseSignature(Signature))}`;
    },
    /** Every key's public half, that of the signing one first; KMS is asked once for each. */
    publicKeys: (): Promise<readonly PublicKey[]> =>
      Promise.all([signingKey, ...formerKeys].map((key) => key())),
  };
}
