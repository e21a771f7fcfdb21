import type {
  LicenseComplianceStatus,
  PolicyComplianceStatus,
} from '../../shared/domain/compliance/compliance-rows.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import {
  branchesOfPolicies,
  coveragesOfNpns,
  sellersOfIds,
} from '../../shared/domain/policy-compliance/parties.ts';
import { policiesContext, policyStatusOf } from '../../shared/domain/policy-compliance/statuses.ts';
import { notFoundAt } from '../../shared/platform/errors/domain-error.ts';
import type { AssociationOperation } from './deps.ts';
import { ownAssociation } from './get-association.ts';

/**
 * Whether an agency may sell a product in a state: one row. Product, records and the carrier's identity are read
 * concurrently, after the association, which has the NPN.
 *
 * @throws ApiError `not_found` for an association or a product that is not the caller's.
 */
export const listAssociationLicenseComplianceStatuses: AssociationOperation<'listAssociationLicenseComplianceStatuses'> =
  async function* ({ identity, params, query, now }, deps): AsyncGenerator<LicenseComplianceStatus[]> {
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

/**
 * Whether an agency and its agents may service its policies: one row each, streamed. The carrier's configs, some dozens, its
 * identity, and the agency's records are read once, after the association; those of each agent once, when a policy names
 * the agent first; the agency's branches once, when a policy names an agent of another one.
 *
 * @throws ApiError `not_found` for an association that is not the caller's.
 */
export const listAssociationPolicyComplianceStatuses: AssociationOperation<'listAssociationPolicyComplianceStatuses'> =
  async function* ({ identity, params, query, now }, deps): AsyncGenerator<PolicyComplianceStatus[]> {
    const moment = momentOf(query, now);
    const owner = identity.organizationId;
    const associationId = params.downstreamEntityAssociationId;
    const { agency: of, downstreamEntityId } = await ownAssociation(deps.associations, owner, associationId);
    const { npn } = of;
    const [configs, facts, carrier] = await Promise.all([
      deps.complianceConfigs.all(owner, now),
      deps.recordedFacts.factsOf(owner, npn),
      deps.carrierIdentityOf(owner),
    ]);
    const agency = { party: 'agency', coverage: coverageOf(facts, moment.knownAt), name: undefined } as const;
    const context = policiesContext(moment, now, carrier, configs);
    const coverages = coveragesOfNpns(deps.recordedFacts, owner, moment.knownAt);
    const sellersOf = sellersOfIds(deps.tables.agents, owner, coverages);
    const branchesOf = branchesOfPolicies(deps.tables.associations, owner);
    for await (const page of deps.policies.ofAgency(owner, { associationId, npn })) {
      // Whose the others are, a person must still decide: the book has them without a verdict, which every row here has.
      const policies = page.filter(({ entityMatchStatus }) => entityMatchStatus !== 'manual review');
      const known = await sellersOf(policies.flatMap(({ sellers }) => sellers?.agentIds ?? []));
      const found = policies.map((policy) => {
        const sellers = policy.sellers?.agentIds.flatMap((id) => known.get(id) ?? []) ?? [];
        return { policy, associationId, downstreamEntityId, agency, sellers };
      });
      const branchIds = (await branchesOf(found)).get(downstreamEntityId);
      yield found.map((one) => policyStatusOf({ ...one, branchIds }, context));
    }
  };
