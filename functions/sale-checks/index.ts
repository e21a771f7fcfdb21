import { apiEntry } from '../../shared/domain/api-entry.ts';
import { importedLater } from '../../shared/platform/config/imported-later.ts';
import { createSaleChecksFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('sale-checks', uses, ({ clients, ...common }, { values }) =>
  createSaleChecksFunction({
    ...common,
    clients: {
      ...clients,
      receiptKeys: importedLater(
        async () => {
          const { createSignatureKeys } = await import('../../shared/platform/crypto/signature-keys.ts');
          return createSignatureKeys(values.RECEIPT_KEY_ARNS);
        },
        'sign',
        'publicKeys',
      ),
    },
  }),
);
