import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type TableHandle, tableOf } from '#platform/data/table.ts';
import {
  businessTable,
  byChange,
  idempotencyTable,
  index,
  organizationsTable,
  pk,
  rateCountersTable,
  type TableDesign,
} from '#platform/data/table-design.ts';

// Every table and the keys of its items, and the tables by the names under which functions use them.

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

/**
 * Insurers of the platform, the same for every organization. There are some thousands, so one partition holds them all
 * and a search reads it; a soft-deleted one is marked and left out of responses.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | carrier | `CARRIER` | `<carrierId>` |
 * | NAIC code, held by one live carrier | `NAIC_CODE` | `<naicCode>` |
 */
const carriersTable = businessTable('carriers', {});

/**
 * Requirements of carriers' products on producers and agencies. An owner has some dozens, so a list reads all heads; of the versions,
 * it reads those that count.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | config | `<upstream>#CONFIG` | `<productId>` |
 * | what a version requires | `<upstream>#REQUIRED#<productId>` | `<validFrom>#<recordedAt>` |
 * | what was said of classes of licenses, by an owner or for `EVERYBODY` | `<owner>#CLASS-KINDS` | `CLASS-KINDS` |
 * | change of an NPN's compliance that is not reported yet | `<upstream>#CHANGE` | `<npn>` |
 * | what was last reported of an NPN's compliance, and what of it is not emitted yet | `<upstream>#REPORTED#<npn>` | `REPORTED` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-start | versions of configs that begin on a day, of every owner; those that were recorded before it | `startKey` = `<validFrom>` | `pk` |
 */
export const complianceTable = businessTable('compliance', {
  indexes: { 'by-start': index('startKey', 'pk') },
});

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

/**
 * Agencies of the platform, one item each, however many carriers appoint them; what belongs to one carrier is stored in
 * its association.
 *
 * | item | pk |
 * |---|---|
 * | downstream entity | `ENTITY#<downstreamEntityId>` |
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

/**
 * Events on their way to the bus, each written in one transaction with the change that it reports, and kept for as long as it
 * can be redelivered.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | event | `<upstream>#<entityId>` | `EVENT#<eventId>` |
 * | that it is not published | `UNPUBLISHED#<shard of the event's pk>` | `<entityId>#<upstream>#<occurredAt>#<eventId>` |
 * | last number given to a type of event about the entity | `<upstream>#<entityId>` | `SEQUENCE#<type>` |
 * | last position issued in the feed of an organization | `<upstream>#FEED` | `COUNTER` |
 * | which events are at some positions of the feed in a row | the same | `<last of the positions, 16 digits>` |
 *
 * An event is written once: an item of 2 KB takes six write units. What changes on its way is small, and says where it is. It
 * gets its number and its position in one transaction, before the bus gets it; one that the bus has accepted has no entry in an
 * UNPUBLISHED partition. The item of its number remembers the numbers of events that have an entry: no event gets
 * two.
 */
export const outboxTable = businessTable('outbox', {
  timeToLive: 'expiresAt',
  stream: 'new image',
});

/**
 * File documents; every partition starts with the owner, the organization that uploaded them.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | document | `<owner>#DOCUMENT` | `<fileDocumentId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-owner | pages: counting and skipping keys | `listKey` = `<owner>` | `sk` |
 * | by-entity | the same for one entity of an agency | `listEntityKey` = `<owner>#<downstreamEntityId>` | `sk` |
 *
 * The id of a document with versions is derived from organization or agency, category and association, so that a repeat finds it.
 */
export const fileDocumentsTable = businessTable('file-documents', {
  indexes: { 'by-owner': index('listKey', 'sk'), 'by-entity': index('listEntityKey', 'sk') },
});

/**
 * Surplus-lines filings. `<downstream>` is `recordOwnerOf` the agency, here as in other tables: its organization, else the agency
 * itself; `agency-moves` copies its records when it changes. A filing and its messages are one partition, read in one query; it
 * starts with the upstream owner, and the downstream owner finds the same items through an index that starts with its id.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | filing with its checklist | `<upstream>#FILING#<filingId>` | `FILING` |
 * | message of an escalation | the same | `MESSAGE#<sentAt>#<messageId>` |
 * | list entry, one for each of the two owners | `<owner>#FILINGS` | `<filingId>` |
 * | owner of a filing, for operators who know only its id | `FILING_ID#<filingId>` | `OWNER` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-downstream | a filing and its messages, for the agency | `downstreamKey` = `<downstream>#FILING#<filingId>` | `sk` |
 * | by-owner | pages of list entries | `listKey` = `<owner>` | `sk` |
 * | by-status | entries of a status | `statusKey` = `<owner>#<status>` | `sk` |
 * | by-state | entries of a state | `stateKey` = `<owner>#<stateCode>` | `sk` |
 * | by-policy-number | entries of a policy | `policyNumberKey` = `<owner>#<policyNumber>` | `sk` |
 * | by-reference | entries of a reference | `referenceKey` = `<owner>#<externalReference>` | `sk` |
 * | by-action | entries that wait for the customer, or do not | `actionKey` = `<owner>#<true or false>` | `sk` |
 * | by-entity | entries of an agency's entity | `entityKey` = `<owner>#<downstreamEntityId>` | `sk` |
 * | by-change | filings by the time of their last change, deleted ones too, for the carrier | `changeKey` = `<upstream>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * The indexes of list entries hold only keys: filters are intersected by id, and only items that are returned are read.
 */
export const filingsTable = businessTable('filings', {
  indexes: {
    'by-downstream': index('downstreamKey', 'sk', 'all'),
    'by-owner': index('listKey', 'sk'),
    'by-status': index('statusKey', 'sk'),
    'by-state': index('stateKey', 'sk'),
    'by-policy-number': index('policyNumberKey', 'sk'),
    'by-reference': index('referenceKey', 'sk'),
    'by-action': index('actionKey', 'sk'),
    'by-entity': index('entityKey', 'sk'),
    'by-change': byChange,
  },
});

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

/**
 * Links, each used once, into the agencies' application: `pk` = `<SHA-256 in hexadecimal>`, of an invitation's token, or, once a sign-in
 * link was redeemed, of what its token signs.
 */
const oneTimeLinksTable = {
  name: 'one-time-links',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * Policies with their transactions. Every partition starts with the owner, but for those of owners of transactions.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | policy | `<owner>#POLICY` | `<policyId>` |
 * | policy number, held by one policy | `<owner>#NUMBER` | `<policyNumber>` |
 * | transaction | `<owner>#TRANSACTION#<policyId>` | `<transactionId>` |
 * | transaction with an id of its own, by what identifies it otherwise | `<owner>#IDENTITY#<policyId>` | `<derived id>` |
 * | owner of a transaction and its policy, so that no other transaction has its id | `TRANSACTION_ID#<transactionId>` | `OWNER` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-number | every policy; one number | `listKey` = `<owner>` | `policyNumber` |
 * | by-status | status; status and state | `statusKey` = `<owner>#<status>` | `statusSort` = `<state>#<policyNumber>` |
 * | by-state | state | `stateKey` = `<owner>#<state>` | `policyNumber` |
 * | by-agency | every policy, agency by agency; those of an agency relationship, or of an agency by its NPN alone | `listKey` = `<owner>` | `agencySort` = `ASSOCIATION#<associationId>#<policyNumber>`, else `NPN#<agencyNpn>#<policyNumber>`, else `UNKNOWN#<policyNumber>` |
 * | by-match | match statuses, then status and state | `matchKey` = `<owner>#<entityMatchStatus>#<productMatchStatus>` | `matchSort` = `<status>#<state>#<policyNumber>` |
 * | by-match, too | transactions whose agency, agents, or sale may be found later | `matchKey` = `<owner>#UNMATCHED` | `matchSort` = `<policyId>#<transactionId>` |
 * | by-ordinal | a page of a policy's transactions | `policyKey` = `<owner>#<policyId>` | `ordinal` from 1, without gaps |
 * | by-sale | sales, agency by agency | `saleKey` = `<owner>` | `saleSort` = `agencySort` without policy number, `<soldOn>#<transactionId>` |
 * | by-change | policies by the time of their last change, deleted ones too | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted policy has no `listKey`, `statusKey`, `stateKey` and `matchKey`, so it leaves the
 * indexes, except that of changes.
 */
export const policiesTable = businessTable('policies', {
  indexes: {
    'by-number': index('listKey', 'policyNumber', 'all'),
    'by-status': index('statusKey', 'statusSort', 'all'),
    'by-state': index('stateKey', 'policyNumber', 'all'),
    'by-agency': index('listKey', 'agencySort', 'all'),
    'by-match': index('matchKey', 'matchSort', 'all'),
    'by-ordinal': index('policyKey', { name: 'ordinal', type: 'N' }, 'all'),
    'by-sale': index('saleKey', 'saleSort', [
      'policyId',
      'policyNumber',
      'insuredEntityName',
      'policyTransactionType',
      'effectiveDate',
      'premiumAmountInUSD',
      'sale',
      'soldOnBinding',
    ]),
    'by-change': byChange,
  },
});

/**
 * The registry's records as an organization of either kind holds them. Those of an NPN are one partition.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | subscription, with the mark of the last visit of the registry | `<owner>#SUBSCRIPTION` | `<subscriptionId>` |
 * | holder: the number of its last change, reports of the registry, resident licenses, and the states that have a head | `<owner>#NPN#<npn>` | `#HOLDER` |
 * | day on which the compliance of an NPN is checked: it may change then, or an appointment be overdue | the same | `CHECK#<day>` |
 * | entry of a license, without its row: its number, what sorts its lists, and when the sweep finds it | the same | `LICENSE#<stateCode>#<hash of what identifies it>` |
 * | statement: what a report or an import stated of the licenses in a state | the same | `STATEMENT#<stateCode>#LICENSE#<at>#<id>`, likewise `#APPOINTMENT#` and `#ACTION#` |
 * | head: what is known of the holder in a state, as statements come to days, and how many appointments it has of each status | the same | `HEAD#<stateCode>` |
 * | piece of a statement or a head that is too large for an item | the same | `PIECE#<sort key of its item>#<hash of all pieces>#<number>` |
 * | sale where the carrier appoints on binding | the same | `SALE#<stateCode>#<soldOn>#<transactionId>` |
 * | what was written in a row that cannot be read, for 90 days | `<owner>#UNREADABLE` | `<npn>#<hash>` |
 * | renewal date for which a boundary of a license was reported | the same | `SWEPT#<boundary>#<stateCode>#<hash of the license>` |
 * | what was last reported of a regulatory action | the same | `REPORTED#<stateCode>#<actionId>` |
 * | first day that the license sweep swept | `SWEEP` | `STATE` |
 * | jobs of a day that the license sweep has done, until the day is complete | `SWEEP` | `DAY#<day>` |
 * | NPN that anybody subscribes to, with `lastPolledAt`, and `askedAt` if somebody asked for a visit | `NPN#<npn>` | `NPN` |
 * | first poll of an NPN that is due | `NPN#<npn>` | `FIRST#<owner>` |
 * | calls of the registry by visits until the sweep of a day, where they are bounded | `POLLS` | `CALLS#<day>` |
 * | record of the simulated registry that an operator set | `SIMULATOR#<npn>` | `RECORD` |
 * | record of it that a customer put for itself alone | `SIMULATOR#<owner>` | `<npn>` |
 * | NPNs of those that it has put, each with when the record expires | the same | `RECORDS` |
 * | nightly run that it asked for, and the id of the one that began last | the same | `RUN#<runId>`, `RUN` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list, with `counts` | an owner's licenses; its heads with appointments | `listKey` = `<owner>#LICENSE`, `<owner>#APPOINTMENT` | `listSort` |
 * | by-npn | the licenses of one NPN | `npnKey` = `<owner>#LICENSE#<npn>` | `listSort` |
 * | by-state | those of a state | `stateKey` = `<owner>#LICENSE#<stateCode>` | `listSort` |
 * | by-status | those of a status | `statusKey` = `<owner>#LICENSE#<status>` | `listSort` |
 * | by-license-number | the NPN of a license | `licenseNumberKey` = `<owner>#<stateCode>#<licenseNumber>` | `pk` |
 * | by-renewal | licenses to be renewed on a day, of every owner | `renewalKey` = `<renewal date>#<shard>` | `pk` |
 * | by-renewal, too | NPNs whose compliance may change on a day, of every owner | `renewalKey` = `CHANGE#<day>#<shard>` | `pk` |
 * | by-npn, too | subscribers of an NPN, of every owner | `npnKey` = `SUBSCRIBERS#<npn>` | `listSort` = `<owner>` |
 * | by-poll | NPNs, the one that was not polled for longest first | `pollKey` = `NEW#<shard>` for one that never was, `ASKED#<shard>` for one that somebody asked for, else `NPN#<shard>` | `pollSort` = when it was polled or, where it never was, first subscribed to |
 * | by-poll, too | first polls that are due | `pollKey` = `FIRST#<shard>` | `pollSort` = since when |
 * | by-change | subscriptions, with `npn`, by the time of their last change | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A subscription is made in one transaction with the item of its NPN, so the daily reconciliation finds every NPN once and its
 * subscribers in one query.
 *
 * Statements and reports are all that is known (`shared/domain/decision/records.ts`); everything else of an NPN but its sales is
 * derived from them, and written in the same transactions. Each of these raises the number of the NPN's last change, by which
 * writers notice each other. A piece that no item names any more expires.
 *
 * `listSort` of a license = `<last day of its last term>#<issueDate>#<stateCode>#<status>#<npn>#<sk>`: the one that ends soonest
 * comes first, and a summary of all of them reads only keys. Of a head = `<stateCode>#<npn>`. Status and counts are those of the day of
 * the write, which the sweep repeats on the day on which another row may say what something is. A license that the registry left
 * out has no `renewalKey`; one whose date was corrected into the past has that of the next sweep.
 */
export const registryRecordsTable = businessTable('registry-records', {
  indexes: {
    'by-list': index('listKey', 'listSort', ['counts']),
    'by-npn': index('npnKey', 'listSort'),
    'by-state': index('stateKey', 'listSort'),
    'by-status': index('statusKey', 'listSort'),
    'by-license-number': index('licenseNumberKey', 'pk'),
    'by-renewal': index('renewalKey', 'pk'),
    'by-poll': index('pollKey', 'pollSort'),
    'by-change': { ...byChange, projection: ['npn'] },
  },
  timeToLive: 'expiresAt',
});

/**
 * Receipts of sale checks, for ten years: `pk` = `<owner>#<receiptId>`, `sk` = the number of the part. A receipt is compressed and
 * cut into parts, since it may be larger than an item.
 */
const saleReceiptsTable = businessTable('sale-receipts', {
  timeToLive: 'expiresAt',
});

/**
 * Webhooks with their deliveries.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | webhook with its secrets | `<owner>#WEBHOOK` | `<webhookId>` |
 * | number of webhooks, at most 20 | `<owner>` | `WEBHOOK_COUNT` |
 * | delivery with its attempts | `<owner>#DELIVERY#<webhookId>` | `<deliveryId>` |
 * | due entry: a delivery's next attempt, made from its record | `<owner>#DUE#<webhookId>` | `<nextAttemptAt>#<deliveryId>#<attempt>` |
 * | drain item: who drains a webhook, when the next check is due, and its receiver's health | `<owner>#DRAIN` | `<webhookId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-webhook, with `status` and `webhookType` | pages of a webhook's deliveries | `listKey` = `<owner>#<webhookId>` | `listSort` = `<createdAt>#<deliveryId>` |
 * | by-next-drain | webhooks that nobody drained in time, of every owner | `nextDrainKey` = `NEXT_DRAIN#<shard>` | `nextDrainAt` |
 *
 * Whether something is left to deliver is decided by consistent reads of the due entries. The index by-next-drain only finds
 * webhooks, in 64 shards; one for which nothing is left has no `nextDrainKey`.
 */
export const webhooksTable = businessTable('webhooks', {
  indexes: {
    'by-webhook': index('listKey', 'listSort', ['status', 'webhookType']),
    'by-next-drain': index('nextDrainKey', 'nextDrainAt'),
  },
  timeToLive: 'expiresAt',
});

/** Every table of the service, by the name under which functions use it. */
export const tables = {
  organizations: organizationsTable,
  policies: policiesTable,
  fileDocuments: fileDocumentsTable,
  filings: filingsTable,
  carriers: carriersTable,
  downstreamEntities: downstreamEntitiesTable,
  associations: associationsTable,
  agents: agentsTable,
  contacts: contactsTable,
  registryRecords: registryRecordsTable,
  compliance: complianceTable,
  saleReceipts: saleReceiptsTable,
  licensing: licensingTable,
  webhooks: webhooksTable,
  oneTimeLinks: oneTimeLinksTable,
  outbox: outboxTable,
  idempotency: idempotencyTable,
  rateCounters: rateCountersTable,
} as const;

/** Handles of some tables. */
export type Tables<Name extends keyof typeof tables> = {
  readonly [Key in Name]: TableHandle<(typeof tables)[Key]>;
};

/** The handles of tables with these names. */
export const tablesOf = <Name extends keyof typeof tables>(
  client: DynamoDBClient,
  names: Readonly<Record<Name, string>>,
): Tables<Name> =>
  // The types say of each key what the designs are.
  Object.fromEntries(
    Object.entries<string>(names).map(([key, name]) => [key, tableOf(tables[key as Name], client, name)]),
  ) as unknown as Tables<Name>;

/** The designs alone, for what does the same with every table. */
export const tableDesigns = Object.values(tables);

/** The name of a table's design: of its construct, its environment variable, and its entry in `restoredTables`. */
export type TableName = (typeof tables)[keyof typeof tables]['name'];

type NamesOf<Design> = Design extends {
  readonly name: infer Name extends string;
  readonly indexes: infer Indexes;
}
  ? Name | `${Name}/${keyof Indexes & string}`
  : never;

/** The name of a table, or `<table>/<index>`: each of them has a throughput of its own. */
export type TableOrIndexName = TableName | NamesOf<(typeof tables)[keyof typeof tables]>;
