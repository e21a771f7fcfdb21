import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { createInputEventItems } from '#domain/compliance/inputs-changed.ts';
import { createDecisionSources } from '#domain/compliance/sources.ts';
import { RegistryUnavailable } from '#domain/registry/registry.ts';
import { createHoldersOfVisits, createQuestionBudget } from '#domain/registry-records/questions.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { apiFunction } from '#function/api-function.ts';
import { createUnlessRestored } from '#platform/changes/change-index.ts';
import { ApiError, existing } from '#platform/contract/errors.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { receiptOperation } from './get-receipt.ts';
import { listOperations } from './lists.ts';
import { configOperations } from './preview.ts';
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
    const holdersOfVisits = createHoldersOfVisits(tables.registryRecords);
    const questionBudget = createQuestionBudget(tables.rateCounters, questionsADay, context);
    const registryRecords = createRegistryRecords(tables.registryRecords);
    return {
      ...configOperations(sources, createInputEventItems(tables.outbox.items)),
      ...listOperations({
        ...sources,
        carriers: createCarrierCatalog(tables.carriers, context.now),
        unlessRestored: createUnlessRestored([tables.registryRecords]),
      }),
      getSaleReceipt: receiptOperation(tables.saleReceipts),

      /**
       * Looks up the holder of each NPN, as a visit of the last 24 hours found or as the registry says now, concurrently (OpenAPI,
       * "lookUpNpns").
       * @throws ApiError `rate_limit_exceeded` where the organization's questions of the day are used up; `service_unavailable` while the
       *   registry does not respond.
       */
      async lookUpNpns({ body, identity: { organizationId }, now }) {
        const npns = [...new Set(body.npns)];
        const visitedHolders = await holdersOfVisits(npns, now);
        if (visitedHolders.size < npns.length) {
          await questionBudget.takeOrRefuse(organizationId, npns.length - visitedHolders.size);
        }
        try {
          return await Promise.all(
            npns.map(async (npn) => {
              const holder = visitedHolders.get(npn) ?? (await registry.fetch(npn, organizationId));
              return { npn, result: holder?.kind ?? 'not found', name: holder?.name ?? null };
            }),
          );
        } catch (error) {
          if (error instanceof RegistryUnavailable)
            throw new ApiError('service_unavailable', { cause: error });
          throw error;
        }
      },

      /**
       * A subscription with the state of its synchronization.
       * @throws ApiError `not_found` for an unknown or foreign subscription.
       */
      async getComplianceDataSubscription({ identity, params: { registryDataSubscriptionId } }) {
        return existing(
          await registryRecords.findSubscription(identity.organizationId, registryDataSubscriptionId),
        );
      },

      /** The caller's subscriptions, or the one for an NPN. */
      async *listComplianceDataSubscriptions({ identity: { organizationId }, query: { npn } }) {
        if (npn === undefined) yield* registryRecords.subscriptions(organizationId);
        else {
          const byNpn = await registryRecords.subscriptionsOf(organizationId, [npn]);
          yield [byNpn.get(npn) ?? []].flat();
        }
      },
    };
  },
  services: writeServices,
});
