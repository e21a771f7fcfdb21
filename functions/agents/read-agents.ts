import { agentView } from '#domain/agents/stored.ts';
import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import { licenseStatusOf } from '#domain/compliance/sources.ts';
import { combinedIssues, existing, invalid, invalidAt } from '#platform/contract/errors.ts';
import { changesSince } from '#platform/contract/list-queries.ts';
import type { ApiRequest, Operations } from '#platform/request/endpoint.ts';
import type { agentRoutes } from './routes.ts';
import type { AgentFilters, AgentSources } from './store.ts';

type Routes = typeof agentRoutes.routes;

/**
 * The filters of a query.
 * @throws ApiError `validation_error` naming the parameters that must not be combined, or not be given alone.
 */
function filtersOf(query: ApiRequest<Routes['listAgents']>['query']): AgentFilters {
  const { npn, licenseNumber, stateCode, email, externalId, downstreamEntityAssociationId } = query;
  const license = licenseNumber === undefined ? { stateCode } : { licenseNumber };
  const issues = combinedIssues({ npn, ...license, email, externalId });
  if (issues.length > 0) throw invalid(...issues);
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

/** Reads of a carrier’s producers. */
export const agentOperations = ({
  agents,
  registryRecords,
  unlessRestored,
  ...decisionSources
}: AgentSources): Operations<Routes> => ({
  /** Every agent that matches the filters. */
  listAgentsV1({ identity, query }) {
    return agents.list(identity.organizationId, filtersOf(query));
  },

  /**
   * Lists the same, or what has changed since a time.
   * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
   */
  listAgents({ identity, query, now }) {
    const since = changesSince(query, now);
    return since === undefined
      ? agents.list(identity.organizationId, filtersOf(query))
      : unlessRestored(since, agents.itemsChangedSince(identity.organizationId, since));
  },

  /**
   * An agent with the registry subscription of its NPN, which only the agent's item contains: two reads in sequence.
   * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent.
   */
  async getAgent({ identity, params }) {
    const agent = existing(await agents.find(identity.organizationId, params.agentId));
    const subscriptions = await registryRecords.subscriptionsOf(identity.organizationId, [agent.npn]);
    return agentView(agent, subscriptions.get(agent.npn));
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
  async listAgentLicenses({ identity: { organizationId }, params, query, now }) {
    const moment = momentOf(query, now);
    const { npn } = existing(await agents.find(organizationId, params.agentId));
    return licensesOf(organizationId, npn, query, moment, decisionSources);
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
  async listAgentAppointments({ identity: { organizationId }, params, query, now }) {
    const moment = momentOf(query, now);
    const { npn } = existing(await agents.find(organizationId, params.agentId));
    return appointmentsOf(organizationId, npn, query, moment, decisionSources);
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
  async listAgentRegulatoryActions({ identity: { organizationId }, params }) {
    const { npn } = existing(await agents.find(organizationId, params.agentId));
    return decisionSources.recordedHolders.regulatoryActionsOf(organizationId, npn);
  },

  /**
   * Whether an agent may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses").
   * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent, and for a product without a config.
   */
  async *listAgentLicenseComplianceStatuses({ identity: { organizationId }, params, query, now }) {
    const findAgent = async () => ({
      party: 'agent' as const,
      holderNpn: existing(await agents.find(organizationId, params.agentId)).npn,
    });
    yield [await licenseStatusOf(decisionSources, organizationId, query, now, findAgent)];
  },
});
