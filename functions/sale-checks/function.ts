import { createDecisionSources } from '#domain/compliance/sources.ts';
import { createCarrierIdentityOf } from '#domain/compliance/store.ts';
import { apiFunction } from '#function/api-function.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { joiningBatches } from '#platform/data/joined-batches.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { saleCheckOperations } from './check-sales.ts';
import { uses } from './uses.ts';

/** Serves sale checks, and the keys that sign their receipts. What a check names and rests on is in six tables. */
export const saleChecksFunction = apiFunction({
  uses,
  resources: ({ values }) => ({
    receiptKeys: importOnUse(
      async () => {
        const { createSignatureKeys } = await import('#platform/crypto/signature-keys.ts');
        return createSignatureKeys(values.RECEIPT_KEY_ARNS);
      },
      'sign',
      'publicKeys',
    ),
  }),
  operations: ({ tables, receiptKeys }) =>
    saleCheckOperations({
      tables,
      receiptKeys,
      ...createDecisionSources(tables),
      carrierIdentityOf: createCarrierIdentityOf({
        // A batch, which becomes one call with those of other tables.
        get: async (schema, key, options) => (await tables.organizations.getAll(schema, [key], options))[0],
      }),
    }),
  services: writeServices,
  client: joiningBatches,
});
