import { type ChangedTable, changedSince } from '../../platform/changes/change-index.ts';
import { platform } from '../../platform/changes/change-mark.ts';
import { mapPages } from '../../platform/data/collect.ts';
import { isNew } from '../../platform/data/expressions.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import {
  downstreamEntityIndexes,
  downstreamEntityKeys,
  entityIdOf,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from './stored.ts';

/** Agencies of the platform. */
export type DownstreamEntities = ReturnType<typeof createDownstreamEntities>;

export const createDownstreamEntities = (table: ChangedTable) => ({
  /** Those of these ids that exist and are not soft-deleted, by id; one that breaks its schema is thrown when it is asked for. */
  async findAll(downstreamEntityIds: readonly string[]) {
    const found = await table.getByKey(
      storedDownstreamEntity,
      downstreamEntityIds.map((id) => downstreamEntityKeys.entity(id)),
    );
    return {
      get(id: string): StoredDownstreamEntity | undefined {
        const entity = found(downstreamEntityKeys.entity(id));
        return entity?.isDeleted === true ? undefined : entity;
      },
    };
  },

  /** Ids of the agencies of the platform that changed at a time (`toISOString`) or later, one database page at a time. */
  changedSince: (since: string): AsyncIterable<string[]> =>
    mapPages(changedSince(table, platform, since), (keys) => keys.map(({ pk }) => entityIdOf(pk))),

  /** The transaction item that creates an agency. */
  creation: (entity: StoredDownstreamEntity) =>
    table.items.put(
      { ...downstreamEntityKeys.entity(entity._id), ...downstreamEntityIndexes(entity), ...entity },
      isNew,
      () => new Error(`The downstream entity ${entity._id} already exists.`),
    ),

  // An import may leave `updatedAt` as it is.
  /** The transaction item that checks that an agency is as it was read, for those who copy from it. */
  unchanged: ({ _id, updatedAt, recordHash }: StoredDownstreamEntity, refused: TransactionItem['refused']) =>
    table.items.check(downstreamEntityKeys.entity(_id), { updatedAt, isDeleted: false, recordHash }, refused),
});
