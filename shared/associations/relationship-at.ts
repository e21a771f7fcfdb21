import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { notFound } from '../contract/errors.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import type { Identity } from '../identity/identity.ts';
import { associationKeys, isLive, storedAssociation, storedMarket } from './stored.ts';

/** The two sides of a relationship; a carrier that is not on the platform has no id. */
export interface Relationship {
  readonly downstreamEntityId: string;
  readonly upstreamEntityId?: string | undefined;
}

/**
 * A relationship of the caller's: one of a carrier's associations, or of an agency's markets.
 * @throws ApiError `not_found` for a relationship that is unknown, soft-deleted or not the caller's.
 */
export type RelationshipAt = (
  caller: Pick<Identity, 'organizationId' | 'category'>,
  associationId: string,
) => Promise<Relationship>;

export const createRelationshipAt =
  (client: DynamoDBClient, table: string): RelationshipAt =>
  async ({ organizationId, category }, associationId) => {
    const isCarrier = category === 'upstreamEntity';
    const key = associationKeys[isCarrier ? 'association' : 'market'](organizationId, associationId);
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: toItem(key), ConsistentRead: true }),
    );
    if (Item === undefined) throw notFound();
    if (!isCarrier) return parseStored(storedMarket, unmarshall(Item));
    const association = parseStored(storedAssociation, unmarshall(Item));
    if (!isLive(association)) throw notFound();
    return association;
  };
