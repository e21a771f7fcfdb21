import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../data/get-item.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Identity } from '../identity/identity.ts';
import { associationKeys, isLive, storedAssociation, storedMarket } from './stored.ts';

/** The two sides of a relationship; a carrier that is not on the platform has no id. */
export interface Relationship {
  readonly downstreamEntityId: string;
  readonly upstreamEntityId?: string | undefined;
}

/**
 * A relationship of the caller: one of a carrier's associations, or one of an agency's markets.
 * @throws DomainError `not_found` for a relationship that is unknown, soft-deleted or not the caller's.
 */
export type RelationshipAt = (
  caller: Pick<Identity, 'organizationId' | 'category'>,
  associationId: string,
) => Promise<Relationship>;

export const createRelationshipAt =
  (client: DynamoDBClient, table: string): RelationshipAt =>
  async ({ organizationId, category }, associationId) => {
    const isCarrier = category === 'upstreamEntity';
    if (!isCarrier) {
      const key = associationKeys.market(organizationId, associationId);
      const market = await getItem(client, table, key, storedMarket, { consistent: true });
      if (market === undefined) throw new DomainError('not_found');
      return market;
    }
    const key = associationKeys.association(organizationId, associationId);
    const association = await getItem(client, table, key, storedAssociation, { consistent: true });
    if (association === undefined || !isLive(association)) throw new DomainError('not_found');
    return association;
  };
