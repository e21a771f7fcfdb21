import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { appointmentsOf, licensesOf } from '../../shared/domain/compliance/records-of-day.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { agentRoutes } from './routes.ts';
import type { AgentStore } from './store.ts';

type Routes = typeof agentRoutes.routes;

interface Reading {
  readonly agents: AgentStore;
  readonly registryRecords: RegistryRecords;
  readonly recordedFacts: RecordedFacts;
}

/**
 * The NPN of an agent. Only the agent's item contains it, so what is read by it takes a second read.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent.
 */
async function npnOf(owner: string, agentId: string, { agents }: Pick<Reading, 'agents'>): Promise<string> {
  const agent = await agents.find(owner, agentId);
  if (agent === undefined) throw notFound();
  return agent.npn;
}

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentLicenses: Operation<Routes['listAgentLicenses'], Reading> = async (
  { identity: { organizationId }, params, query, now },
  deps,
) => {
  const moment = momentOf(query, now);
  const npn = await npnOf(organizationId, params.agentId, deps);
  return licensesOf(organizationId, npn, query, moment, deps);
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentAppointments: Operation<Routes['listAgentAppointments'], Reading> = async (
  { identity: { organizationId }, params, query, now },
  deps,
) => {
  const moment = momentOf(query, now);
  const npn = await npnOf(organizationId, params.agentId, deps);
  return appointmentsOf(organizationId, npn, query, moment, deps);
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
export const listAgentRegulatoryActions: Operation<Routes['listAgentRegulatoryActions'], Reading> = async (
  { identity: { organizationId }, params },
  deps,
) =>
  deps.registryRecords.regulatoryActionsOf(organizationId, await npnOf(organizationId, params.agentId, deps));
