import { agentsTable } from '../../shared/domain/agents/table.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { agentOperations } from './operations.ts';
import { agentRoutes } from './routes.ts';
import { createAgentStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of a carrier's producers. */
export function createAgentsFunction({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<typeof uses>): Pipeline {
  const registryRecords = createRegistryRecords(dynamo, tables.registryRecords);
  return createPipeline({
    ...context,
    group: agentRoutes,
    operations: agentOperations,
    deps: {
      changesSince: createChangesSince(dynamo, [
        { name: tables.agents, design: agentsTable },
        { name: tables.registryRecords, design: registryRecordsTable },
      ]),
      agents: createAgentStore(dynamo, tables.agents, registryRecords),
      complianceConfigs: createComplianceConfigs(dynamo, tables.compliance),
      carrierIdentityOf: createCarrierIdentityOf(dynamo, tables.organizations),
      recordedFacts: createRecordedFacts(dynamo, tables.registryRecords),
      registryRecords,
    },
  });
}
