import { agentView } from '#domain/agents/stored.ts';
import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import { createDecisionSources, licenseStatusOf } from '#domain/compliance/sources.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { apiFunction } from '#function/api-function.ts';
import { createUnlessRestored } from '#platform/changes/change-index.ts';
import { combinedIssues, existing, incompleteIssues, invalid } from '#platform/contract/errors.ts';
import { changesSince } from '#platform/contract/list-queries.ts';
import { type AgentFilters, createAgentStore } from './store.ts';
import { uses } from './uses.ts';

/** @throws ApiError `validation_error` naming the parameters that must not be combined, or not be given alone. */
function checkFilters({ npn, licenseNumber, stateCode, email, externalId }: AgentFilters): void {
  const license = licenseNumber === undefined ? { stateCode } : { licenseNumber };
  const combined = combinedIssues({ npn, ...license, email, externalId });
  const issues = combined.length > 0 ? combined : incompleteIssues({ licenseNumber, stateCode });
  if (issues.length > 0) throw invalid(...issues);
}

/** Serves the routes of a carrier’s producers. */
export const agentsFunction = apiFunction({
  uses,
  operations: ({ tables }) => {
    const registryRecords = createRegistryRecords(tables.registryRecords);
    const agents = createAgentStore(tables.agents, registryRecords);
    const unlessRestored = createUnlessRestored([tables.agents, tables.registryRecords]);
    const decisionSources = createDecisionSources(tables);
    return {
      /** Every agent that matches the filters. */
      listAgentsV1({ identity, query }) {
        checkFilters(query);
        return agents.list(identity.organizationId, query);
      },

      /**
       * Lists the same, or what has changed since a time.
       * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
       */
      listAgents({ identity, query, now }) {
        const since = changesSince(query, now);
        if (since !== undefined) {
          return unlessRestored(since, agents.itemsChangedSince(identity.organizationId, since));
        }
        checkFilters(query);
        return agents.list(identity.organizationId, query);
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
        return licensesOf({ owner: organizationId, npn, query, moment }, decisionSources);
      },

      /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent. */
      async listAgentAppointments({ identity: { organizationId }, params, query, now }) {
        const moment = momentOf(query, now);
        const { npn } = existing(await agents.find(organizationId, params.agentId));
        return appointmentsOf({ owner: organizationId, npn, query, moment }, decisionSources);
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
    };
  },
});
