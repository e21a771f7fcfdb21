import { businessTable, byChange, index } from '../../platform/data/table-design.ts';

/**
 * Agency relationships of carriers, and the same relationships as the agencies see them (their markets).
 *
 * | item | pk | sk |
 * |---|---|---|
 * | association | `<upstream>#ASSOCIATION` | `<associationId>` |
 * | associations with one entity, by status | `<upstream>#ENTITY` | `<downstreamEntityId>` |
 * | external id, held by one association | `<upstream>#EXTERNAL_ID` | `<externalId>` |
 * | producer code, held by one association | `<upstream>#PRODUCER_CODE` | `<producerCode>` |
 * | what policies may know an agency by: ids of live associations with its NPN, EIN, or comparable name | `<upstream>#EVIDENCE#NPN`, `…#EIN`, `…#NAME` | `<value>` |
 * | relationship that an add or invite created, held by one association | `<upstream>#RELATIONSHIP` | `<hash>` |
 * | number of agencies with an active or invited association, kept under the plan ceiling | `<upstream>` | `ASSOCIATION_COUNT` |
 * | who knows an agency | `ENTITY_ID#<downstreamEntityId>` | `SHARING` |
 * | that an association is with the agency, of every owner, deleted ones too | the same | `ASSOCIATION#<associationId>` |
 * | market of an agency, on the platform or not | `<downstream>#MARKET` | `<associationId>` |
 * | owner of an association, for operators who know only its id | `ASSOCIATION_ID#<associationId>` | `OWNER` |
 * | contract container template | `<upstream>#TEMPLATE` | `<templateId>` |
 * | contract of an association | `<upstream>#CONTRACT#<associationId>` | `<contractId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-npn | live associations with agencies of an NPN | `npnKey` = `<upstream>#<npn>` | `sk` |
 * | by-list | markets of an agency, or of one of its entities | `listKey` = `<downstream>` | `listSort` = `<upstream name>#<associationId>` |
 * | by-list-entity | markets of one entity | `listEntityKey` = `<downstream>#<downstreamEntityId>` | `listSort` |
 * | by-change | associations by the time of their last change, deleted ones too | `changeKey` = `<upstream>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted association keeps its item, in `by-change`, and those of its owner and its agency; everything else of it is
 * deleted. The item of a piece of evidence stays, without ids, when the last association leaves it.
 */
export const associationsTable = businessTable('associations', {
  indexes: {
    'by-npn': index('npnKey', 'sk'),
    'by-list': index('listKey', 'listSort'),
    'by-list-entity': index('listEntityKey', 'listSort'),
    'by-change': byChange,
  },
});
