import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createSignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import { createSaleChecksFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('sale-checks', uses, ({ clients, ...common }, { values }) =>
  createSaleChecksFunction({
    ...common,
    clients: { ...clients, receiptKeys: createSignatureKeys(createKmsClient(), values.RECEIPT_KEY_ARNS) },
  }),
);
