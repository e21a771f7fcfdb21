import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * Contacts of agencies. A contact is the agency's; carriers see it through their associations with the entities at which
 * it is a contact, so its items start with those.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | contact with all its scopes | `CONTACT#<contactId>` | `CONTACT` |
 * | contact at an entity | `ENTITY#<downstreamEntityId>` | `<contactId>` |
 * | contact of an organization on the platform | `<downstream>#CONTACT` | `<contactId>` |
 * | contact that holds an e-mail address with an owner (organization, else entity) | `<owner>#EMAIL` | `<address, lower case>` |
 * | primary contact of a market, at most one | `MARKET#<associationId>` | `PRIMARY` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | pages of an organization's contacts, or of an entity's | `listKey` = `<downstream>` or `ENTITY#<downstreamEntityId>`; with `#PENDING`, contacts who came with invited markets alone | `listSort` = `<last name>, <first name>, <contactId>`, tabs between |
 * | by-email | entities that have a contact of an address | `emailKey` = `<address, lower case>` | `pk` |
 * | by-domain | entities that have a contact of a domain | `domainKey` = `<domain, lower case>` | `pk` |
 *
 * Each item but the last holds the whole contact. A soft-deleted one keeps its first item; the others are deleted.
 */
export const contactsTable = businessTable('contacts', {
  indexes: {
    'by-list': index('listKey', 'listSort'),
    'by-email': index('emailKey', 'pk'),
    'by-domain': index('domainKey', 'pk'),
  },
});
