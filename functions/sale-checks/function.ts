import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { saleCheckOperations } from './operations.ts';
import { createReceipts } from './receipts.ts';
import { saleCheckRoutes } from './routes.ts';
import type { uses } from './uses.ts';

/** Serves sale checks, their receipts, and the keys that sign those. */
export function createSaleChecksFunction({
  clients: { dynamo, receiptKeys },
  tables: names,
  context,
}: ApiDependencies<typeof uses, { readonly receiptKeys: SignatureKeys }>): Pipeline {
  const tables = tablesOf(dynamo, names);
  return createPipeline({
    ...context,
    group: saleCheckRoutes,
    operations: saleCheckOperations,
    deps: {
      tables,
      complianceConfigs: createComplianceConfigs(tables.compliance),
      carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
      receipts: createReceipts(tables.saleReceipts, receiptKeys),
      receiptKeys,
    },
    ...writeGuards(dynamo, names),
  });
}
