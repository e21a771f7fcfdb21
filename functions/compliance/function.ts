import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { createInputEventItems } from '#domain/compliance/inputs-changed.ts';
import { createRecordConfig } from '#domain/compliance/record-config.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import type { Resources } from '#domain/function.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { createQuestionBudget } from '#domain/registry-records/question-budget.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { createHoldersOfVisits } from '#domain/registry-records/visited-holders.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as book from './book.ts';
import * as carrierLists from './carrier-lists.ts';
import * as receipts from './get-receipt.ts';
import * as previews from './preview.ts';
import * as registryData from './registry-data.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly registry: Pick<Registry, 'fetch'>;
  /** NPNs about which an organization may have the registry asked in a day. */
  readonly questionsADay: number;
}

/** Dependencies of the operations of compliance. */
const deps = ({ tables, registry, questionsADay, context }: Resources<typeof uses, OwnResources>) => {
  const complianceConfigs = createComplianceConfigs(tables.compliance);
  const carrierIdentityOf = createCarrierIdentityOf(tables.organizations);
  const recordedHolders = createRecordedHolders(tables.registryRecords);
  return {
    carrierIdentityOf,
    carriers: createCarrierCatalog(tables.carriers, context.now),
    classKindsOf: createClassKindsOf(tables.compliance),
    complianceConfigs,
    events: createInputEventItems(tables.outbox.items),
    holdersOfVisits: createHoldersOfVisits(tables.registryRecords),
    questionBudget: createQuestionBudget(tables.rateCounters, questionsADay, context),
    recordedHolders,
    recordConfig: createRecordConfig(tables.compliance),
    registryRecords: createRegistryRecords(tables.registryRecords),
    registry,
    tables,
    unlessRestored: createUnlessRestored([tables.registryRecords]),
  };
};

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type ComplianceOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of compliance configurations and NPN lookups. */
export const complianceFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...registryData,
    ...previews,
    ...book,
    ...carrierLists,
    ...receipts,
  },
  deps,
  services: writeServices,
  resources: ({ values, dynamo, context }) => ({
    registry: importOnUse(async () => {
      const { createRegistry } = await import('#domain/environment-registry.ts');
      return createRegistry(values, { dynamo, now: context.now });
    }, 'fetch'),
    questionsADay: values.REGISTRY_QUESTIONS_A_DAY,
  }),
});
