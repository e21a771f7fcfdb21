import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../shared/data/batch-get.ts';
import { parseStored } from '../../shared/data/stored.ts';
import {
  downstreamEntityKeys,
  recordOwnerOf,
  storedDownstreamEntity,
} from '../../shared/downstream-entities/stored.ts';
import type { ReadLine, RejectedLine } from './lines.ts';

/** Those of these ids that are live entities of the organization, with what their records' keys begin with. */
export async function ownEntitiesAmong(
  client: DynamoDBClient,
  table: string,
  owner: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const keys = Array.from(new Set(ids), (id) => downstreamEntityKeys.entity(id));
  const items = await batchGet(client, table, keys, { consistent: true });
  return new Map(
    items
      .map((item) => parseStored(storedDownstreamEntity, item))
      .filter((entity) => !entity.isDeleted && entity.downstreamOrganizationId === owner)
      .map((entity) => [entity._id, recordOwnerOf(entity)]),
  );
}

/** Splits off the lines whose `downstreamEntityId` is no live entity of the organization; the others get their record owner. */
export async function checkOwnEntities<Item extends { readonly downstreamEntityId: string }>(
  client: DynamoDBClient,
  table: string,
  owner: string,
  lines: readonly ReadLine<Item>[],
): Promise<{
  readonly good: readonly ReadLine<Item>[];
  readonly rejected: readonly RejectedLine[];
  readonly ownerOf: (record: Item) => string;
}> {
  const ids = lines.map(({ record }) => record.downstreamEntityId);
  const own = await ownEntitiesAmong(client, table, owner, ids);
  const isOwn = ({ record }: ReadLine<Item>): boolean => own.has(record.downstreamEntityId);
  const issues = [{ path: 'downstreamEntityId', message: 'is not an entity of the organization' }];
  return {
    good: lines.filter(isOwn),
    rejected: lines.filter((line) => !isOwn(line)).map(({ line }) => ({ line, issues })),
    ownerOf: ({ downstreamEntityId }) => own.get(downstreamEntityId) ?? owner,
  };
}
