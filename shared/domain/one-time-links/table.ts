import { pk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * One-time links into the agencies' application: `pk` = `<SHA-256 in hexadecimal>`, of an invitation's token, or, once a sign-in
 * link was redeemed, of what its token signs.
 */
export const oneTimeLinksTable = {
  name: 'one-time-links',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;
