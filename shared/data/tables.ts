/**
 * The tables as data: the infrastructure creates them, the stores address them and the store tests build them from this
 * one description. The key design of each table stands in the comment above it.
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
  readonly projection: 'all' | 'keys';
}

const pk = { name: 'pk', type: 'S' } as const;
const sk = { name: 'sk', type: 'S' } as const;

/**
 * Organizations and their credentials; every read is one key.
 *
 * | item | pk |
 * |---|---|
 * | organization | `ORGANIZATION#<organizationId>` |
 * | API client | `CLIENT#<clientId>` |
 * | restricted access token | `TOKEN#<SHA-256 of the token, hex>` |
 * | where a token's hash is found by its id | `TOKEN_ID#<tokenId>` |
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
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-number | every policy; one number | `listKey` = `<owner>` | `policyNumber` |
 * | by-status | status; status and state | `statusKey` = `<owner>#<status>` | `statusSort` = `<state>#<policyNumber>` |
 * | by-state | state | `stateKey` = `<owner>#<state>` | `policyNumber` |
 * | by-ordinal | a page of a policy's transactions | `policyKey` = `<owner>#<policyId>` | `ordinal` from 1, without gaps |
 *
 * A soft-deleted policy has no `listKey`, `statusKey` and `stateKey`, so it leaves the indexes.
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
    'by-ordinal': {
      partitionKey: { name: 'policyKey', type: 'S' },
      sortKey: { name: 'ordinal', type: 'N' },
      projection: 'all',
    },
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
 *
 * The id of a document that takes versions follows from owner, category and association, so that a repeat meets it.
 */
export const fileDocumentsTable = {
  name: 'file-documents',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-owner': { partitionKey: { name: 'listKey', type: 'S' }, sortKey: sk, projection: 'keys' },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Surplus-lines filings. A filing and its messages are one partition, read in one query; it starts with the upstream
 * owner, and the downstream one finds the same items through an index that starts with itself.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | filing with its checklist | `<upstream>#FILING#<filingId>` | `FILING` |
 * | message of an escalation | the same | `MESSAGE#<sentAt>#<messageId>` |
 * | list entry, one for each of the two owners | `<owner>#FILINGS` | `<filingId>` |
 * | where the operator finds a filing's owner by its id | `FILING_ID#<filingId>` | `OWNER` |
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
 *
 * The indexes of list entries hold keys alone: filters are intersected by id, and only what is answered is read.
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
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Insurers of the platform, the same for every organization. They are some thousands, so one partition holds them all
 * and a search reads it; a soft-deleted one is marked and left out of answers.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | carrier | `CARRIER` | `<carrierId>` |
 */
export const carriersTable = {
  name: 'carriers',
  partitionKey: pk,
  sortKey: sk,
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Agencies of the platform, one item each whatever number of carriers appoint them; what is one carrier's own stands on
 * its association.
 *
 * | item | pk |
 * |---|---|
 * | downstream entity | `ENTITY#<downstreamEntityId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-organization | entities of an organization on the platform | `organizationKey` = `<downstreamOrganizationId>` | `pk` |
 *
 * A soft-deleted entity has no `organizationKey`, so it leaves the index.
 */
export const downstreamEntitiesTable = {
  name: 'downstream-entities',
  partitionKey: pk,
  indexes: {
    'by-organization': {
      partitionKey: { name: 'organizationKey', type: 'S' },
      sortKey: pk,
      projection: 'keys',
    },
  },
  kind: 'business',
} as const satisfies TableDesign;

/**
 * Remembered answers of writes, one item per idempotency key and scope (`id`); see `shared/request/idempotency.ts`.
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
  idempotencyTable,
  rateCountersTable,
] as const;
