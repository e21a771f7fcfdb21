import type { Table } from '#platform/data/table.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import type { Identity } from '#platform/identity/identity.ts';
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
export const createRelationshipAt =
  (associations: Table) =>
  async (
    { organizationId, category }: Pick<Identity, 'organizationId' | 'category'>,
    associationId: string,
  ): Promise<Relationship> => {
    if (category !== 'upstreamEntity') {
      const market = await associations.get(
        storedMarket,
        associationKeys.market(organizationId, associationId),
      );
      if (market === undefined) throw new DomainError('not_found');
      return market;
    }
    const key = associationKeys.association(organizationId, associationId);
    const association = await associations.get(storedAssociation, key);
    if (association === undefined || !isLive(association)) throw new DomainError('not_found');
    return association;
  };
