import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { objectId } from '../contract/primitives.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import { type TransactionItem, transact } from '../data/transact.ts';
import { DomainError } from '../errors/domain-error.ts';

/** The purposes of links, with the seconds for which they are valid. */
const lifetimes = {
  invitation: 7 * 24 * 3_600,
  'sign-in': 15 * 60,
} as const;

/** Whom a link signs in, and where. */
const admission = z.object({
  purpose: z.enum(['invitation', 'sign-in']),
  downstreamEntityAssociationId: objectId,
  email: z.string(),
});

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

/** Only this is stored of a token, so that reading the table does not allow anyone to sign in. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

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
      item: {
        write: {
          Put: { TableName: table, Item: toItem({ pk: hashOf(token), ...admitted, expiresAt }) },
        },
        refused: () => new Error('A write without a condition was refused.'),
      },
    };
  },

  store: ({ item }) => transact(client, [item]),
});

/** Redeems a link's token, once. */
export type RedeemOneTimeLink = (token: string) => Promise<Admission>;

/**
 * A redeemed link stays in the table, marked, until it expires: when the response of the update is lost, the SDK's next
 * attempt finds its own mark and succeeds, as the first one did.
 *
 * @throws DomainError `not_found` for a token that is unknown, expired or redeemed; which of these is not revealed.
 */
export const createRedemption =
  (client: DynamoDBClient, table: string, now: () => Date): RedeemOneTimeLink =>
  async (token) => {
    try {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ pk: hashOf(token) }),
          UpdateExpression: 'SET redemption = :redemption',
          // DynamoDB deletes expired items with a delay, so the time is checked too.
          ConditionExpression:
            'expiresAt > :now AND (attribute_not_exists(redemption) OR redemption = :redemption)',
          ExpressionAttributeValues: toItem({
            ':now': Math.floor(now().getTime() / 1_000),
            ':redemption': randomUUID(),
          }),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return parseStored(admission, Attributes && unmarshall(Attributes));
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw new DomainError('not_found');
      throw error;
    }
  };
