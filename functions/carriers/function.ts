import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { carrierOperations } from './operations.ts';
import { carrierRoutes } from './routes.ts';
import { createCarrierStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of the carrier directory. */
export function createCarriersFunction({
  clients: { dynamo },
  tables: names,
  context,
}: ApiDependencies<typeof uses>): Pipeline {
  const tables = tablesOf(dynamo, names);
  return createPipeline({
    ...context,
    group: carrierRoutes,
    operations: carrierOperations,
    deps: {
      carriers: createCarrierStore(tables.carriers, () => context.now().getTime()),
    },
  });
}
