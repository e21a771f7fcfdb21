// One-time links into the agencies' application: their tokens, and the users that they may sign in.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { objectId, textUpTo } from '#platform/contract/primitives.ts';
import type { TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { email as emailAddress } from '../agents/resource.ts';
import { isSharedFor } from '../associations/sharing.ts';
import type { AssociationStore } from '../associations/store.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import { type ContactStore, isConfirmedAt } from '../contacts/store.ts';

/** The user that a sign-in link admits, and where. */
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
  /** Hash that is the same however the token is written. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

/**
 * Tokens of sign-in links. Nothing is stored of one before it is redeemed, so that a GET, which has no rate limit, can make any
 * number of them; nor does it say the contact's address.
 */
export type SignInTokens = ReturnType<typeof createSignInTokens>;

export const signInMinutes = 15;

const lifetimeSeconds = signInMinutes * 60;

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

/** Days for which an invitation is valid. */
export const invitationDays = 7;

const invitationLifetime = invitationDays * 24 * 3_600;

/** The user that a link signs in, and where. */
export const admission = z.object({
  purpose: z.enum(['invitation', 'sign-in']),
  downstreamEntityAssociationId: objectId,
  email: z.string(),
});

export type Admission = z.output<typeof admission>;

/** A link that works once. */
interface OneTimeLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Hash of a token: nothing else is stored of it, so that reading the table does not allow anyone to sign in. */
export const linkKey = (token: string) => ({ pk: createHash('sha256').update(token).digest('hex') });

/** Links into the agencies' application that work once. @param baseUrl its address. */
export function createOneTimeLinks(links: TableItems, signInTokens: SignInTokens, baseUrl: string) {
  const link = (purpose: Admission['purpose'], token: string, expiresAt: number): OneTimeLink => {
    const url = new URL(`${baseUrl}/${purpose}`);
    url.searchParams.set('token', token);
    return { url: url.href, expiresAt: new Date(expiresAt * 1_000).toISOString() };
  };
  return {
    /** An invitation; the item stores it, without its token. */
    make(admitted: Admission, now: Date): OneTimeLink & { readonly item: TransactionItem } {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = Math.floor(now.getTime() / 1_000) + invitationLifetime;
      const linkItem = { ...linkKey(token), ...admitted, expiresAt };
      return { ...link(admitted.purpose, token, expiresAt), item: links.put(linkItem) };
    },

    /** A sign-in link, of which nothing is stored before it is redeemed. */
    async signIn(signIn: Parameters<SignInTokens['make']>[0], now: Date): Promise<OneTimeLink> {
      const { token, expiresAt } = await signInTokens.make(signIn, now);
      return link('sign-in', token, expiresAt);
    },
  };
}

/** Question of a redemption: the token, and what the agencies' application knows of who redeems it. */
export const redemptionInput = z.strictObject({
  token: textUpTo(200),
  /** The agency's organization, of which somebody is signed in. */
  organizationId: z.optional(objectId),
  /** An address that the application verified by other means than this link. */
  verifiedEmail: z.optional(emailAddress),
});

export type RedemptionInput = z.output<typeof redemptionInput>;

interface SignInStores {
  readonly associations: Pick<AssociationStore, 'sharingOf'>;
  readonly contacts: Pick<ContactStore, 'contactAt'>;
}

/**
 * The contact of an address that a link may sign in at an association, when it is made and when it is redeemed: the
 * association's own, or the whole agency's. With an agency that others know, the agency must have agreed to the association,
 * and the contact be one that somebody else than a carrier's request vouches for.
 * @returns the contact, or why there is none: what it takes, and what there is.
 */
export async function signInContact(
  association: StoredAssociation,
  address: string,
  { associations, contacts }: SignInStores,
) {
  const { _id, downstreamEntityId, agency, status } = association;
  const scope = { _id, downstreamEntityId, downstreamOrganizationId: agency.downstreamOrganizationId };
  const [contact, sharing] = await Promise.all([
    contacts.contactAt(scope, address),
    associations.sharingOf(downstreamEntityId),
  ]);
  const isShared = isSharedFor(association.upstreamEntityId, sharing, agency.downstreamOrganizationId);
  const refusalOf = (expected: string, actual: string) => ({ refusal: { expected, actual } });
  // First, so that the refusal does not show whose address it is.
  if (isShared && status === 'invited') return refusalOf('an association that the agency agreed to', status);
  if (contact === undefined) return refusalOf('a contact of the association', 'none');
  if (isShared && !isConfirmedAt(contact, scope)) {
    return refusalOf('a contact that the agency confirmed', 'a contact that only a carrier named');
  }
  return { contact };
}
