import { pk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * One-time links into the agencies' application, stored under the hash of their token: `pk` = `<SHA-256 of the token, hex>`.
 */
export const oneTimeLinksTable = {
  name: 'one-time-links',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;
