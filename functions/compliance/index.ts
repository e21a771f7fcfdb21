import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { createComplianceFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('compliance', uses, ({ clients: { dynamo }, ...common }, { values }) =>
  createComplianceFunction({
    ...common,
    clients: { dynamo, registry: createRegistry(values, { dynamo, now: common.context.now }) },
  }),
);
