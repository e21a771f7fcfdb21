import * as z from 'zod/mini';
import {
  type ChangedTable,
  changeMark,
  itemsChangedSince,
  platform,
} from '#platform/changes/change-index.ts';
import { objectId } from '#platform/contract/primitives.ts';
import type { Identity } from '#platform/contract/route.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { sortText } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { IndexPartition, PageOf, Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError, foundAt } from '#platform/errors/domain-error.ts';
import { downstreamEntity } from './resource.ts';

/** An agency's item; its keys are described in `shared/domain/tables.ts`. */
export const storedDownstreamEntity = storedItem('downstream-entities/entity', {
  ...downstreamEntity.shape,
  /** The organization that the agency has on the platform, where it has one. */
  downstreamOrganizationId: z.optional(objectId),
  /** There while the agency's records are copied from one organization to another. */
  move: z.optional(
    z.object({
      /** `recordOwnerOf` the agency as it was before. */
      from: z.string(),
      /** The organization that it joins; null for none. */
      to: z.nullable(objectId),
      /** Whether the import that moves it is to send no events. */
      isSilent: z.boolean(),
    }),
  ),
  /** Hash of the record that was imported last; absent where none was. */
  recordHash: z.optional(z.string()),
  isDeleted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type StoredDownstreamEntity = z.output<typeof storedDownstreamEntity>;

export const downstreamEntityKeys = {
  entity: (downstreamEntityId: string) => ({ pk: `ENTITY#${downstreamEntityId}` }),
  idKey: () => ({ pk: 'ID_KEY' }),
};

/** A message of the queue agency-moves: copy the agency's records to the organization that it joins. */
export const agencyMove = z.strictObject({ downstreamEntityId: objectId });

/** The id of an agency in its key. */
const entityIdOf = (pk: string): string => pk.slice(downstreamEntityKeys.entity('').pk.length);

/**
 * Prefix of the keys of an agency's records on its own side: its organization, or the agency itself where it has none. When it
 * changes, a job copies them.
 */
export const recordOwnerOf = ({
  _id,
  downstreamOrganizationId,
}: Pick<StoredDownstreamEntity, '_id' | 'downstreamOrganizationId'>): string =>
  downstreamOrganizationId ?? `ENTITY#${_id}`;

/**
 * The attributes of an agency that changes now, of every write but the first: nobody has an association with a new agency
 * yet, and the one that comes is a change itself.
 */
export const agencyChangeMark = (downstreamEntityId: string, now: Date) =>
  changeMark(platform, downstreamEntityId, now);

/** The index keys of a live entity: its organization's list, and its NPN. */
export const downstreamEntityIndexes = ({
  _id,
  legalName,
  npn,
  downstreamOrganizationId,
}: Pick<StoredDownstreamEntity, '_id' | 'legalName' | 'npn' | 'downstreamOrganizationId'>) => ({
  organizationKey: downstreamOrganizationId,
  listSort: `${sortText(legalName)}#${_id}`,
  npnKey: npn ?? undefined,
});

/** Agencies of the platform. */
export type DownstreamEntities = ReturnType<typeof createDownstreamEntities>;

export const createDownstreamEntities = (table: ChangedTable) => ({
  /** Live agencies among these ids, by id; one that breaks its schema is thrown when it is asked for. */
  async findAll(downstreamEntityIds: readonly string[]) {
    const entityOf = await table.getByKey(
      storedDownstreamEntity,
      downstreamEntityIds.map((id) => downstreamEntityKeys.entity(id)),
    );
    return {
      get(id: string): StoredDownstreamEntity | undefined {
        const entity = entityOf(downstreamEntityKeys.entity(id));
        return entity?.isDeleted === true ? undefined : entity;
      },
    };
  },

  /** Ids of the agencies of the platform that changed at a time (`toISOString`) or later, one database page at a time. */
  itemsChangedSince: (since: string): AsyncIterable<string[]> =>
    mapPages(itemsChangedSince(table, platform, since), (keys) => keys.map(({ pk }) => entityIdOf(pk))),

  /** The transaction item that creates an agency. */
  creation: (entity: StoredDownstreamEntity) =>
    table.items.put(
      { ...downstreamEntityKeys.entity(entity._id), ...downstreamEntityIndexes(entity), ...entity },
      isNew,
      () => new Error(`The downstream entity ${entity._id} already exists.`),
    ),

  // An import may leave `updatedAt` as it is.
  /** The transaction item that checks that an agency is as it was read, for those who copy from it. */
  unchanged: ({ _id, updatedAt, recordHash }: StoredDownstreamEntity, refusal: TransactionItem['refused']) =>
    table.items.check(downstreamEntityKeys.entity(_id), { updatedAt, isDeleted: false, recordHash }, refusal),
});

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
