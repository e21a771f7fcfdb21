import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { saleCheckOperations } from './operations.ts';
import { createReceipts } from './receipts.ts';
import { uses } from './uses.ts';

/** Serves sale checks, their receipts, and the keys that sign those. */
export const createSaleChecksFunction = apiFunction({
  uses,
  operations: saleCheckOperations,
  guards: writeGuards,
  deps: ({
    tables,
    clients: { receiptKeys },
  }: ApiParts<typeof uses, { readonly receiptKeys: SignatureKeys }>) => ({
    tables,
    recordedFacts: createRecordedFacts(tables.registryRecords),
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    receipts: createReceipts(tables.saleReceipts, receiptKeys),
    receiptKeys,
  }),
});
