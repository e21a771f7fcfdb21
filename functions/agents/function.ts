import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { listAgentLicenseComplianceStatuses } from './license-compliance-statuses.ts';
import { getAgent, listAgents, listAgentsV1 } from './read-agents.ts';
import { listAgentAppointments, listAgentLicenses, listAgentRegulatoryActions } from './registry-records.ts';
import { agentRoutes } from './routes.ts';
import { createAgentStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of a carrier's producers. */
export function createAgentsFunction({
  clients: { dynamo },
  tables: names,
  context,
}: ApiDependencies<typeof uses>): Pipeline {
  const tables = tablesOf(dynamo, names);
  const registryRecords = createRegistryRecords(tables.registryRecords);
  return createPipeline({
    ...context,
    group: agentRoutes,
    operations: {
      listAgents,
      getAgent,
      listAgentLicenses,
      listAgentAppointments,
      listAgentRegulatoryActions,
      listAgentLicenseComplianceStatuses,
      listAgentsV1,
      getAgentV1: getAgent,
      listAgentLicensesV1: listAgentLicenses,
      listAgentRegulatoryActionsV1: listAgentRegulatoryActions,
      listAgentLicenseComplianceStatusesV1: listAgentLicenseComplianceStatuses,
    },
    deps: {
      changesSince: createChangesSince([tables.agents, tables.registryRecords]),
      agents: createAgentStore(tables.agents, registryRecords),
      complianceConfigs: createComplianceConfigs(tables.compliance),
      carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
      recordedFacts: createRecordedFacts(tables.registryRecords),
      registryRecords,
    },
  });
}
