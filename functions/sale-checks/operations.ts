import { checkSales } from './check-sales.ts';
import { getSaleReceipt } from './get-receipt.ts';
import { getReceiptKeys } from './get-receipt-keys.ts';

/** The operation of each row of the table of sale checks. */
export const saleCheckOperations = { checkSales, getSaleReceipt, getReceiptKeys };
