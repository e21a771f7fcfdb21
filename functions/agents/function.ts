import { apiFunction } from '../../shared/domain/api-function.ts';
import { agentDeps } from './deps.ts';
import { listAgentLicenseComplianceStatuses } from './license-compliance-statuses.ts';
import { getAgent, listAgents, listAgentsV1 } from './read-agents.ts';
import { listAgentAppointments, listAgentLicenses, listAgentRegulatoryActions } from './registry-records.ts';
import { uses } from './uses.ts';

/** Serves the routes of a carrier’s producers. */
export const createAgentsFunction = apiFunction({
  uses,
  deps: agentDeps,
  guards: () => ({}),
  operations: {
    listAgents,
    getAgent,
    listAgentLicenses,
    listAgentAppointments,
    listAgentRegulatoryActions,
    listAgentLicenseComplianceStatuses,
    listAgentsV1,
  },
});
