import { byChange, index, pk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * Agencies of the platform, one item each, however many carriers appoint them; what belongs to one carrier is stored in
 * its association.
 *
 * | item | pk |
 * |---|---|
 * | downstream entity | `ENTITY#<downstreamEntityId>` |
 * | entities that left an organization, and that joined it from elsewhere | `ORGANIZATION#<downstreamOrganizationId>` |
 * | secret key with which the ids of imported agencies are derived, one for all | `ID_KEY` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-organization | entities of an organization on the platform | `organizationKey` = `<downstreamOrganizationId>` | `listSort` = `<legal name>#<downstreamEntityId>` |
 * | by-npn | entities of an NPN | `npnKey` = `<npn>` | `pk` |
 * | by-change | agencies by the time of their last change, deleted ones too | `changeKey` = `PLATFORM#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted entity has neither `organizationKey` nor `npnKey`, so it leaves the indexes, except that of changes.
 */
export const downstreamEntitiesTable = {
  name: 'downstream-entities',
  partitionKey: pk,
  indexes: {
    'by-organization': index('organizationKey', 'listSort'),
    'by-npn': index('npnKey', 'pk'),
    'by-change': byChange,
  },
  kind: 'business',
} as const satisfies TableDesign;
