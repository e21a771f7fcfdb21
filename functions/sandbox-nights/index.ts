import { functionEntry } from '../../shared/domain/entry.ts';
import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { createSandboxNightsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('sandbox-nights', uses, ({ clients, ...common }, { values }) =>
  createSandboxNightsFunction({
    ...common,
    clients: { registry: createRegistry(values, { ...clients, now: common.context.now }) },
  }),
);
