import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { realTime } from '../../platform/dates/clock.ts';
import type { SignInTokens } from './sign-in-tokens.ts';

/** Seconds for which an invitation is valid. */
const invitationLifetime = 7 * 24 * 3_600;

/** Whom a link signs in, and where. */
export const admission = object(() => ({
  purpose: z.enum(['invitation', 'sign-in']),
  downstreamEntityAssociationId: objectId,
  email: z.string(),
}));

export type Admission = z.output<typeof admission>;

/** A link that works once. */
interface OneTimeLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Only a hash is stored of a token, so that reading the table does not allow anyone to sign in. */
export const linkKey = (token: string) => ({ pk: createHash('sha256').update(token).digest('hex') });

/** One-time links into the agencies' application. @param baseUrl its address. */
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
      const expiresAt = Math.floor(realTime(now).getTime() / 1_000) + invitationLifetime;
      const stored = { ...linkKey(token), ...admitted, expiresAt };
      return { ...link(admitted.purpose, token, expiresAt), item: links.put(stored) };
    },

    /** A sign-in link, of which nothing is stored before it is redeemed. */
    async signIn(signIn: Parameters<SignInTokens['make']>[0], now: Date): Promise<OneTimeLink> {
      const { token, expiresAt } = await signInTokens.make(signIn, realTime(now));
      return link('sign-in', token, expiresAt);
    },
  };
}
