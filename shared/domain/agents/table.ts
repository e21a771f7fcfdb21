import { businessTable, byChange, index } from '../../platform/data/table-design.ts';

/**
 * Producers as an organization, of either kind, knows them.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | agent | `<owner>#AGENT` | `<agentId>` |
 * | NPN, held by one agent | `<owner>#NPN` | `<npn>` |
 * | agents of a name, which policies may know them by | `<owner>#NAME` | `<first and last name>` |
 * | agent under one of its e-mail addresses | `<owner>#EMAIL#<address, lower case>` | `<agentId>` |
 * | agent under the organization's own id for it | `<owner>#EXTERNAL_ID#<comparable id>` | `<agentId>` |
 * | agent at one of its agency relationships | `<owner>#ASSOCIATION#<associationId>` | `<agentId>` |
 * | agent at one of the organization's entities | `<owner>#ENTITY#<downstreamEntityId>` | `<agentId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | pages of an organization's agents, or of an entity's | `listKey` = `<owner>` or `<owner>#<downstreamEntityId>` | `listSort` = `<last and first name>#<agentId>` |
 * | by-npn | the agent of an NPN, whole | `npnKey` = `<owner>#<npn>` | `sk` |
 * | by-change | agents by the time of their last change, deleted ones too | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * The items that find an agent hold its `npn`, so that the agent and its registry subscription are read at the same time; the one
 * under an external id also holds what a sale check reads.
 * A soft-deleted agent keeps its first item, in `by-change` alone; the others are deleted.
 */
export const agentsTable = businessTable('agents', {
  indexes: {
    'by-list': index('listKey', 'listSort'),
    'by-npn': index('npnKey', 'sk', 'all'),
    'by-change': byChange,
  },
});
