import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whom a sign-in link admits, and where. */
interface SignIn {
  readonly downstreamEntityAssociationId: string;
  readonly contactId: string;
  /** The contact's address: the link ends when the contact gets another one. Its case is ignored. */
  readonly email: string;
}

/** A sign-in token that is valid, whether or not it was redeemed. */
export interface ReadSignIn extends Omit<SignIn, 'email'> {
  /** Whether it was made for this address. */
  readonly isFor: (email: string) => Promise<boolean>;
  /** The same however the token is written. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

/**
 * Tokens of sign-in links. Nothing is stored of one before it is redeemed, so that a GET, which has no rate limit, can make any
 * number of them; nor does it say the contact's address.
 */
export type SignInTokens = ReturnType<typeof createSignInTokens>;

const lifetimeSeconds = 15 * 60;

/** Bytes of each part: two ids, the time of the end, what makes the token unique, the address's HMAC, and the HMAC over them. */
const [idBytes, timeBytes, nonceBytes, addressBytes, macBytes] = [12, 6, 16, 16, 32];
const bodyBytes = 2 * idBytes + timeBytes + nonceBytes + addressBytes;

/** @param secret the secret of sign-in links; see `DataStack`. */
export function createSignInTokens(secret: () => Promise<string>) {
  const macOf = async (body: Uint8Array): Promise<Buffer> =>
    createHmac('sha256', await secret())
      .update('sign-in')
      .update(body)
      .digest();
  /** Keyed, so that a token does not show whose address it might be; and with its nonce, so that none is like another. */
  const addressMac = async (nonce: Uint8Array, email: string): Promise<Buffer> =>
    (await macOf(Buffer.concat([nonce, Buffer.from(email.toLowerCase())]))).subarray(0, addressBytes);
  return {
    async make({ downstreamEntityAssociationId, contactId, email }: SignIn, now: Date) {
      const expiresAt = Math.floor(now.getTime() / 1_000) + lifetimeSeconds;
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(expiresAt, 0, timeBytes);
      const ids = Buffer.from(`${downstreamEntityAssociationId}${contactId}`, 'hex');
      const nonce = randomBytes(nonceBytes);
      const body = Buffer.concat([ids, time, nonce, await addressMac(nonce, email)]);
      const token = Buffer.concat([body, await macOf(body)]).toString('base64url');
      return { token, expiresAt };
    },
    /** Undefined for what this service did not make, and for a token that has expired. */
    async read(token: string, now: Date): Promise<ReadSignIn | undefined> {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== bodyBytes + macBytes) return undefined;
      const body = bytes.subarray(0, bodyBytes);
      if (!timingSafeEqual(bytes.subarray(bodyBytes), await macOf(body))) return undefined;
      const expiresAt = body.readUIntBE(2 * idBytes, timeBytes);
      if (expiresAt * 1_000 <= now.getTime()) return undefined;
      const [nonce, address] = [
        body.subarray(-addressBytes - nonceBytes, -addressBytes),
        body.subarray(-addressBytes),
      ];
      return {
        isFor: async (email) => timingSafeEqual(address, await addressMac(nonce, email)),
        downstreamEntityAssociationId: body.toString('hex', 0, idBytes),
        contactId: body.toString('hex', idBytes, 2 * idBytes),
        id: body.toString('hex'),
        expiresAt,
      };
    },
  };
}
