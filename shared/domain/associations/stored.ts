import * as z from 'zod/mini';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { changeMark } from '#platform/changes/change-index.ts';
import { comparableCode, objectId, storedText, timestamp } from '#platform/contract/primitives.ts';
import type { Identity } from '#platform/contract/route.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { sortText } from '#platform/data/keys.ts';
import { itemKey, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { recordOwnerOf } from '../downstream-entities/stored.ts';
import { association, market } from './resource.ts';

const { downstreamEntity: _, registryDataSubscription: _subscription, ...ownFields } = association.shape;

/**
 * An association's item; its keys are described in `shared/domain/tables.ts`. The entity and the subscription that responses
 * show with it are separate items, read along with it.
 */
export const storedAssociation = storedItem('associations/association', {
  ...ownFields,
  upstreamEntityId: objectId,
  downstreamEntityId: objectId,
  contractContainerTemplateId: z.optional(objectId),
  /**
   * Copied from the agency's item, so that an association can be found and its records read without the
   * agency's item; a change of the agency updates the copies.
   */
  agency: z.object({
    npn: z.nullable(z.string()),
    legalName: z.string(),
    ein: z.nullable(z.string()),
    isNpnRequired: z.boolean(),
    downstreamOrganizationId: z.optional(objectId),
    isDeleted: z.boolean(),
  }),
  /** Identifies what an add or invite requested; a second equal request is a duplicate. */
  relationship: z.optional(z.string()),
  /** Hash of the record that was imported last. */
  recordHash: z.optional(z.string()),
  isDeleted: z.boolean(),
  /** Rises by one with each change, so that one of two concurrent writers is refused. */
  version: z.int(),
  /** See `changeMark`; absent until it is written. */
  changedAt: z.optional(timestamp),
});

export type StoredAssociation = z.output<typeof storedAssociation>;

/** Fields that an association copies of its agency. */
export const agencyCopyOf = ({
  npn,
  legalName,
  ein,
  isNpnRequired,
  downstreamOrganizationId,
  isDeleted,
}: StoredAssociation['agency']): StoredAssociation['agency'] => ({
  npn,
  legalName,
  ein,
  isNpnRequired,
  ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
  isDeleted,
});

/** The owner in the key of an association's market, whether or not the agency has an organization yet. */
export const marketOwnerOf = ({
  downstreamEntityId,
  agency,
}: Pick<StoredAssociation, 'downstreamEntityId' | 'agency'>): string =>
  recordOwnerOf({ _id: downstreamEntityId, ...agency });

/** Whether reads return an association: those of soft-deleted agencies are excluded, as soft-deleted ones are. */
export const isLive = ({
  isDeleted,
  agency,
}: Pick<StoredAssociation, 'isDeleted'> & {
  readonly agency: Pick<StoredAssociation['agency'], 'isDeleted'>;
}): boolean => !isDeleted && !agency.isDeleted;

/** An association that reads return; undefined for any other. */
export const live = (association: StoredAssociation | undefined): StoredAssociation | undefined =>
  association !== undefined && isLive(association) ? association : undefined;

/** Market of an agency; that of a carrier on the platform names the owner of its association. */
export const storedMarket = storedItem('associations/market', {
  ...market.shape,
  upstreamEntityId: z.optional(objectId),
});

export type StoredMarket = z.output<typeof storedMarket>;

const idSet = z._default(z.set(objectId), new Set());

/** Live associations of a carrier with one entity; an agency with branches has several, one that left has no item. */
export const associationsOfEntity = storedItem('associations/associations-of-entity', {
  downstreamEntityId: objectId,
  associationIds: idSet,
  /** Ids among `associationIds` that are invited. */
  invitedIds: idSet,
  /** Ids among `associationIds` that are inactive. */
  inactiveIds: idSet,
});

export type AssociationsOfEntity = z.output<typeof associationsOfEntity>;

/** Association that has an external id or a producer code. */
export const codeOwner = storedItem('associations/code-owner', {
  pk: z.string(),
  sk: z.string(),
  associationId: objectId,
});

export const associationKeys = {
  association: (upstream: string, associationId: string) => ({
    pk: `${upstream}#ASSOCIATION`,
    sk: associationId,
  }),
  ofEntity: (upstream: string, downstreamEntityId: string) => ({
    pk: `${upstream}#ENTITY`,
    sk: downstreamEntityId,
  }),
  /** Entry that makes an agency known to others than one carrier; see `sharing.ts`. */
  sharing: (downstreamEntityId: string) => ({ pk: `ENTITY_ID#${downstreamEntityId}`, sk: 'SHARING' }),
  /** Mark that an association, of any owner, is with an agency: found without an index, so that none is missed. */
  withAgency: (downstreamEntityId: string, associationId: string) => ({
    pk: `ENTITY_ID#${downstreamEntityId}`,
    sk: `ASSOCIATION#${associationId}`,
  }),
  /** Other systems may tell their ids apart by case alone. */
  externalId: (upstream: string, id: string) => ({ pk: `${upstream}#EXTERNAL_ID`, sk: storedText(id) }),
  producerCode: (upstream: string, code: string) => ({
    pk: `${upstream}#PRODUCER_CODE`,
    sk: comparableCode(code),
  }),
  relationship: (upstream: string, hash: string) => ({ pk: `${upstream}#RELATIONSHIP`, sk: hash }),
  count: (upstream: string) => ({ pk: upstream, sk: 'ASSOCIATION_COUNT' }),
  market: (downstream: string, associationId: string) => ({ pk: `${downstream}#MARKET`, sk: associationId }),
  owner: (associationId: string) => ({ pk: `ASSOCIATION_ID#${associationId}`, sk: 'OWNER' }),
  contract: (upstream: string, associationId: string, contractId: string) => ({
    pk: `${upstream}#CONTRACT#${associationId}`,
    sk: contractId,
  }),
  template: (upstream: string, templateId: string) => ({ pk: `${upstream}#TEMPLATE`, sk: templateId }),
};

/** Partitions of the table's indexes. */
export const associationPartitions = {
  ofNpn: (upstream: string, npn: string) => `${upstream}#${npn}`,
  markets: (downstream: string) => downstream,
  marketsOfEntity: (downstream: string, downstreamEntityId: string) => `${downstream}#${downstreamEntityId}`,
};

/** The item of an association that changes now, with the keys that find it. */
export const associationItem = (association: StoredAssociation, now: Date): Record<string, unknown> => ({
  ...associationKeys.association(association.upstreamEntityId, association._id),
  npnKey:
    isLive(association) && association.agency.npn !== null
      ? associationPartitions.ofNpn(association.upstreamEntityId, association.agency.npn)
      : undefined,
  ...association,
  ...changeMark(association.upstreamEntityId, association._id, now),
});

/** The carrier's name in the item of a market, by which an agency's markets are listed. */
export const marketNameValues = (
  upstreamEntityName: string,
  associationId: string,
): Pick<StoredMarket, 'upstreamEntityName'> & { readonly listSort: string } => ({
  upstreamEntityName,
  listSort: `${sortText(upstreamEntityName)}#${associationId}`,
});

/** An agency's item of one of its markets. */
export const marketItem = (downstream: string, marketValues: StoredMarket): Record<string, unknown> => ({
  ...associationKeys.market(downstream, marketValues.upstreamDownstreamAssociationId),
  listKey: associationPartitions.markets(downstream),
  listEntityKey: associationPartitions.marketsOfEntity(downstream, marketValues.downstreamEntityId),
  ...marketValues,
  ...marketNameValues(marketValues.upstreamEntityName, marketValues.upstreamDownstreamAssociationId),
});

/** Entries of a carrier by the agencies that they are about. */
export const associationsByEntity = (
  entries: readonly AssociationsOfEntity[],
): ReadonlyMap<string, AssociationsOfEntity> =>
  new Map(entries.map((entry) => [entry.downstreamEntityId, entry]));

/** Reads a carrier's associations with entities. */
export async function associationsWith(associations: Table, upstream: string, entityIds: readonly string[]) {
  const keys = entityIds.map((id) => associationKeys.ofEntity(upstream, id));
  return associationsByEntity(await associations.getAll(associationsOfEntity, keys));
}

/** The keys of an owner's associations with agencies of an NPN, page by page; `isOfNpn` decides about what they name. */
export const associationKeysOfNpn = (associations: Table<'by-npn'>, owner: string, npn: string) =>
  associations.query(itemKey, associationPartitions.ofNpn(owner, npn), {
    index: 'by-npn',
    limit: batchGetKeys,
  });

/** Whether an association whose key the index has is still one of the NPN: an index lags behind its table. */
export const isOfNpn = (association: StoredAssociation, npn: string): boolean =>
  isLive(association) && association.agency.npn === npn;

/** An owner's associations with agencies of an NPN, page by page; branches share one. */
export const associationsOfNpn = (associations: Table<'by-npn'>, owner: string, npn: string) =>
  mapPages(associationKeysOfNpn(associations, owner, npn), async (keys) => {
    const page = await associations.getInOrder(storedAssociation, keys);
    return page.filter((association) => isOfNpn(association, npn));
  });

/** The two sides of a relationship; a carrier that is not on the platform has no id. */
export interface Relationship {
  readonly downstreamEntityId: string;
  readonly upstreamEntityId?: string | undefined;
}

/**
 * A relationship of the caller: one of a carrier's associations, or one of an agency's markets.
 * @throws DomainError `not_found` for a relationship that is unknown, soft-deleted or not the caller's.
 */
export const createRelationshipAt =
  (associations: Table) =>
  async (
    { organizationId, category }: Pick<Identity, 'organizationId' | 'category'>,
    associationId: string,
  ): Promise<Relationship> => {
    if (category !== 'upstreamEntity') {
      const market = await associations.get(
        storedMarket,
        associationKeys.market(organizationId, associationId),
      );
      if (market === undefined) throw new DomainError('not_found');
      return market;
    }
    const key = associationKeys.association(organizationId, associationId);
    const association = await associations.get(storedAssociation, key);
    if (association === undefined || !isLive(association)) throw new DomainError('not_found');
    return association;
  };
