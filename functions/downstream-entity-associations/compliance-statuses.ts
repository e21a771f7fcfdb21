import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import { licenseStatusOf } from '#domain/compliance/sources.ts';
import { npnOf, type PolicyComplianceStatus } from '#domain/compliance/status.ts';
import { agencySort } from '#domain/policies/keys.ts';
import { judgedPages } from '#domain/policy-compliance/book.ts';
import {
  datedPolicy,
  judgedPolicy,
  type MatchedPolicy,
  ofPolicyOf,
} from '#domain/policy-compliance/statuses.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { ownAssociation } from './list-associations.ts';
import { downstreamEntityAssociationRoutes as routes } from './routes.ts';
import type { AssociationSources } from './store.ts';

type Request = Pick<
  ApiRequest<typeof routes.routes.listAssociationPolicyComplianceStatuses>,
  'identity' | 'params' | 'query' | 'now'
>;

async function* policyStatusesOf(
  { identity, params, query, now }: Request,
  sources: AssociationSources,
): AsyncGenerator<PolicyComplianceStatus[]> {
  const moment = momentOf(query, now);
  const owner = identity.organizationId;
  const associationId = params.downstreamEntityAssociationId;
  const { agency } = await ownAssociation(sources, owner, associationId);
  // The agency is judged for those that name its NPN alone, too, whichever other associations have it. Whose policies in review are,
  // a person must still decide: the book has them without a verdict, which every row here has.
  const ofAssociation = {
    agencySort: agencySort({ associationId }),
    entityMatchStatus: 'auto matched',
  } as const;
  const pages = mapPages(sources.policies.ofAgency(owner, { associationId, npn: agency.npn }), (page) =>
    page
      .filter(({ entityMatchStatus }) => entityMatchStatus !== 'manual review')
      .map((policy) => ({ ...policy, ...ofAssociation })),
  );
  const question = { owner, moment, now, isWanted: () => true, soldOf: datedPolicy };
  for await (const { entries, partiesOf, context } of judgedPages<MatchedPolicy>(sources, question, pages)) {
    yield entries.map((entry) => {
      const { sale } = entry.policy;
      const status = judgedPolicy(entry, sale && partiesOf(sale), context);
      return { ...ofPolicyOf(entry.policy, context), ...status };
    });
  }
}

/**
 * The caller's registry records of an association's agency: two reads in sequence, since the association has the agency's
 * NPN. An agency without an NPN has none.
 */
async function* recordsOf<Page>(
  owner: string,
  associationId: string,
  sources: AssociationSources,
  read: (npn: string) => AsyncIterable<Page[]>,
): AsyncGenerator<Page[]> {
  const { agency } = await ownAssociation(sources, owner, associationId);
  if (agency.npn !== null) yield* read(agency.npn);
}

/** What the registry has of the agencies, and whether they may sell. */
export const associationCompliance = operationsOf(routes, (sources: AssociationSources) => ({
  /**
   * Whether an agency may sell a product in a state: one row.
   * @throws ApiError `not_found` for an association or a product that is not the caller's.
   */
  async *listAssociationLicenseComplianceStatuses({ identity: { organizationId }, params, query, now }) {
    const findAgency = async () => {
      const { downstreamEntityAssociationId } = params;
      const { agency } = await ownAssociation(sources, organizationId, downstreamEntityAssociationId);
      return { party: 'agency' as const, npn: npnOf(agency), holderNpn: agency.npn };
    };
    yield [await licenseStatusOf(sources, organizationId, query, now, findAgency)];
  },

  /**
   * Whether an agency and its agents may service its policies: one row each, streamed. The carrier's products, some dozens, and its
   * identity are read once, after the association; what decides a page of policies with it; the records of each party once, when a
   * policy names the party first; the agency's branches once, when a policy names an agent of another one.
   *
   * @throws ApiError `not_found` for an association that is not the caller's.
   */
  listAssociationPolicyComplianceStatuses(request) {
    return policyStatusesOf(request, sources);
  },

  /** Statuses as v1 has them: what is not known is not compliant. */
  async *listAssociationPolicyComplianceStatusesV1(request) {
    for await (const rows of policyStatusesOf(request, sources)) {
      yield rows.map((row) => ({
        ...row,
        complianceStatus: row.complianceStatus ?? ('NOT_COMPLIANT' as const),
      }));
    }
  },

  /** @throws ApiError `not_found` for an association that is not the caller's. */
  listAssociationAppointments({ identity: { organizationId }, params, query, now }) {
    const moment = momentOf(query, now);
    return recordsOf(organizationId, params.downstreamEntityAssociationId, sources, (npn) =>
      appointmentsOf({ owner: organizationId, npn, query, moment }, sources),
    );
  },

  /** @throws ApiError `not_found` for an association that is not the caller's. */
  listAssociationLicenses({ identity: { organizationId }, params, query, now }) {
    const moment = momentOf(query, now);
    return recordsOf(organizationId, params.downstreamEntityAssociationId, sources, (npn) =>
      licensesOf({ owner: organizationId, npn, query, moment }, sources),
    );
  },

  /** @throws ApiError `not_found` for an association that is not the caller's. */
  listAssociationRegulatoryActions({ identity: { organizationId }, params }) {
    return recordsOf(organizationId, params.downstreamEntityAssociationId, sources, (npn) =>
      sources.recordedHolders.regulatoryActionsOf(organizationId, npn),
    );
  },
}));
