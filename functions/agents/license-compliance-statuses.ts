import type { CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import type { LicenseComplianceStatus } from '../../shared/domain/compliance/compliance-rows.ts';
import { checkAsOf, recordsAsOf } from '../../shared/domain/compliance/records-of-day.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import { newYorkDate } from '../../shared/platform/dates/calendar.ts';
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
    readonly registryRecords: RegistryRecords;
  }
> = async (
  { identity: { organizationId }, params, query: { stateCode, productId, asOf }, now },
  { agents, complianceConfigs, carrierIdentityOf, registryRecords },
) => {
  checkAsOf(asOf, now);
  const [agent, config, carrier] = await Promise.all([
    agents.find(organizationId, params.agentId),
    complianceConfigs.find(organizationId, productId),
    carrierIdentityOf(organizationId),
  ]);
  if (agent === undefined) throw notFound();
  if (config === undefined) throw notFoundAt(['productId']);
  const { npn } = agent;
  const { basis, ...held } = await recordsAsOf(registryRecords, organizationId, npn, { stateCode, asOf });
  const today = asOf ?? newYorkDate(now);
  const status: LicenseComplianceStatus = {
    npn,
    productId,
    productName: config.productName,
    stateCode,
    ...complianceOf({ config, stateCode, ...held, carrier, today }),
    basis,
  };
  return once([status]);
};

async function* once<Item>(page: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield page;
}
