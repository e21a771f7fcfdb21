import { agentView } from '../../shared/domain/agents/view.ts';
import { combinedIssues, existing, invalid, invalidAt } from '../../shared/platform/contract/errors.ts';
import { changesSince } from '../../shared/platform/contract/updated-since.ts';
import type { AgentOperation } from './function.ts';
import type { AgentFilters } from './store.ts';

/**
 * The filters of a query.
 * @throws ApiError `validation_error` naming the parameters that must not be combined, or not be given alone.
 */
function filtersOf(query: Parameters<AgentOperation<'listAgents'>>[0]['query']): AgentFilters {
  const { npn, licenseNumber, stateCode, email, externalId, downstreamEntityAssociationId } = query;
  const license = licenseNumber === undefined ? { stateCode } : { licenseNumber };
  const combined = combinedIssues({ npn, ...license, email, externalId });
  if (combined.length > 0) throw invalid(...combined);
  if (licenseNumber === undefined && stateCode !== undefined) {
    throw invalidAt('licenseNumber', 'is required with stateCode');
  }
  if (licenseNumber !== undefined && stateCode === undefined) {
    throw invalidAt('stateCode', 'is required with licenseNumber');
  }
  return {
    downstreamEntityAssociationId,
    npn,
    email,
    externalId,
    license:
      licenseNumber === undefined || stateCode === undefined ? undefined : { licenseNumber, stateCode },
  };
}

/** Every agent that matches the filters. */
export const listAgentsV1: AgentOperation<'listAgentsV1'> = ({ identity, query }, { agents }) =>
  agents.list(identity.organizationId, filtersOf(query));

/**
 * The same, or what has changed since a time.
 * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
 */
export const listAgents: AgentOperation<'listAgents'> = (
  { identity, query, now },
  { agents, changesSince: answer },
) => {
  const since = changesSince(query, now);
  return since === undefined
    ? agents.list(identity.organizationId, filtersOf(query))
    : answer(since, agents.changedSince(identity.organizationId, since));
};

/**
 * An agent with the registry subscription of its NPN, which only the agent's item contains: two reads in sequence.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent.
 */
export const getAgent: AgentOperation<'getAgent'> = async (
  { identity, params },
  { agents, registryRecords },
) => {
  const agent = existing(await agents.find(identity.organizationId, params.agentId));
  const subscriptions = await registryRecords.subscriptionsOf(identity.organizationId, [agent.npn]);
  return agentView(agent, subscriptions.get(agent.npn));
};
