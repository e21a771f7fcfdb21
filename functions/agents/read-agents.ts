import { agentView } from '#domain/agents/stored.ts';
import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import { statusOf } from '#domain/compliance/status.ts';
import { combinedIssues, existing, invalid, invalidAt } from '#platform/contract/errors.ts';
import { changesSince } from '#platform/contract/list-queries.ts';
import { notFoundAt } from '#platform/errors/domain-error.ts';
import type { AgentOperation, Deps } from './function.ts';
import type { AgentFilters } from './store.ts';

/**
 * The filters of a query.
 * @throws ApiError `validation_error` naming the parameters that must not be combined, or not be given alone.
 */
function filtersOf(query: Parameters<AgentOperation<'listAgents'>>[0]['query']): AgentFilters {
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

/** Every agent that matches the filters. */
export const listAgentsV1: AgentOperation<'listAgentsV1'> = ({ identity, query }, { agents }) =>
  agents.list(identity.organizationId, filtersOf(query));

/**
 * Lists the same, or what has changed since a time.
 * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
 */
export const listAgents: AgentOperation<'listAgents'> = (
  { identity, query, now },
  { agents, unlessRestored },
) => {
  const since = changesSince(query, now);
  return since === undefined
    ? agents.list(identity.organizationId, filtersOf(query))
    : unlessRestored(since, agents.itemsChangedSince(identity.organizationId, since));
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
  deps.recordedHolders.regulatoryActionsOf(organizationId, await npnOf(organizationId, params.agentId, deps));

/**
 * Whether an agent may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Agent, config and the
 * carrier's identity are read concurrently, then what the config requires, and the registry records of the agent's NPN in that
 * state.
 *
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent, and for a product without a config.
 */
export const listAgentLicenseComplianceStatuses: AgentOperation<'listAgentLicenseComplianceStatuses'> =
  async function* (
    { identity: { organizationId }, params, query: { stateCode, productId, ...moments }, now },
    { agents, complianceConfigs, carrierIdentityOf, classKindsOf, recordedHolders },
  ) {
    const moment = momentOf(moments, now);
    const ofAgent = async () => {
      const { npn } = existing(await agents.find(organizationId, params.agentId));
      const coverage = await recordedHolders.coverageOf(organizationId, npn, {
        knownAt: moment.knownThen,
        classKinds: classKindsOf(organizationId),
        statesOf: () => [stateCode],
      });
      return { npn, coverage };
    };
    const [{ npn, coverage }, config, carrier] = await Promise.all([
      ofAgent(),
      complianceConfigs.find(organizationId, productId, moment, now),
      carrierIdentityOf(organizationId),
    ]);
    if (config === undefined) throw notFoundAt(['productId']);
    const status = {
      npn,
      productId,
      productName: config.productName,
      stateCode,
      ...statusOf({
        party: 'agent',
        coverage,
        stateCode,
        configs: config.versions,
        carrier,
        moment,
      }),
    };
    yield [status];
  };
