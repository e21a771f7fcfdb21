import type { Table } from '../../platform/data/table.ts';
import type { PageOf } from '../../platform/data/table-reads.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError, foundAt } from '../../platform/errors/domain-error.ts';
import type { Identity } from '../../platform/identity/identity.ts';
import { createMovesOf } from './entity-moves.ts';
import { type Ownership, ownershipOf } from './own-records.ts';
import { downstreamEntityKeys, type StoredDownstreamEntity, storedDownstreamEntity } from './stored.ts';

/** What tells which agencies belong to an organization, and did. */
export type OwnEntities = ReturnType<typeof createOwnEntities>;

export const createOwnEntities = (entities: Table) => ({
  movesOf: createMovesOf(entities),

  /**
   * A live entity of the organization; an id outside the organization is not found.
   * @throws DomainError `not_found` for an id that is unknown, soft-deleted or another organization's.
   */
  async ownEntity(organizationId: string, downstreamEntityId: string): Promise<StoredDownstreamEntity> {
    const found = await entities.get(storedDownstreamEntity, downstreamEntityKeys.entity(downstreamEntityId));
    if (found === undefined || found.isDeleted || found.downstreamOrganizationId !== organizationId) {
      throw new DomainError('not_found');
    }
    return found;
  },

  /** The transaction item that refuses a write, as not found, once the agency is not the organization's. */
  stillOwn: (organizationId: string, downstreamEntityId: string): TransactionItem =>
    entities.items.check(
      downstreamEntityKeys.entity(downstreamEntityId),
      { downstreamOrganizationId: organizationId },
      () => new DomainError('not_found'),
    ),
});

/**
 * The entity that a list is narrowed to; undefined where its query names none.
 * @throws DomainError `not_found`, as above.
 */
export const entityFilter = async (
  ownEntity: OwnEntities['ownEntity'],
  organizationId: string,
  downstreamEntityId: string | undefined,
): Promise<StoredDownstreamEntity | undefined> =>
  downstreamEntityId === undefined
    ? undefined
    : foundAt('downstreamEntityId', ownEntity(organizationId, downstreamEntityId));

/**
 * A page of an agency's list; whether the entity that it is narrowed to belongs to the organization is checked while it is read.
 * @throws DomainError `not_found`, as above.
 */
export async function ownPage<
  Query extends PageOf & { readonly downstreamEntityId?: string | undefined },
  Found,
>(
  { identity, query }: { readonly identity: Identity; readonly query: Query },
  { ownEntity, movesOf }: Pick<OwnEntities, 'ownEntity' | 'movesOf'>,
  read: (ownership: Ownership, downstreamEntityId: string | undefined, query: Query) => Promise<Found>,
): Promise<Found> {
  const { downstreamEntityId } = query;
  const [found] = await Promise.all([
    read(ownershipOf(identity, movesOf), downstreamEntityId, query),
    entityFilter(ownEntity, identity.organizationId, downstreamEntityId),
  ]);
  return found;
}
