import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { changedSince } from '../../platform/changes/change-index.ts';
import { platform } from '../../platform/changes/change-mark.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { tableOf } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import {
  downstreamEntityIndexes,
  downstreamEntityKeys,
  entityIdOf,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from './stored.ts';
import { downstreamEntitiesTable } from './table.ts';

/** Agencies of the platform. */
export interface DownstreamEntities {
  /** Those of these ids that exist and are not soft-deleted, by id. */
  findAll(downstreamEntityIds: readonly string[]): Promise<ReadonlyMap<string, StoredDownstreamEntity>>;
  /** Ids of the agencies of the platform that changed at a time (`toISOString`) or later, one database page at a time. */
  changedSince(since: string): AsyncIterable<string[]>;
  /** The transaction item that creates an agency. */
  creation(entity: StoredDownstreamEntity): TransactionItem;
  /** The transaction item that checks that an agency is as it was read, for those who copy from it. */
  unchanged(entity: StoredDownstreamEntity, refused: TransactionItem['refused']): TransactionItem;
}

export const createDownstreamEntities = (client: DynamoDBClient, table: string): DownstreamEntities => ({
  async findAll(downstreamEntityIds) {
    const keys = Array.from(new Set(downstreamEntityIds), (id) => downstreamEntityKeys.entity(id));
    const items = await batchGet(client, table, keys, { consistent: true });
    const found = items.map((item) => parseStored(storedDownstreamEntity, item));
    return new Map(found.filter(({ isDeleted }) => !isDeleted).map((entity) => [entity._id, entity]));
  },

  changedSince(since) {
    const pages = changedSince(tableOf(downstreamEntitiesTable, client, table), platform, since);
    return (async function* () {
      for await (const keys of pages) yield keys.map(({ pk }) => entityIdOf(pk));
    })();
  },

  creation: (entity) => ({
    write: {
      Put: {
        TableName: table,
        Item: toItem({
          ...downstreamEntityKeys.entity(entity._id),
          ...downstreamEntityIndexes(entity),
          ...entity,
        }),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    refused: () => new Error(`The downstream entity ${entity._id} already exists.`),
  }),

  unchanged: ({ _id, updatedAt, recordHash }, refused) => ({
    write: {
      ConditionCheck: {
        TableName: table,
        Key: toItem(downstreamEntityKeys.entity(_id)),
        // An import may leave `updatedAt` as it is.
        ConditionExpression: `updatedAt = :updatedAt AND isDeleted = :no AND ${
          recordHash === undefined ? 'attribute_not_exists(recordHash)' : 'recordHash = :recordHash'
        }`,
        ExpressionAttributeValues: toItem({
          ':updatedAt': updatedAt,
          ':no': false,
          ':recordHash': recordHash,
        }),
      },
    },
    refused,
  }),
});
