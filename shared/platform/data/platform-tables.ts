// The tables that the platform itself reads and writes, and their keys: credentials, and the guards of writes.
import { pk, type TableDesign } from './table-design.ts';

/**
 * Organizations and their credentials; every read is one key, but those of operators who know a name.
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

/** Partition keys of the organizations table. */
export const organizationKeys = {
  organization: (organizationId: string) => ({ pk: `ORGANIZATION#${organizationId}` }),
  client: (clientId: string) => ({ pk: `CLIENT#${clientId}` }),
  token: (tokenHash: string) => ({ pk: `TOKEN#${tokenHash}` }),
  tokenById: (tokenId: string) => ({ pk: `TOKEN_ID#${tokenId}` }),
};

/**
 * Recorded responses of writes, one item per idempotency key and scope (`pk`), encrypted with a key that only the caller's
 * idempotency key gives; see `shared/platform/request/idempotency.ts`.
 */
export const idempotencyTable = {
  name: 'idempotency',
  partitionKey: pk,
  timeToLive: 'expiration',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * Counters of rate-limited requests, one item per class, subject and window: `pk` = `<class>#<subject>#<window start>`; and when
 * each credential was last used (`shared/platform/identity/credentials.ts`): `pk` = `used#<credentialId>`.
 */
export const rateCountersTable = {
  name: 'rate-counters',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * What a function with routes that write does with the tables of its guards: idempotency records, with the pieces of a response
 * that does not fit one, and rate counters.
 */
export const guardTables = {
  idempotency: { items: ['BatchGetItem', 'BatchWriteItem', 'UpdateItem', 'DeleteItem'] },
  rateCounters: { items: ['UpdateItem'] },
} as const;
