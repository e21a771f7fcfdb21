import type { AssociationStore } from '#domain/associations/store.ts';
import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import {
  type LicenseComplianceStatus,
  npnOf,
  type PolicyComplianceStatus,
  statusOf,
} from '#domain/compliance/status.ts';
import { agencySort } from '#domain/policies/keys.ts';
import { judgedPages } from '#domain/policy-compliance/book.ts';
import { datedPolicy, judgedPolicy, type MatchedPolicy } from '#domain/policy-compliance/statuses.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { notFoundAt } from '#platform/errors/domain-error.ts';
import type { AssociationOperation, Deps } from './function.ts';
import { ownAssociation } from './list-associations.ts';

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
    const [config, coverage, carrier] = await Promise.all([
      deps.complianceConfigs.find(owner, productId, moment, now),
      deps.recordedHolders.coverageOf(owner, npn, {
        knownAt: moment.knownThen,
        classKinds: deps.classKindsOf(owner),
        statesOf: () => [stateCode],
      }),
      deps.carrierIdentityOf(owner),
    ]);
    if (config === undefined) throw notFoundAt(['productId']);
    const { productName } = config;
    const compliance = statusOf({
      party: 'agency',
      npn: npnOf(agency),
      coverage,
      stateCode,
      configs: config.versions,
      carrier,
      moment,
    });
    yield [{ npn, productId, productName, stateCode, ...compliance }];
  };

/**
 * Whether an agency and its agents may service its policies: one row each, streamed. The carrier's products, some dozens, and its
 * identity are read once, after the association; what decides a page of policies with it; the records of each party once, when a
 * policy names the party first; the agency's branches once, when a policy names an agent of another one.
 *
 * @throws ApiError `not_found` for an association that is not the caller's.
 */
export const listAssociationPolicyComplianceStatuses: AssociationOperation<
  'listAssociationPolicyComplianceStatuses'
> = (request, deps) => policyStatusesOf(request, deps);

type Request = Pick<
  Parameters<AssociationOperation<'listAssociationPolicyComplianceStatuses'>>[0],
  'identity' | 'params' | 'query' | 'now'
>;

async function* policyStatusesOf(
  { identity, params, query, now }: Request,
  deps: Deps,
): AsyncGenerator<PolicyComplianceStatus[]> {
  const moment = momentOf(query, now);
  const owner = identity.organizationId;
  const associationId = params.downstreamEntityAssociationId;
  const { agency } = await ownAssociation(deps.associations, owner, associationId);
  // The agency is judged for those that name its NPN alone, too, whichever other associations have it. Whose policies in review are,
  // a person must still decide: the book has them without a verdict, which every row here has.
  const ofAssociation = {
    agencySort: agencySort({ associationId }),
    entityMatchStatus: 'auto matched',
  } as const;
  const pages = mapPages(deps.policies.ofAgency(owner, { associationId, npn: agency.npn }), (page) =>
    page
      .filter(({ entityMatchStatus }) => entityMatchStatus !== 'manual review')
      .map((policy) => ({ ...policy, ...ofAssociation })),
  );
  const question = { owner, moment, now, isWanted: () => true, soldOf: datedPolicy };
  for await (const { entries, partiesOf, context } of judgedPages<MatchedPolicy>(deps, question, pages)) {
    yield entries.map((entry) => {
      const { sale } = entry.policy;
      return judgedPolicy(entry, sale && partiesOf(sale), context);
    });
  }
}

/** Statuses as v1 has them: what is not known is not compliant. */
export const listAssociationPolicyComplianceStatusesV1: AssociationOperation<'listAssociationPolicyComplianceStatusesV1'> =
  async function* (request, deps) {
    for await (const rows of policyStatusesOf(request, deps)) {
      yield rows.map((row) => ({
        ...row,
        complianceStatus: row.complianceStatus ?? ('NOT_COMPLIANT' as const),
      }));
    }
  };

/**
 * The caller's registry records of an association's agency: two reads in sequence, since the association has the agency's
 * NPN. An agency without an NPN has none.
 */
async function* recordsOf<Page>(
  owner: string,
  associationId: string,
  associations: AssociationStore,
  read: (npn: string) => AsyncIterable<Page[]>,
): AsyncGenerator<Page[]> {
  const { agency } = await ownAssociation(associations, owner, associationId);
  if (agency.npn !== null) yield* read(agency.npn);
}

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationAppointments: AssociationOperation<'listAssociationAppointments'> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    appointmentsOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationLicenses: AssociationOperation<'listAssociationLicenses'> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    licensesOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationRegulatoryActions: AssociationOperation<'listAssociationRegulatoryActions'> = (
  { identity: { organizationId }, params },
  { associations, recordedHolders },
) =>
  recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    recordedHolders.regulatoryActionsOf(organizationId, npn),
  );
