import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * Agencies' licensing outside the registry: requests for licenses, and registrations of their entities with states.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | license request | `<downstream>#LICENSE_REQUEST` | `<licenseRequestId>` |
 * | open request of an agency for a license, at most one | `<downstream>#OPEN_REQUEST` | `<downstreamEntityId>#<npn>#<stateCode>#NEW` or `…#RENEWAL#<licenseNumber>` |
 * | corporate registration | `<downstream>#REGISTRATION` | `<registrationId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | an owner's requests, or registrations | `listKey` = `<pk>` | `listSort` |
 * | by-list-entity | those of an entity | `listEntityKey` = `<pk>#<downstreamEntityId>` | `listSort` |
 *
 * `listSort` of a request = `<createdAt>#<id>`, of a registration = `<stateCode>#<id>`.
 */
export const licensingTable = businessTable('licensing', {
  indexes: { 'by-list': index('listKey', 'listSort'), 'by-list-entity': index('listEntityKey', 'listSort') },
});
