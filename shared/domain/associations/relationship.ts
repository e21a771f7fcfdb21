import type { Table } from '../../platform/data/table.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { Identity } from '../../platform/identity/identity.ts';
import { findOwn, type MovesOf } from '../downstream-entities/own-records.ts';
import { associationKeys, isLive, storedAssociation, storedMarket } from './stored.ts';

/** The two sides of a relationship; a carrier that is not on the platform has no id. */
export interface Relationship {
  readonly downstreamEntityId: string;
  readonly upstreamEntityId?: string | undefined;
}

/**
 * A relationship of the caller: one of a carrier's associations, or one of an agency's markets; and its `owner`, with which
 * the keys of records about it begin on the caller's side.
 * @throws DomainError `not_found` for a relationship that is unknown, soft-deleted or not the caller's.
 */
export const createRelationshipAt =
  (associations: Table, movesOf: MovesOf) =>
  async (
    { organizationId, category }: Pick<Identity, 'organizationId' | 'category'>,
    associationId: string,
  ): Promise<Relationship & { readonly owner: string }> => {
    if (category !== 'upstreamEntity') {
      const find = (owner: string) =>
        associations.get(storedMarket, associationKeys.market(owner, associationId));
      const ownership = { organizationId, moves: movesOf(organizationId) };
      const market = await findOwn(ownership, find, ({ downstreamEntityId }) => downstreamEntityId);
      if (market === undefined) throw new DomainError('not_found');
      return { ...market.record, owner: market.owner };
    }
    const key = associationKeys.association(organizationId, associationId);
    const association = await associations.get(storedAssociation, key);
    if (association === undefined || !isLive(association)) throw new DomainError('not_found');
    return { ...association, owner: organizationId };
  };
