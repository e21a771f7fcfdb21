import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Relationship } from '../../shared/associations/relationship-at.ts';
import {
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
} from '../../shared/associations/stored.ts';
import { batchGetKeys } from '../../shared/aws/limits.ts';
import { contactPartitions, type StoredContact, storedContact } from '../../shared/contacts/stored.ts';
import type { CarrierReach } from '../../shared/contacts/visible.ts';
import { objectId } from '../../shared/contract/primitives.ts';
import { batchGet } from '../../shared/data/batch-get.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { getItem } from '../../shared/data/get-item.ts';
import { itemPage, type PageOf } from '../../shared/data/item-page.ts';
import { queryPages } from '../../shared/data/query-pages.ts';
import { parseStored } from '../../shared/data/stored.ts';

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

/** An agency's lists that contacts need. */
export interface AgencyLists {
  /** A page of the organization's contacts, or of those at one of its entities, by name, and how many there are. */
  page(
    downstream: string,
    downstreamEntityId: string | undefined,
    page: PageOf,
  ): Promise<{ readonly items: StoredContact[]; readonly total: number }>;
  /** The two sides of a market; a carrier that is not on the platform has no id. */
  market(downstream: string, associationId: string): Promise<Relationship | undefined>;
}

/** Entities whose contacts are read, as one batch, before more entities are. */
const entitiesAtOnce = batchGetKeys;

const { downstreamEntityId, isDeleted, agency } = storedAssociation.shape;
const ofAssociation = z.object({ downstreamEntityId, isDeleted, agency });
const ofMarket = z.object({ downstreamEntityId, upstreamEntityId: z.optional(objectId) });

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

export const createAgencyLists = (
  client: DynamoDBClient,
  tables: { readonly contacts: string; readonly associations: string },
): AgencyLists => ({
  async page(downstream, downstreamEntityId, page) {
    const value =
      downstreamEntityId === undefined
        ? contactPartitions.ofOrganization(downstream)
        : contactPartitions.ofEntity(downstreamEntityId);
    const index = { index: 'by-list', attribute: 'listKey', value, sort: 'listSort' };
    const { items, total } = await itemPage(client, tables.contacts, [index], page);
    return { items: items.map((item) => parseStored(storedContact, item)), total };
  },

  market(downstream, associationId) {
    const key = associationKeys.market(downstream, associationId);
    return getItem(client, tables.associations, key, ofMarket, { consistent: true });
  },
});
