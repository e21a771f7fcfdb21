import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { carrierOperations } from './operations.ts';
import { carrierRoutes } from './routes.ts';
import { createCarrierStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of the carrier directory. */
export const createCarriersFunction = ({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<typeof uses>): Pipeline =>
  createPipeline({
    ...context,
    group: carrierRoutes,
    operations: carrierOperations,
    deps: {
      carriers: createCarrierStore(dynamo, tables.carriers, () => context.now().getTime()),
    },
  });
