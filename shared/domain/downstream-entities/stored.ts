import * as z from 'zod/mini';
import {
  type ChangedTable,
  changeMark,
  itemsChangedSince,
  platform,
} from '#platform/changes/change-index.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { sortText } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { downstreamEntity } from './resource.ts';

/** An agency's item; its keys are described in `shared/domain/table-designs.ts`. */
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
