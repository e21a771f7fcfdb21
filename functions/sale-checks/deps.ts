import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createIssueReceipt } from './receipts.ts';
import type { uses } from './uses.ts';

/** What the operations of sale checks work with. */
export const saleCheckDeps = ({
  tables,
  clients: { receiptKeys },
}: ApiParts<typeof uses, { readonly receiptKeys: SignatureKeys }>) => ({
  tables,
  recordedFacts: createRecordedFacts(tables.registryRecords),
  complianceConfigs: createComplianceConfigs(tables.compliance),
  carrierOf: createCarrierIdentityOf({
    // A batch, which becomes one call with those of other tables.
    get: async (schema, key, options) => (await tables.organizations.getAll(schema, [key], options))[0],
  }),
  classKindsOf: createClassKindsOf(tables.compliance),
  issueReceipt: createIssueReceipt(tables.saleReceipts, receiptKeys),
  receiptKeys,
});

export type SaleCheckDeps = ReturnType<typeof saleCheckDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type SaleCheckOperation<Id extends keyof Routes> = Operation<Routes[Id], SaleCheckDeps>;
