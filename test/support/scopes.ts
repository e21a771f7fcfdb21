import { randomUUID } from 'node:crypto';
import {
  associationItem,
  associationKeys,
  marketItem,
  type StoredAssociation,
} from '#domain/associations/stored.ts';
import { downstreamEntityIndexes, downstreamEntityKeys } from '#domain/downstream-entities/stored.ts';
import { writesOf } from '#platform/data/table.ts';
import { dynamo } from './tables.ts';

export const id = (): string => randomUUID().replaceAll('-', '').slice(0, 24);

const at = '2026-03-01T14:05:09.123Z';

/** What an association copies of its agency. */
export const agencyCopy = {
  npn: null,
  legalName: 'Lone Star Brokerage',
  ein: null,
  isNpnRequired: false,
  isDeleted: false,
} as const;

/** Stores entities and associations as other groups do, for tests that only need them to be there. */
export const scopesIn = (tables: { readonly associations: string; readonly downstreamEntities: string }) => ({
  /** An agency's entity, of an organization on the platform or not. */
  async entity(downstreamOrganizationId?: string, downstreamEntityId = id()): Promise<string> {
    const stored = {
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      category: 'agency',
      npn: null,
      ein: null,
      isNpnRequired: false,
      isDeleted: false,
      createdAt: at,
      updatedAt: at,
      downstreamOrganizationId,
    };
    const key = downstreamEntityKeys.entity(downstreamEntityId);
    const item = { ...key, ...downstreamEntityIndexes(stored), ...stored };
    await writesOf(dynamo, tables.downstreamEntities).putAll([item]);
    return downstreamEntityId;
  },

  /** A carrier's one association with an entity, and the agency's market of it. */
  async association(
    upstreamEntityId: string,
    downstreamEntityId: string,
    downstreamOrganizationId?: string,
    _id = id(),
    values: Partial<StoredAssociation> = {},
  ): Promise<string> {
    const stored = {
      _id,
      upstreamEntityId,
      downstreamEntityId,
      externalId: null,
      producerCode: null,
      branchName: null,
      parentDownstreamEntityAssociationId: null,
      status: 'active' as const,
      agency: { ...agencyCopy, downstreamOrganizationId },
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
      ...values,
    };
    const place = associationKeys.ofEntity(upstreamEntityId, downstreamEntityId);
    const items: Record<string, unknown>[] = [
      associationItem(stored, new Date()),
      { ...associationKeys.owner(_id), upstreamEntityId },
      { ...place, downstreamEntityId, associationIds: new Set([_id]) },
    ];
    if (downstreamOrganizationId !== undefined) {
      const market = {
        upstreamDownstreamAssociationId: _id,
        upstreamEntityId,
        downstreamEntityId,
        upstreamEntityName: 'Beacon Specialty',
        isOnPlatform: true,
        marketType: null,
        producerCode: null,
        branchName: null,
        status: 'active' as const,
        createdAt: at,
        updatedAt: at,
      };
      items.push(marketItem(downstreamOrganizationId, market));
    }
    await writesOf(dynamo, tables.associations).putAll(items);
    return _id;
  },
});
