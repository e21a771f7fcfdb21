import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { saleCheckRoutes } from './routes.ts';

/** The public halves of the keys that sign receipts, or signed them once. */
export const getReceiptKeys: Operation<
  typeof saleCheckRoutes.routes.getReceiptKeys,
  { readonly receiptKeys: SignatureKeys }
> = async (_request, { receiptKeys }) => ({ keys: [...(await receiptKeys.publicKeys())] });
