import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import type { CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import type {
  LicenseComplianceStatus,
  PolicyComplianceStatus,
} from '../../shared/domain/compliance/compliance-rows.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import type { ComplianceConfig } from '../../shared/domain/compliance/resource.ts';
import { complianceOf, statusOf } from '../../shared/domain/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { unversioned } from '../../shared/domain/decision/configs.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { writtenDate } from '../../shared/domain/decision/dates.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { type CalendarDate, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { MatchedPolicy, PoliciesOfAgency } from './agency-policies.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

type Routes = typeof downstreamEntityAssociationRoutes.routes;

interface ComplianceDeps {
  readonly associations: AssociationStore;
  readonly complianceConfigs: ComplianceConfigs;
  readonly carrierIdentityOf: CarrierIdentityOf;
  readonly recordedFacts: RecordedFacts;
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
  const { stateCode, productId, ...asked } = query;
  const moment = momentOf(asked, now);
  const { agency } = await ownAssociation(deps.associations, owner, params.downstreamEntityAssociationId);
  const { npn } = agency;
  const [config, facts, carrier] = await Promise.all([
    deps.complianceConfigs.find(owner, productId),
    deps.recordedFacts.factsOf(owner, npn, stateCode),
    deps.carrierIdentityOf(owner),
  ]);
  if (config === undefined) throw notFoundAt(['productId']);
  const { productName } = config;
  const compliance = complianceOf({
    party: 'agency',
    facts,
    stateCode,
    configs: unversioned(config),
    carrier,
    moment,
  });
  yield [{ npn, productId, productName, stateCode, ...compliance }];
};

/** A policy without a known product requires only a license. */
const noProduct = unversioned({ states: [] });

const named = (productName: string): string => productName.trim().toLowerCase();

/** The config that applies to a policy: that of the product that was decided on, else that of its product's name. */
function configsOfPolicies(configs: readonly ComplianceConfig[]) {
  const byId = new Map(configs.map((config) => [config.productId, config]));
  const byName = new Map(configs.map((config) => [named(config.productName), config]));
  return ({ productId, productName }: MatchedPolicy): ComplianceConfig | undefined =>
    byId.get(productId ?? '') ?? byName.get(named(productName ?? ''));
}

/**
 * Whether an agency may service its policies: one row each, streamed. The agency's records with their versions and the
 * carrier's configs, some dozens each, and the carrier's identity are read once, after the association.
 *
 * @throws ApiError `not_found` for an association that is not the caller's.
 */
export const listPolicyComplianceStatuses: Operation<
  Routes['listAssociationPolicyComplianceStatuses'],
  ComplianceDeps & { readonly policiesOfAgency: PoliciesOfAgency }
> = async function* ({ identity, params, query, now }, deps): AsyncGenerator<PolicyComplianceStatus[]> {
  const moment = momentOf(query, now);
  const owner = identity.organizationId;
  const associationId = params.downstreamEntityAssociationId;
  const { agency } = await ownAssociation(deps.associations, owner, associationId);
  const { npn } = agency;
  const [configs, facts, carrier] = await Promise.all([
    collect(deps.complianceConfigs.all(owner)),
    deps.recordedFacts.factsOf(owner, npn),
    deps.carrierIdentityOf(owner),
  ]);
  const configOf = configsOfPolicies(configs);
  const coverage = coverageOf(facts, moment.knownAt);
  const today = newYorkDate(now);
  for await (const policies of deps.policiesOfAgency(owner, { associationId, npn })) {
    yield policies.map((policy) => {
      const { _id, policyNumber, riskStateCode: stateCode, productName, effectiveDate } = policy;
      const config = configOf(policy);
      const versions = config === undefined ? noProduct : unversioned(config);
      const statusOn = (day: CalendarDate, isPresent: boolean) =>
        statusOf({
          party: 'agency',
          stateCode,
          configs: versions,
          carrier,
          coverage,
          moment: { ...moment, day, isPresent },
        });
      const writtenOn = effectiveDate === undefined ? undefined : writtenDate(effectiveDate);
      return {
        policyId: _id,
        policyNumber,
        stateCode,
        productId: config?.productId ?? null,
        productName:
          config?.productName ?? (productName === undefined || productName === '' ? null : productName),
        ...statusOn(moment.day, moment.isPresent),
        atEffectiveDate:
          effectiveDate === undefined || writtenOn === undefined
            ? null
            : { effectiveDate, ...statusOn(writtenOn, moment.isPresent && writtenOn > today) },
      };
    });
  }
};
