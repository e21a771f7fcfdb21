import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { createS3Changes } from '../../shared/domain/registry/s3-change-files.ts';
import { workerEntry } from '../../shared/domain/worker-entry.ts';
import { createRegistryReconciliationFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = workerEntry('registry-reconciliation', uses, ({ clients, ...common }, { values }) =>
  createRegistryReconciliationFunction({
    ...common,
    clients: {
      ...clients,
      registry: createRegistry(values, {
        ...clients,
        now: common.context.now,
        listedChanges: createS3Changes(values.REGISTRY_CHANGES),
      }),
    },
    pollsPerSecond: values.REGISTRY_POLLS_PER_SECOND,
    mostCallsANight: values.MOST_CALLS_A_NIGHT,
  }),
);
