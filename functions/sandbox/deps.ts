import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createClockStore } from '../../shared/domain/sandbox/clocks.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createOwnRecords } from './store.ts';
import type { uses } from './uses.ts';

/** What the operations of a sandbox work with. */
export const sandboxDeps = ({ tables }: ApiParts<typeof uses>) => ({
  records: createOwnRecords(tables.registryRecords),
  clocks: createClockStore(tables.registryRecords),
});

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type SandboxOperation<Id extends keyof Routes> = Operation<Routes[Id], ReturnType<typeof sandboxDeps>>;
