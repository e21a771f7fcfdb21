import { apiEntry } from '../../shared/domain/api-entry.ts';
import { importedLater } from '../../shared/platform/config/imported-later.ts';
import { createComplianceFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('compliance', uses, ({ clients: { dynamo }, ...common }, { values }) =>
  createComplianceFunction({
    ...common,
    clients: {
      dynamo,
      registry: importedLater(async () => {
        const { createRegistry } = await import('../../shared/domain/environment-registry.ts');
        return createRegistry(values, { dynamo, now: common.context.now });
      }, 'fetch'),
    },
  }),
);
