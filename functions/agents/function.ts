import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import type { Resources } from '#domain/function.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import * as agents from './read-agents.ts';
import { createAgentStore } from './store.ts';
import { uses } from './uses.ts';

/** Stores that the operations of agents work with. */
const deps = ({ tables }: Resources<typeof uses>) => {
  const registryRecords = createRegistryRecords(tables.registryRecords);
  return {
    unlessRestored: createUnlessRestored([tables.agents, tables.registryRecords]),
    agents: createAgentStore(tables.agents, registryRecords),
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    classKindsOf: createClassKindsOf(tables.compliance),
    recordedHolders: createRecordedHolders(tables.registryRecords),
    registryRecords,
  };
};

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type AgentOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of a carrier’s producers. */
export const agentsFunction = apiFunctionWithDeps({
  uses,
  operations: { ...agents },
  deps,
});
