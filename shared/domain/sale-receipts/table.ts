import { pk, sk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * Receipts of sale checks, for ten years: `pk` = `<owner>#<receiptId>`, `sk` = the number of the part. A receipt is compressed and
 * cut into parts, since it may be larger than an item.
 */
export const saleReceiptsTable = {
  name: 'sale-receipts',
  partitionKey: pk,
  sortKey: sk,
  timeToLive: 'expiresAt',
  kind: 'business',
} as const satisfies TableDesign;
