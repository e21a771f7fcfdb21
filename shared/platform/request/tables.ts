import { pk, type TableDesign } from '../data/table-design.ts';

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
