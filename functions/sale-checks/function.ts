import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { checkSales } from './check-sales.ts';
import { saleCheckDeps } from './deps.ts';
import { getReceiptKeys, getSaleReceipt } from './get-receipt.ts';
import { uses } from './uses.ts';

/** Serves sale checks, their receipts, and the keys that sign those. */
export const createSaleChecksFunction = apiFunction({
  uses,
  deps: saleCheckDeps,
  guards: writeGuards,
  operations: { checkSales, getSaleReceipt, getReceiptKeys },
});
