import { businessTable } from '../../platform/data/table-design.ts';

/**
 * Receipts of sale checks, for ten years: `pk` = `<owner>#<receiptId>`, `sk` = the number of the part. A receipt is compressed and
 * cut into parts, since it may be larger than an item.
 */
export const saleReceiptsTable = businessTable('sale-receipts', {
  timeToLive: 'expiresAt',
});
