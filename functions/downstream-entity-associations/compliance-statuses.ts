import type { AssociationStore } from '../../shared/associations/store.ts';
import type { CarrierIdentityOf } from '../../shared/compliance/carrier-identity.ts';
import { type ComplianceQuestion, complianceOf } from '../../shared/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/compliance/store.ts';
import { collect } from '../../shared/data/collect.ts';
import { newYorkDate } from '../../shared/dates/calendar.ts';
import { notFoundAt } from '../../shared/errors/domain-error.ts';
import type { RegistryRecords } from '../../shared/registry-records/store.ts';
import type { Operation } from '../../shared/request/operation.ts';
import type {
  ComplianceConfig,
  LicenseComplianceStatus,
  PolicyComplianceStatus,
} from '../../shared/resources/compliance.ts';
import type { Policy } from '../../shared/resources/policy.ts';
import type { PoliciesOfAgency } from './agency-policies.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

type Routes = typeof downstreamEntityAssociationRoutes.routes;

interface ComplianceDeps {
  readonly associations: AssociationStore;
  readonly complianceConfigs: ComplianceConfigs;
  readonly carrierIdentityOf: CarrierIdentityOf;
  readonly registryRecords: RegistryRecords;
}

type Held = Pick<ComplianceQuestion, 'licenses' | 'appointments'>;

/** The records of an NPN, some dozens, in one state or in all. */
async function heldBy(
  owner: string,
  npn: string | null,
  registryRecords: RegistryRecords,
  filters: { readonly stateCode?: Policy['riskStateCode'] } = {},
): Promise<Held> {
  if (npn === null) return { licenses: [], appointments: [] };
  const [licenses, appointments] = await Promise.all([
    collect(registryRecords.licensesOf(owner, npn, filters)),
    collect(registryRecords.appointmentsOf(owner, npn, filters)),
  ]);
  return { licenses, appointments };
}

/**
 * Whether an agency may sell a product in a state: one row. Product, records and the carrier's identity are read
 * concurrently, after the association, which has the NPN.
 *
 * @throws ApiError `not_found` for an association or a product that is not the caller's.
 */
export const listLicenseComplianceStatuses: Operation<
  Routes['listAssociationLicenseComplianceStatuses'],
  ComplianceDeps
> = async function* ({ identity, params, query, now }, deps): AsyncGenerator<LicenseComplianceStatus[]> {
  const owner = identity.organizationId;
  const { stateCode, productId } = query;
  const { agency } = await ownAssociation(deps.associations, owner, params.downstreamEntityAssociationId);
  const { npn } = agency;
  const [config, held, carrier] = await Promise.all([
    deps.complianceConfigs.find(owner, productId),
    heldBy(owner, npn, deps.registryRecords, { stateCode }),
    deps.carrierIdentityOf(owner),
  ]);
  if (config === undefined) throw notFoundAt(['productId']);
  const { productName } = config;
  const compliance = complianceOf({ config, stateCode, ...held, carrier, today: newYorkDate(now) });
  yield [{ npn, productId, productName, stateCode, ...compliance }];
};

/** A policy without a known product requires only a license. */
const noProduct: Pick<ComplianceConfig, 'states'> = { states: [] };

const named = (productName: string): string => productName.trim().toLowerCase();

/**
 * Whether an agency may service its policies: one row each, streamed. The agency's records and the carrier's configs, some
 * dozens each, and the carrier's identity are read once, after the association.
 *
 * @throws ApiError `not_found` for an association that is not the caller's.
 */
export const listPolicyComplianceStatuses: Operation<
  Routes['listAssociationPolicyComplianceStatuses'],
  ComplianceDeps & { readonly policiesOfAgency: PoliciesOfAgency }
> = async function* ({ identity, params, now }, deps): AsyncGenerator<PolicyComplianceStatus[]> {
  const owner = identity.organizationId;
  const associationId = params.downstreamEntityAssociationId;
  const { agency } = await ownAssociation(deps.associations, owner, associationId);
  const { npn } = agency;
  const [configs, held, carrier] = await Promise.all([
    collect(deps.complianceConfigs.all(owner)),
    heldBy(owner, npn, deps.registryRecords),
    deps.carrierIdentityOf(owner),
  ]);
  const byName = new Map(configs.map((config) => [named(config.productName), config]));
  const today = newYorkDate(now);
  for await (const policies of deps.policiesOfAgency(owner, { associationId, npn })) {
    yield policies.map(({ _id, policyNumber, riskStateCode, productName }) => {
      const config = byName.get(named(productName ?? ''));
      return {
        policyId: _id,
        policyNumber,
        stateCode: riskStateCode,
        productId: config?.productId ?? null,
        productName:
          config?.productName ?? (productName === undefined || productName === '' ? null : productName),
        ...complianceOf({ config: config ?? noProduct, stateCode: riskStateCode, ...held, carrier, today }),
      };
    });
  }
};
