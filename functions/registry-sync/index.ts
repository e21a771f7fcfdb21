import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { workerEntry } from '../../shared/domain/worker-entry.ts';
import { createRegistrySyncFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = workerEntry('registry-sync', uses, ({ clients, ...common }, { values }) =>
  createRegistrySyncFunction({
    ...common,
    clients: { ...clients, registry: createRegistry(values, { ...clients, now: common.context.now }) },
  }),
);
