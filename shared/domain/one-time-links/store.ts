import { createHash, randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { type TransactionItem, transact, unconditional } from '../../platform/data/transact.ts';

/** The purposes of links, with the seconds for which they are valid. */
const lifetimes = {
  invitation: 7 * 24 * 3_600,
  'sign-in': 15 * 60,
} as const;

/** Whom a link signs in, and where. */
export const admission = lazyObject(() => ({
  purpose: z.enum(['invitation', 'sign-in']),
  downstreamEntityAssociationId: objectId,
  email: z.string(),
}));

export type Admission = z.output<typeof admission>;

/** A link that works once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expiresAt: string;
  /** The transaction item that stores it, without its token. */
  readonly item: TransactionItem;
}

/** One-time links into the agencies' application. */
export interface OneTimeLinks {
  make(admission: Admission, now: Date): OneTimeLink;
  store(link: OneTimeLink): Promise<void>;
}

/** Only a hash is stored of a token, so that reading the table does not allow anyone to sign in. */
export const linkKey = (token: string) => ({ pk: createHash('sha256').update(token).digest('hex') });

/** @param baseUrl address of the agencies' application. */
export const createOneTimeLinks = (client: DynamoDBClient, table: string, baseUrl: string): OneTimeLinks => ({
  make(admitted, now) {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = Math.floor(now.getTime() / 1_000) + lifetimes[admitted.purpose];
    const url = new URL(`${baseUrl}/${admitted.purpose}`);
    url.searchParams.set('token', token);
    return {
      url: url.href,
      expiresAt: new Date(expiresAt * 1_000).toISOString(),
      item: unconditional({
        Put: { TableName: table, Item: toItem({ ...linkKey(token), ...admitted, expiresAt }) },
      }),
    };
  },

  store: ({ item }) => transact(client, [item]),
});
