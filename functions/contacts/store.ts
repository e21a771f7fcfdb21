import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
} from '../../shared/domain/associations/stored.ts';
import type { CarrierReach } from '../../shared/domain/contacts/visible.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';

type AssociationsByEntity = CarrierReach['associations'];

/** A carrier's associations, without soft-deleted associations and agencies. */
export interface CarrierRelations {
  /** Every association in the order of the entities' ids, page by page. */
  all(upstream: string): AsyncGenerator<AssociationsByEntity, void>;
  /** The associations with these entities. */
  with(upstream: string, entityIds: readonly string[]): Promise<AssociationsByEntity>;
  /** The entity of an association. */
  entityOf(upstream: string, associationId: string): Promise<string | undefined>;
}

/** Entities whose contacts are read, as one batch, before more entities are. */
const entitiesAtOnce = batchGetKeys;

const ofAssociation = storedItem('associations/association-of-contact', () => {
  const { downstreamEntityId, isDeleted, agency } = storedAssociation.shape;
  return { downstreamEntityId, isDeleted, agency };
});

const byEntity = (items: readonly unknown[]): AssociationsByEntity =>
  new Map(
    items
      .map((item) => parseStored(associationsOfEntity, item))
      .map((found) => [found.downstreamEntityId, found]),
  );

export const createCarrierRelations = (
  client: DynamoDBClient,
  tables: { readonly associations: string },
): CarrierRelations => ({
  async *all(upstream) {
    const query = {
      TableName: tables.associations,
      KeyConditionExpression: 'pk = :entities',
      ExpressionAttributeValues: toItem({ ':entities': associationKeys.ofEntity(upstream, '').pk }),
      Limit: entitiesAtOnce,
    };
    for await (const items of queryPages(client, query))
      yield byEntity(items.map((item) => unmarshall(item)));
  },

  async with(upstream, entityIds) {
    const keys = entityIds.map((id) => associationKeys.ofEntity(upstream, id));
    return byEntity(await batchGet(client, tables.associations, keys, { consistent: true }));
  },

  async entityOf(upstream, associationId) {
    const key = associationKeys.association(upstream, associationId);
    const found = await getItem(client, tables.associations, key, ofAssociation, { consistent: true });
    return found !== undefined && isLive(found) ? found.downstreamEntityId : undefined;
  },
});
