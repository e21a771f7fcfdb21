import type { CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import type { LicenseComplianceStatus } from '../../shared/domain/compliance/compliance-rows.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { agentRoutes } from './routes.ts';
import type { AgentStore } from './store.ts';

/**
 * Whether an agent may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Agent, config and the
 * carrier's identity are read concurrently, then the registry records of the agent's NPN in that state.
 *
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted agent, and for a product without a config.
 */
export const listAgentLicenseComplianceStatuses: Operation<
  typeof agentRoutes.routes.listAgentLicenseComplianceStatuses,
  {
    readonly agents: AgentStore;
    readonly complianceConfigs: ComplianceConfigs;
    readonly carrierIdentityOf: CarrierIdentityOf;
    readonly recordedFacts: RecordedFacts;
  }
> = async (
  { identity: { organizationId }, params, query: { stateCode, productId, ...asked }, now },
  { agents, complianceConfigs, carrierIdentityOf, recordedFacts },
) => {
  const moment = momentOf(asked, now);
  const [agent, config, carrier] = await Promise.all([
    agents.find(organizationId, params.agentId),
    complianceConfigs.find(organizationId, productId, now),
    carrierIdentityOf(organizationId),
  ]);
  if (agent === undefined) throw notFound();
  if (config === undefined) throw notFoundAt(['productId']);
  const { npn } = agent;
  const facts = await recordedFacts.factsOf(organizationId, npn, stateCode);
  const status: LicenseComplianceStatus = {
    npn,
    productId,
    productName: config.productName,
    stateCode,
    ...complianceOf({ party: 'agent', facts, stateCode, configs: config.versions, carrier, moment }),
  };
  return once([status]);
};

async function* once<Item>(page: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield page;
}
