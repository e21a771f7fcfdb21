import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import type { CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import type {
  LicenseComplianceStatus,
  PolicyComplianceStatus,
} from '../../shared/domain/compliance/compliance-rows.ts';
import type { ComplianceBasis } from '../../shared/domain/compliance/compliance-statuses.ts';
import { type Moment, momentOf } from '../../shared/domain/compliance/moment.ts';
import type { ComplianceConfig } from '../../shared/domain/compliance/resource.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import type { ComplianceConfigs, ProductConfig } from '../../shared/domain/compliance/store.ts';
import type { CarrierIdentity } from '../../shared/domain/decision/carrier.ts';
import { unversioned } from '../../shared/domain/decision/configs.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { writtenDate } from '../../shared/domain/decision/dates.ts';
import { decidePolicy, type PolicyParty } from '../../shared/domain/decision/policy.ts';
import { productsNamedBy } from '../../shared/domain/decision/products.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { type CalendarDate, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { MatchedPolicy, PoliciesOfAgency } from './agency-policies.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';
import type { CreateSellersOf, Seller } from './sellers.ts';

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
    deps.complianceConfigs.find(owner, productId, now),
    deps.recordedFacts.factsOf(owner, npn, stateCode),
    deps.carrierIdentityOf(owner),
  ]);
  if (config === undefined) throw notFoundAt(['productId']);
  const { productName } = config;
  const compliance = complianceOf({
    party: 'agency',
    facts,
    stateCode,
    configs: config.versions,
    carrier,
    moment,
  });
  yield [{ npn, productId, productName, stateCode, ...compliance }];
};

/** A policy without a known product requires only a license. */
const noProduct = unversioned({ states: [] });

/** The configs that may apply to a policy: that of the product that was decided on, else those that its fields name. */
function configsOfPolicies(configs: readonly ProductConfig[]) {
  const byId = new Map(configs.map((config) => [config.productId, config]));
  const named = productsNamedBy(configs);
  return (policy: MatchedPolicy): readonly ProductConfig[] => {
    const decided = byId.get(policy.productId ?? '');
    return decided === undefined ? named(policy) : [decided];
  };
}

type ConfigsOf = ReturnType<typeof configsOfPolicies>;

/** What all rows of a request share. */
interface PolicyContext {
  readonly moment: Moment;
  readonly today: CalendarDate;
  readonly carrier: CarrierIdentity;
  readonly agency: PolicyParty;
  readonly configsOf: ConfigsOf;
}

/** The statuses of a policy: on the day that is asked about, and on the day that it takes effect. */
function rowOf(
  policy: MatchedPolicy,
  sellers: readonly Seller[],
  { moment, today, carrier, agency, configsOf }: PolicyContext,
): PolicyComplianceStatus {
  const { _id, policyNumber, riskStateCode: stateCode, productName = '', effectiveDate } = policy;
  const configs = configsOf(policy);
  const [config, ...others] = configs.map(({ versions }) => versions);
  const statusOn = (day: CalendarDate, isPresent: boolean, judged: readonly Seller[]) => {
    const question = {
      stateCode,
      day,
      knownAt: moment.knownAt,
      carrier,
      products: [config ?? noProduct, ...others] as const,
      agency,
      sellers: judged,
      isSellerUnknown:
        policy.sellers?.isUnknown === true || sellers.length < (policy.sellers?.agentIds.length ?? 0),
    };
    const { sellers: ofSellers, basis, ...verdict } = decidePolicy<PolicyParty>(question);
    const shown = (one: typeof basis): ComplianceBasis => (isPresent ? 'current' : one);
    return {
      ...verdict,
      licenseStatus: withAmbiguity(verdict.licenseStatus, configs),
      basis: shown(basis),
      agents: ofSellers.map(({ seller: _seller, configBasis: _configBasis, ...ofSeller }, index) => ({
        agentId: judged[index]?.agentId ?? '',
        ...ofSeller,
        basis: shown(ofSeller.basis),
      })),
    };
  };
  const still = sellers.filter(({ isStillThere }) => isStillThere);
  const writtenOn = effectiveDate === undefined ? undefined : writtenDate(effectiveDate);
  const isClear = configs.length === 1;
  return {
    policyId: _id,
    policyNumber,
    stateCode,
    productId: (isClear ? configs[0]?.productId : undefined) ?? null,
    productName: (isClear ? configs[0]?.productName : undefined) ?? (productName === '' ? null : productName),
    ...statusOn(moment.day, moment.isPresent, still),
    atEffectiveDate:
      effectiveDate === undefined || writtenOn === undefined
        ? null
        : { effectiveDate, ...statusOn(writtenOn, moment.isPresent && writtenOn > today, sellers) },
  };
}

/** Names the products that a policy may be of, where it is not clear which. */
function withAmbiguity<Status extends { readonly statusMessages?: readonly string[] }>(
  status: Status,
  configs: readonly ComplianceConfig[],
) {
  if (configs.length < 2) return status;
  const products = configs.map(({ productId, productName }) => `${productName} (${productId})`).join(', ');
  const message = `The policy may be of several products, of which the strictest counts: ${products}.`;
  return { ...status, statusMessages: [...(status.statusMessages ?? []), message] };
}

/**
 * Whether an agency and its agents may service its policies: one row each, streamed. The carrier's configs, some dozens, its
 * identity, and the agency's records are read once, after the association; those of each agent once, when a policy names
 * the agent first.
 *
 * @throws ApiError `not_found` for an association that is not the caller's.
 */
export const listPolicyComplianceStatuses: Operation<
  Routes['listAssociationPolicyComplianceStatuses'],
  ComplianceDeps & { readonly policiesOfAgency: PoliciesOfAgency; readonly createSellersOf: CreateSellersOf }
> = async function* ({ identity, params, query, now }, deps): AsyncGenerator<PolicyComplianceStatus[]> {
  const moment = momentOf(query, now);
  const owner = identity.organizationId;
  const associationId = params.downstreamEntityAssociationId;
  const { agency } = await ownAssociation(deps.associations, owner, associationId);
  const { npn } = agency;
  const [configs, facts, carrier] = await Promise.all([
    collect(deps.complianceConfigs.all(owner, now)),
    deps.recordedFacts.factsOf(owner, npn),
    deps.carrierIdentityOf(owner),
  ]);
  const context = {
    moment,
    today: newYorkDate(now),
    carrier,
    agency: { party: 'agency', coverage: coverageOf(facts, moment.knownAt), name: undefined } as const,
    configsOf: configsOfPolicies(configs),
  };
  const sellersOf = deps.createSellersOf(owner, associationId, moment.knownAt);
  for await (const policies of deps.policiesOfAgency(owner, { associationId, npn })) {
    const known = await sellersOf(policies.flatMap(({ sellers }) => sellers?.agentIds ?? []));
    yield policies.map((policy) => {
      const sellers = policy.sellers?.agentIds.flatMap((id) => known.get(id) ?? []) ?? [];
      return rowOf(policy, sellers, context);
    });
  }
};
