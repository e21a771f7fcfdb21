import { apiFunction } from '../../shared/domain/api-function.ts';
import type { Resources } from '../../shared/domain/function.ts';
import { createClockStore } from '../../shared/domain/sandbox/clocks.ts';
import type { Operation } from '../../shared/platform/request/endpoint.ts';
import { writeServices } from '../../shared/platform/request/write-services.ts';
import * as clock from './rehearse.ts';
import { createOwnRecords } from './rehearse.ts';
import { uses } from './uses.ts';

/** What the operations of a sandbox work with. */
const deps = ({ tables }: Resources<typeof uses>) => ({
  records: createOwnRecords(tables.registryRecords),
  clocks: createClockStore(tables.registryRecords),
});

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type SandboxOperation<Id extends keyof Routes> = Operation<Routes[Id], ReturnType<typeof deps>>;

/** Serves the routes with which customers rehearse. */
export const sandboxFunction = apiFunction({
  uses,
  operations: { ...clock },
  deps,
  services: writeServices,
});
