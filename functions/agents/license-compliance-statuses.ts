import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { leftOut } from '../../shared/platform/data/left-out.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { AgentOperation } from './deps.ts';

/**
 * Whether an agent may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Agent, config and the
 * carrier's identity are read concurrently, then the registry records of the agent's NPN in that state.
 *
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent, and for a product without a config.
 */
export const listAgentLicenseComplianceStatuses: AgentOperation<'listAgentLicenseComplianceStatuses'> =
  async function* (
    { identity: { organizationId }, params, query: { stateCode, productId, ...asked }, now },
    { agents, complianceConfigs, carrierIdentityOf, recordedFacts },
  ) {
    const moment = momentOf(asked, now);
    const [agent, config, carrier] = await Promise.all([
      agents.find(organizationId, params.agentId),
      complianceConfigs.find(organizationId, productId, now),
      carrierIdentityOf(organizationId),
    ]);
    const { npn } = existing(agent);
    if (config === undefined) throw notFoundAt(['productId']);
    const facts = await recordedFacts.factsOf(organizationId, npn, stateCode).catch(leftOut);
    if (facts === undefined) return;
    const status = {
      npn,
      productId,
      productName: config.productName,
      stateCode,
      ...complianceOf({ party: 'agent', facts, stateCode, configs: config.versions, carrier, moment }),
    };
    yield [status];
  };
