import { agentView } from '../../shared/domain/agents/view.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { agentRoutes } from './routes.ts';
import type { AgentStore } from './store.ts';

/**
 * An agent with the registry subscription of its NPN, which only the agent's item contains: two reads in sequence.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent.
 */
export const getAgent: Operation<
  typeof agentRoutes.routes.getAgent,
  { readonly agents: AgentStore; readonly registryRecords: RegistryRecords }
> = async ({ identity, params }, { agents, registryRecords }) => {
  const agent = await agents.find(identity.organizationId, params.agentId);
  if (agent === undefined) throw notFound();
  const subscriptions = await registryRecords.subscriptionsOf(identity.organizationId, [agent.npn]);
  return agentView(agent, subscriptions.get(agent.npn));
};
