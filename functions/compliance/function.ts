import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { createInputEventItems } from '#domain/compliance/inputs-changed.ts';
import { createDecisionSources } from '#domain/compliance/sources.ts';
import { createQuestionBudget } from '#domain/registry-records/question-budget.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { createHoldersOfVisits } from '#domain/registry-records/visited-holders.ts';
import { apiFunction } from '#function/api-function.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { receiptOperation } from './get-receipt.ts';
import { listOperations } from './lists.ts';
import { configOperations } from './preview.ts';
import { registryDataOperations } from './registry-data.ts';
import { uses } from './uses.ts';

/** Serves the routes of compliance configurations, of carriers' lists, and of NPN lookups. */
export const complianceFunction = apiFunction({
  uses,
  resources: ({ values, dynamo, context }) => ({
    registry: importOnUse(async () => {
      const { createRegistry } = await import('#domain/registry/environment-registry.ts');
      return createRegistry(values, { dynamo, now: context.now });
    }, 'fetch'),
    questionsADay: values.REGISTRY_QUESTIONS_A_DAY,
  }),
  operations: ({ tables, registry, questionsADay, context }) => {
    const sources = { tables, ...createDecisionSources(tables) };
    return {
      ...registryDataOperations({
        registry,
        holdersOfVisits: createHoldersOfVisits(tables.registryRecords),
        questionBudget: createQuestionBudget(tables.rateCounters, questionsADay, context),
        registryRecords: createRegistryRecords(tables.registryRecords),
      }),
      ...configOperations(sources, createInputEventItems(tables.outbox.items)),
      ...listOperations({
        ...sources,
        carriers: createCarrierCatalog(tables.carriers, context.now),
        unlessRestored: createUnlessRestored([tables.registryRecords]),
      }),
      getSaleReceipt: receiptOperation(tables.saleReceipts),
    };
  },
  services: writeServices,
});
