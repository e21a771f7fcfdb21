import { getAgent } from './get-agent.ts';
import { listAgentLicenseComplianceStatuses } from './license-compliance-statuses.ts';
import { listAgents, listAgentsV1 } from './list-agents.ts';
import { listAgentAppointments, listAgentLicenses, listAgentRegulatoryActions } from './registry-records.ts';

/** What each row of the agents table does; versions share an operation. */
export const agentOperations = {
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
};
