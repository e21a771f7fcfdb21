/**
 * The tables as data: the infrastructure creates them, the stores address them and the store tests build them from this
 * one description. The comment above each table describes its keys.
 */
export interface TableDesign {
  /** Logical name; the environment variable that carries the physical one is this name in capitals. */
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  /** Global secondary indexes by name. Sparse: an item without the key attributes is not in the index. */
  readonly indexes?: Readonly<Record<string, IndexDesign>>;
  /** Attribute holding Unix seconds after which DynamoDB may delete the item. */
  readonly timeToLive?: string;
  /** Whether the table has a stream of its changes, each with the new item. */
  readonly stream?: 'new image';
  /** `business` data must never be lost; `transient` data may be rebuilt or may expire. */
  readonly kind: 'business' | 'transient';
}

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N';
}

export interface IndexDesign {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute;
  /** What the index holds of an item: all of it, its keys, or these attributes beside them, by which it is filtered. */
  readonly projection: 'all' | 'keys' | readonly string[];
}

const pk = { name: 'pk', type: 'S' } as const;
const sk = { name: 'sk', type: 'S' } as const;

/** The changes of an aggregate, for those who follow a list; see `shared/changes/change-index.ts`. */
const byChange = {
  partitionKey: { name: 'changeKey', type: 'S' },
  sortKey: { name: 'changedAt', type: 'S' },
  projection: 'keys',
} as const;

/**
 * Organizations and their credentials; every read is one key.
 *
 * | item | pk |
 * |---|---|
 * | organization | `ORGANIZATION#<organizationId>` |
 * | API client | `CLIENT#<clientId>` |
 * | restricted access token | `TOKEN#<SHA-256 of the token, hex>` |
 * | hash of a token, found by the token's id | `TOKEN_ID#<tokenId>` |
 */
export const organizationsTable = {
  name: 'organizations',
  partitionKey: pk,
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Policies with their transactions. Every partition starts with the owner.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | policy | `<owner>#POLICY` | `<policyId>` |
 * | policy number, held by one policy | `<owner>#NUMBER` | `<policyNumber>` |
 * | transaction | `<owner>#TRANSACTION#<policyId>` | `<transactionId>` |
 * | transaction with an id of its own, by what identifies it otherwise | `<owner>#IDENTITY#<policyId>` | `<derived id>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-number | every policy; one number | `listKey` = `<owner>` | `policyNumber` |
 * | by-status | status; status and state | `statusKey` = `<owner>#<status>` | `statusSort` = `<state>#<policyNumber>` |
 * | by-state | state | `stateKey` = `<owner>#<state>` | `policyNumber` |
 * | by-agency | policies of an agency relationship, or of an agency by its NPN alone | `agencyKey` = `<owner>#ASSOCIATION#<associationId>`, else `<owner>#NPN#<agencyNpn>` | `policyNumber` |
 * | by-match | match statuses, then status and state | `matchKey` = `<owner>#<entityMatchStatus>#<productMatchStatus>` | `matchSort` = `<status>#<state>#<policyNumber>` |
 * | by-match, too | transactions whose agency or agents are not settled | `matchKey` = `<owner>#UNSETTLED` | `matchSort` = `<policyId>#<transactionId>` |
 * | by-id | a transaction, for operators who know only its id | `_id` | `pk` |
 * | by-ordinal | a page of a policy's transactions | `policyKey` = `<owner>#<policyId>` | `ordinal` from 1, without gaps |
 * | by-change | policies by the time of their last change, deleted ones too | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted policy has no `listKey`, `statusKey`, `stateKey`, `agencyKey` and `matchKey`, so it leaves the
 * indexes, except that of changes.
 */
export const policiesTable = {
  name: 'policies',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-number': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'policyNumber', type: 'S' },
      projection: 'all',
    },
    'by-status': {
      partitionKey: { name: 'statusKey', type: 'S' },
      sortKey: { name: 'statusSort', type: 'S' },
      projection: 'all',
    },
    'by-state': {
      partitionKey: { name: 'stateKey', type: 'S' },
      sortKey: { name: 'policyNumber', type: 'S' },
      projection: 'all',
    },
    'by-agency': {
      partitionKey: { name: 'agencyKey', type: 'S' },
      sortKey: { name: 'policyNumber', type: 'S' },
      projection: 'all',
    },
    'by-match': {
      partitionKey: { name: 'matchKey', type: 'S' },
      sortKey: { name: 'matchSort', type: 'S' },
      projection: 'all',
    },
    'by-id': { partitionKey: { name: '_id', type: 'S' }, sortKey: pk, projection: 'keys' },
    'by-ordinal': {
      partitionKey: { name: 'policyKey', type: 'S' },
      sortKey: { name: 'ordinal', type: 'N' },
      projection: 'all',
    },
    'by-change': byChange,
  },
  kind: 'business',
} as const satisfies TableDesign;

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
 * The id of a document with versions is derived from owner, category and association, so that a repeat finds it.
 */
export const fileDocumentsTable = {
  name: 'file-documents',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-owner': { partitionKey: { name: 'listKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-entity': { partitionKey: { name: 'listEntityKey', type: 'S' }, sortKey: sk, projection: 'keys' },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Surplus-lines filings. `<downstream>` is `recordOwnerOf` the agency, here as in other tables: its first organization, else the
 * agency; `own-records.ts` says whose the record is. A filing and its messages are one partition, read in one query; it starts with the upstream
 * owner, and the downstream owner finds the same items through an index that starts with its id.
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
 *
 * The indexes of list entries hold only keys: filters are intersected by id, and only items that are returned are read.
 */
export const filingsTable = {
  name: 'filings',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-downstream': { partitionKey: { name: 'downstreamKey', type: 'S' }, sortKey: sk, projection: 'all' },
    'by-owner': { partitionKey: { name: 'listKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-status': { partitionKey: { name: 'statusKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-state': { partitionKey: { name: 'stateKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-policy-number': {
      partitionKey: { name: 'policyNumberKey', type: 'S' },
      sortKey: sk,
      projection: 'keys',
    },
    'by-reference': { partitionKey: { name: 'referenceKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-action': { partitionKey: { name: 'actionKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-entity': { partitionKey: { name: 'entityKey', type: 'S' }, sortKey: sk, projection: 'keys' },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Insurers of the platform, the same for every organization. There are some thousands, so one partition holds them all
 * and a search reads it; a soft-deleted one is marked and left out of responses.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | carrier | `CARRIER` | `<carrierId>` |
 * | NAIC code, held by one live carrier | `NAIC_CODE` | `<naicCode>` |
 */
export const carriersTable = {
  name: 'carriers',
  partitionKey: pk,
  sortKey: sk,
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Agencies of the platform, one item each, however many carriers appoint them; what belongs to one carrier is stored in
 * its association.
 *
 * | item | pk |
 * |---|---|
 * | downstream entity | `ENTITY#<downstreamEntityId>` |
 * | entities that left an organization, and that joined it from elsewhere | `ORGANIZATION#<downstreamOrganizationId>` |
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
    'by-organization': {
      partitionKey: { name: 'organizationKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-npn': { partitionKey: { name: 'npnKey', type: 'S' }, sortKey: pk, projection: 'keys' },
    'by-change': byChange,
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Agency relationships of carriers, and the same relationships as the agencies see them (their markets).
 *
 * | item | pk | sk |
 * |---|---|---|
 * | association | `<upstream>#ASSOCIATION` | `<associationId>` |
 * | associations with one entity, by status | `<upstream>#ENTITY` | `<downstreamEntityId>` |
 * | external id, held by one association | `<upstream>#EXTERNAL_ID` | `<externalId>` |
 * | producer code, held by one association | `<upstream>#PRODUCER_CODE` | `<producerCode>` |
 * | what policies may know an agency by: ids of live associations with its NPN, EIN, or comparable name | `<upstream>#CLUE#NPN`, `…#EIN`, `…#NAME` | `<value>` |
 * | relationship that an add or invite created, held by one association | `<upstream>#RELATIONSHIP` | `<hash>` |
 * | number of agencies with an active or invited association, kept under the plan ceiling | `<upstream>` | `ASSOCIATION_COUNT` |
 * | who knows an agency | `ENTITY_ID#<downstreamEntityId>` | `SHARING` |
 * | market of an agency, on the platform or not | `<downstream>#MARKET` | `<associationId>` |
 * | owner of an association, for operators who know only its id | `ASSOCIATION_ID#<associationId>` | `OWNER` |
 * | contract container template | `<upstream>#TEMPLATE` | `<templateId>` |
 * | contract of an association | `<upstream>#CONTRACT#<associationId>` | `<contractId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-entity | associations of an entity, of every owner, deleted ones too | `entityKey` = `<downstreamEntityId>` | `sk` |
 * | by-npn | live associations with agencies of an NPN | `npnKey` = `<upstream>#<npn>` | `sk` |
 * | by-list | markets of an agency, or of one of its entities | `listKey` = `<downstream>` | `listSort` = `<upstream name>#<associationId>` |
 * | by-list-entity | markets of one entity | `listEntityKey` = `<downstream>#<downstreamEntityId>` | `listSort` |
 * | by-change | associations by the time of their last change, deleted ones too | `changeKey` = `<upstream>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted association keeps its item, in `by-entity` and `by-change`, and its owner's; everything else of it is
 * deleted. The item of a clue stays, without ids, when the last association leaves it.
 */
export const associationsTable = {
  name: 'associations',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-entity': { partitionKey: { name: 'entityKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-npn': { partitionKey: { name: 'npnKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-list-entity': {
      partitionKey: { name: 'listEntityKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-change': byChange,
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Producers as an organization, of either kind, knows them.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | agent | `<owner>#AGENT` | `<agentId>` |
 * | NPN, held by one agent | `<owner>#NPN` | `<npn>` |
 * | agents of a name, which policies may know them by | `<owner>#NAME` | `<first and last name>` |
 * | agent under one of its e-mail addresses | `<owner>#EMAIL#<address, lower case>` | `<agentId>` |
 * | agent at one of its agency relationships | `<owner>#ASSOCIATION#<associationId>` | `<agentId>` |
 * | agent at one of the organization's entities | `<owner>#ENTITY#<downstreamEntityId>` | `<agentId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | pages of an organization's agents, or of an entity's | `listKey` = `<owner>` or `<owner>#<downstreamEntityId>` | `listSort` = `<last and first name>#<agentId>` |
 * | by-npn | the agent of an NPN, whole | `npnKey` = `<owner>#<npn>` | `sk` |
 * | by-change | agents by the time of their last change, deleted ones too | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * The items that find an agent hold its `npn`, so that the agent and its registry subscription are read at the same time.
 * A soft-deleted agent keeps its first item, in `by-change` alone; the others are deleted.
 */
export const agentsTable = {
  name: 'agents',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-npn': { partitionKey: { name: 'npnKey', type: 'S' }, sortKey: sk, projection: 'all' },
    'by-change': byChange,
  },
  kind: 'business',
} as const satisfies TableDesign;

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
 * | by-list | pages of an organization's contacts, or of an entity's | `listKey` = `<downstream>` or `ENTITY#<downstreamEntityId>` | `listSort` = `<last name>, <first name>, <contactId>`, tabs between |
 * | by-email | entities that have a contact of an address | `emailKey` = `<address, lower case>` | `pk` |
 * | by-domain | entities that have a contact of a domain | `domainKey` = `<domain, lower case>` | `pk` |
 *
 * Each item but the last holds the whole contact. A soft-deleted one keeps its first item; the others are deleted.
 */
export const contactsTable = {
  name: 'contacts',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-email': { partitionKey: { name: 'emailKey', type: 'S' }, sortKey: pk, projection: 'keys' },
    'by-domain': { partitionKey: { name: 'domainKey', type: 'S' }, sortKey: pk, projection: 'keys' },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * The registry's records as an organization of either kind holds them. Those of an NPN are one partition.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | subscription | `<owner>#SUBSCRIPTION` | `<subscriptionId>` |
 * | license | `<owner>#NPN#<npn>` | `LICENSE#<stateCode>#<licenseNumber>#<licenseClassCode>` |
 * | appointment | the same | `APPOINTMENT#<stateCode>#<hash of what identifies it>` |
 * | regulatory action | the same | `ACTION#<stateCode>#<actionId>` |
 * | renewal date for which a boundary of a license was reported | the same | `SWEPT#<boundary>#<stateCode>#<licenseNumber>#<licenseClassCode>` |
 * | what was last reported of a regulatory action | the same | `REPORTED#<stateCode>#<actionId>` |
 * | first day that the license sweep swept | `SWEEP` | `STATE` |
 * | days of a year that the license sweep has completed | `SWEEP` | `YEAR#<year>` |
 * | jobs of a day that the license sweep has done, until the day is complete | `SWEEP` | `DAY#<day>` |
 * | NPN that anybody subscribes to, with `lastVisitedAt` | `NPN#<npn>` | `NPN` |
 * | first visit of an NPN that is due | `NPN#<npn>` | `FIRST#<owner>` |
 * | when the next visit of the registry may begin | `VISITS` | `PACE` |
 * | record of the simulated registry that an operator set | `SIMULATOR#<npn>` | `RECORD` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | an owner's licenses, or appointments | `listKey` = `<owner>#LICENSE` or `<owner>#APPOINTMENT` | `listSort` |
 * | by-npn | those of one NPN | `npnKey` = `listKey#<npn>` | `listSort` |
 * | by-state | those of a state | `stateKey` = `listKey#<stateCode>` | `listSort` |
 * | by-status | those of a status | `statusKey` = `listKey#<status>` | `listSort` |
 * | by-license-number | the NPN of a license | `licenseNumberKey` = `<owner>#<stateCode>#<licenseNumber>` | `pk` |
 * | by-renewal | licenses to be renewed on a day, of every owner | `renewalKey` = `<renewal date>#<shard>` | `pk` |
 * | by-renewal | appointments that end on a day, of every owner | `renewalKey` = `APPOINTMENT#<renewal date>#<shard>` | `pk` |
 * | by-npn, too | subscribers of an NPN, of every owner | `npnKey` = `SUBSCRIBERS#<npn>` | `listSort` = `<owner>` |
 * | by-visit | NPNs, the one that was not visited for longest first | `visitKey` = `NPN#<shard>` | `visitSort` = `lastVisitedAt`, else when it was first subscribed to |
 * | by-visit, too | first visits that are due | `visitKey` = `FIRST#<shard>` | `visitSort` = since when |
 * | by-shard | upstream organizations' subscriptions of an earlier version | `shardKey` = `SUBSCRIPTION#<shard>` | `sk` |
 * | by-change | subscriptions, with `npn`, by the time of their last change | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A subscription is made in one transaction with the item of its NPN, so the daily reconciliation finds every NPN once
 * and its subscribers in one query. Subscriptions that were made before there were such items are in `by-shard`: the
 * reconciliation first makes the items, whereupon they leave it. An agency's own ones are in no index; the next import
 * that refers to their NPN makes theirs.
 *
 * A license or an appointment holds its earlier versions, as JSON that is deflated (`earlierVersions`), so that a question
 * about a former day reads what one about today reads. One that the registry no longer reports stays for ten years,
 * marked as deleted and in no index, for questions about former days.
 *
 * `listSort` of a license = `<renewal date>#<stateCode>#<status>#<npn>#<sk>`: the one that expires soonest comes first, and a
 * summary of all of them reads only keys. Of an appointment = `<stateCode>#<carrier name>#<npn>#<sk>`.
 */
export const registryRecordsTable = {
  name: 'registry-records',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-npn': {
      partitionKey: { name: 'npnKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-state': {
      partitionKey: { name: 'stateKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-status': {
      partitionKey: { name: 'statusKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-license-number': {
      partitionKey: { name: 'licenseNumberKey', type: 'S' },
      sortKey: pk,
      projection: 'keys',
    },
    'by-renewal': { partitionKey: { name: 'renewalKey', type: 'S' }, sortKey: pk, projection: 'keys' },
    'by-visit': {
      partitionKey: { name: 'visitKey', type: 'S' },
      sortKey: { name: 'visitSort', type: 'S' },
      projection: 'keys',
    },
    'by-shard': { partitionKey: { name: 'shardKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-change': { ...byChange, projection: ['npn'] },
  },
  timeToLive: 'expiresAt',
  kind: 'business',
} as const satisfies TableDesign;

/**
 * What carriers' products require of producers and agencies. An owner has some dozens, so a list reads them whole.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | config | `<upstream>#CONFIG` | `<productId>` |
 * | change of an NPN's compliance that is not reported yet | `<upstream>#CHANGE` | `<npn>` |
 * | what was last reported of an NPN's compliance | `<upstream>#REPORTED#<npn>` | `REPORTED` |
 * | the same, recorded by an earlier version of the service | `<upstream>#REPORTED` | `<npn>` |
 * | how far the walk of an event through all NPNs is, until it is done | `<upstream>#WALK` | `<eventId>` |
 */
export const complianceTable = {
  name: 'compliance',
  partitionKey: pk,
  sortKey: sk,
  kind: 'business',
} as const satisfies TableDesign;

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
export const licensingTable = {
  name: 'licensing',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-list-entity': {
      partitionKey: { name: 'listEntityKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Webhooks with their deliveries.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | webhook with its secrets | `<owner>#WEBHOOK` | `<webhookId>` |
 * | number of webhooks, at most 20 | `<owner>` | `WEBHOOK_COUNT` |
 * | delivery with its attempts | `<owner>#DELIVERY#<webhookId>` | `<deliveryId>` |
 * | due entry: a delivery's next attempt, made from its record | `<owner>#DUE#<webhookId>` | `<nextAttemptAt>#<deliveryId>#<attempt>` |
 * | drain item: who drains a webhook, when the next look is due, and its receiver's health | `<owner>#DRAIN` | `<webhookId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-webhook, with `status` and `webhookType` | pages of a webhook's deliveries | `listKey` = `<owner>#<webhookId>` | `listSort` = `<createdAt>#<deliveryId>` |
 * | by-look | webhooks at which nobody looked in time, of every owner | `lookKey` = `LOOK#<shard>` | `nextLookAt` |
 *
 * Whether something is left to deliver is decided by consistent reads of the due entries. The index by-look only finds
 * webhooks, in 64 shards; one for which nothing is left has no `lookKey`.
 */
export const webhooksTable = {
  name: 'webhooks',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-webhook': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: ['status', 'webhookType'],
    },
    'by-look': {
      partitionKey: { name: 'lookKey', type: 'S' },
      sortKey: { name: 'nextLookAt', type: 'S' },
      projection: 'keys',
    },
  },
  timeToLive: 'expiresAt',
  kind: 'business',
} as const satisfies TableDesign;

/**
 * One-time links into the agencies' application, stored under the hash of their token: `pk` = `<SHA-256 of the token, hex>`.
 */
export const oneTimeLinksTable = {
  name: 'one-time-links',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * Events on their way to the bus, each written in one transaction with the change that it reports. They are kept for as
 * long as they can be redelivered.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | event | `<upstream>#<entityId>` | `EVENT#<eventId>` |
 * | deferred event; once it is released, that it has no number yet | the same | `DEFERRED#<eventId>` |
 * | last number given to a type of event about the entity | the same | `SEQUENCE#<type>` |
 * | last position issued in the feed of an organization | `<upstream>#FEED` | `COUNTER` |
 * | which event is at a position of the feed | `<upstream>#FEED#<position / 1,000>` | `<position, 16 digits>` |
 * | when the next deferred event may be released | `DEFERRED` | `PACE` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | unpublished | events that the bus has not accepted yet | `unpublishedKey` = `UNPUBLISHED#<shard of the event>` | `createdAt` |
 * | unpublished, too | deferred events that wait | `unpublishedKey` = `DEFERRED#<shard of the upstream>` | `createdAt` |
 *
 * An event gets its number and its position in one transaction, before the bus gets it; one that the bus has accepted has no
 * `unpublishedKey`, so it leaves the index. The index holds only keys, in 64
 * shards: every business write that emits an event waits for it, and an event of 200 KB would cost it twice.
 */
export const outboxTable = {
  name: 'outbox',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    unpublished: {
      partitionKey: { name: 'unpublishedKey', type: 'S' },
      sortKey: { name: 'createdAt', type: 'S' },
      projection: 'keys',
    },
  },
  timeToLive: 'expiresAt',
  stream: 'new image',
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Recorded responses of writes, one item per idempotency key and scope (`id`), encrypted with a key that only the caller's
 * idempotency key gives; see `shared/request/idempotency.ts`.
 */
export const idempotencyTable = {
  name: 'idempotency',
  partitionKey: { name: 'id', type: 'S' },
  timeToLive: 'expiration',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * Counters of rate-limited requests, one item per class, subject and window: `pk` = `<class>#<subject>#<window start>`.
 */
export const rateCountersTable = {
  name: 'rate-counters',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;

/** Every table of the service. */
export const tables = [
  organizationsTable,
  policiesTable,
  fileDocumentsTable,
  filingsTable,
  carriersTable,
  downstreamEntitiesTable,
  associationsTable,
  agentsTable,
  contactsTable,
  registryRecordsTable,
  complianceTable,
  licensingTable,
  webhooksTable,
  oneTimeLinksTable,
  outboxTable,
  idempotencyTable,
  rateCountersTable,
] as const;

export type TableName = (typeof tables)[number]['name'];
