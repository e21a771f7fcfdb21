import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import type { Resources } from '#domain/function.ts';
import { createRecordedHolders } from '#domain/registry-records/store.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import type { SignatureKeys } from '#platform/crypto/signature-keys.ts';
import { joiningBatches } from '#platform/data/joined-batches.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as saleChecks from './check-sales.ts';
import { createIssueReceipt } from './receipts.ts';
import { uses } from './uses.ts';

/** Dependencies of the operations of sale checks. */
const deps = ({ tables, receiptKeys }: Resources<typeof uses, { readonly receiptKeys: SignatureKeys }>) => ({
  tables,
  recordedHolders: createRecordedHolders(tables.registryRecords),
  complianceConfigs: createComplianceConfigs(tables.compliance),
  carrierOf: createCarrierIdentityOf({
    // A batch, which becomes one call with those of other tables.
    get: async (schema, key, options) => (await tables.organizations.getAll(schema, [key], options))[0],
  }),
  classKindsOf: createClassKindsOf(tables.compliance),
  issueReceipt: createIssueReceipt(tables.saleReceipts, receiptKeys),
  receiptKeys,
});

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type SaleCheckOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves sale checks, and the keys that sign their receipts. What a check names and rests on is in six tables. */
export const saleChecksFunction = apiFunctionWithDeps({
  uses,
  operations: saleChecks,
  deps,
  services: writeServices,
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
  client: joiningBatches,
});
