import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError, foundAt } from '../../platform/errors/domain-error.ts';
import { downstreamEntityKeys, type StoredDownstreamEntity, storedDownstreamEntity } from './stored.ts';

/**
 * A live entity of the organization; an id outside the organization is not found.
 * @throws DomainError `not_found` for an id that is unknown, soft-deleted or another organization's.
 */
export type OwnEntity = ReturnType<typeof createOwnEntity>;

export const createOwnEntity =
  (entities: Table) =>
  async (organizationId: string, downstreamEntityId: string): Promise<StoredDownstreamEntity> => {
    const found = await entities.get(storedDownstreamEntity, downstreamEntityKeys.entity(downstreamEntityId));
    if (found === undefined || found.isDeleted || found.downstreamOrganizationId !== organizationId) {
      throw new DomainError('not_found');
    }
    return found;
  };

/**
 * The entity that a list is narrowed to; undefined where its query names none.
 * @throws DomainError `not_found`, as above.
 */
export const entityFilter = async (
  ownEntity: OwnEntity,
  organizationId: string,
  downstreamEntityId: string | undefined,
): Promise<StoredDownstreamEntity | undefined> =>
  downstreamEntityId === undefined
    ? undefined
    : foundAt('downstreamEntityId', ownEntity(organizationId, downstreamEntityId));

/** The transaction item that refuses a write, as not found, once the agency is not the organization's. */
export type StillOwn = (organizationId: string, downstreamEntityId: string) => TransactionItem;

export const createStillOwn =
  ({ items }: Table): StillOwn =>
  (organizationId, downstreamEntityId) =>
    items.check(
      downstreamEntityKeys.entity(downstreamEntityId),
      { downstreamOrganizationId: organizationId },
      () => new DomainError('not_found'),
    );
