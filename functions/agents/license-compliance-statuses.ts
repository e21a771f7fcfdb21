import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { leftOut } from '../../shared/platform/data/left-out.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { AgentOperation } from './function.ts';

/**
 * Whether an agent may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Agent, config and the
 * carrier's identity are read concurrently, then what the config requires, and the registry records of the agent's NPN in that state.
 *
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent, and for a product without a config.
 */
export const listAgentLicenseComplianceStatuses: AgentOperation<'listAgentLicenseComplianceStatuses'> =
  async function* (
    { identity: { organizationId }, params, query: { stateCode, productId, ...asked }, now },
    { agents, complianceConfigs, carrierIdentityOf, classKindsOf, recordedFacts },
  ) {
    const moment = momentOf(asked, now);
    const ofAgent = async () => {
      const { npn } = existing(await agents.find(organizationId, params.agentId));
      return { npn, facts: await recordedFacts.factsOf(organizationId, npn, stateCode).catch(leftOut) };
    };
    const [{ npn, facts }, config, carrier, classKinds] = await Promise.all([
      ofAgent(),
      complianceConfigs.find(organizationId, productId, moment, now),
      carrierIdentityOf(organizationId),
      classKindsOf(organizationId),
    ]);
    if (config === undefined) throw notFoundAt(['productId']);
    if (facts === undefined) return;
    const status = {
      npn,
      productId,
      productName: config.productName,
      stateCode,
      ...complianceOf({
        party: 'agent',
        facts,
        classKinds,
        stateCode,
        configs: config.versions,
        carrier,
        moment,
      }),
    };
    yield [status];
  };
