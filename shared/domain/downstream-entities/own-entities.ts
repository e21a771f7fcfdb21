import type { IndexPartition, PageOf, Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError, foundAt } from '#platform/errors/domain-error.ts';
import type { Identity } from '#platform/identity/identity.ts';
import { downstreamEntityKeys, type StoredDownstreamEntity, storedDownstreamEntity } from './stored.ts';

// Which agencies are an organization's (OpenAPI, "Agencies that move"). The records of an agency are stored under its organization.

/** The index partitions that hold an owner's list, those of one agency if one is given. */
export type OwnPartitions<Index extends string = string> = (
  owner: string,
  downstreamEntityId: string | undefined,
) => readonly IndexPartition<Index>[];

/** The page that holds a whole list. */
export const everything: PageOf = { page: 1, limit: 1e9 };

/** Seconds after which a caller may try again what a move refuses. */
const retryAfterSeconds = 30;

/** The refusal of a change of what is being copied to the agency's next organization. */
export const agencyIsMoving = (): DomainError =>
  new DomainError('state_conflict', {
    message: 'The agency is moving to another organization. Try again in a minute.',
    retryAfterSeconds,
  });

/** Reads and checks of the agencies that belong to an organization. */
export type OwnEntities = ReturnType<typeof createOwnEntities>;

export const createOwnEntities = (entities: Table) => ({
  /**
   * A live entity of the organization; an id outside the organization is not found.
   * @throws DomainError `not_found` for an id that is unknown, soft-deleted or another organization's.
   */
  async ownEntity(organizationId: string, downstreamEntityId: string): Promise<StoredDownstreamEntity> {
    const entity = await entities.get(
      storedDownstreamEntity,
      downstreamEntityKeys.entity(downstreamEntityId),
    );
    if (entity === undefined || entity.isDeleted || entity.downstreamOrganizationId !== organizationId) {
      throw new DomainError('not_found');
    }
    return entity;
  },

  /**
   * The transaction item that refuses a write once the agency is not the organization's, as not found, and while it moves, as a
   * conflict.
   */
  stillOwn: (organizationId: string, downstreamEntityId: string): TransactionItem =>
    entities.items.check(
      downstreamEntityKeys.entity(downstreamEntityId),
      { downstreamOrganizationId: organizationId, move: undefined },
      (storedFields) =>
        storedFields?.['downstreamOrganizationId'] === organizationId
          ? agencyIsMoving()
          : new DomainError('not_found'),
    ),

  /** The transaction item that refuses an operator's write while the agency moves. */
  notMoving: (downstreamEntityId: string): TransactionItem =>
    entities.items.check(
      downstreamEntityKeys.entity(downstreamEntityId),
      { move: undefined },
      agencyIsMoving,
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
  { ownEntity }: Pick<OwnEntities, 'ownEntity'>,
  read: (organizationId: string, downstreamEntityId: string | undefined, query: Query) => Promise<Found>,
): Promise<Found> {
  const { organizationId } = identity;
  const { downstreamEntityId } = query;
  const [page] = await Promise.all([
    read(organizationId, downstreamEntityId, query),
    entityFilter(ownEntity, organizationId, downstreamEntityId),
  ]);
  return page;
}
