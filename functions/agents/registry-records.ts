import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { appointmentsOf, licensesOf } from '../../shared/domain/compliance/records-of-day.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import type { AgentOperation, Deps } from './function.ts';

/**
 * The NPN of an agent. Only the agent's item contains it, so what is read by it takes a second read.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent.
 */
async function npnOf(owner: string, agentId: string, { agents }: Pick<Deps, 'agents'>): Promise<string> {
  return existing(await agents.find(owner, agentId)).npn;
}

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentLicenses: AgentOperation<'listAgentLicenses'> = async (
  { identity: { organizationId }, params, query, now },
  deps,
) => {
  const moment = momentOf(query, now);
  const npn = await npnOf(organizationId, params.agentId, deps);
  return licensesOf(organizationId, npn, query, moment, deps);
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentAppointments: AgentOperation<'listAgentAppointments'> = async (
  { identity: { organizationId }, params, query, now },
  deps,
) => {
  const moment = momentOf(query, now);
  const npn = await npnOf(organizationId, params.agentId, deps);
  return appointmentsOf(organizationId, npn, query, moment, deps);
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentRegulatoryActions: AgentOperation<'listAgentRegulatoryActions'> = async (
  { identity: { organizationId }, params },
  deps,
) =>
  deps.registryRecords.regulatoryActionsOf(organizationId, await npnOf(organizationId, params.agentId, deps));
