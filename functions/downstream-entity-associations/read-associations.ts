import { associationViews } from '#domain/associations/events.ts';
import type { Association } from '#domain/associations/resource.ts';
import type { AssociationCode, AssociationStore } from '#domain/associations/store.ts';
import { isLive, type StoredAssociation } from '#domain/associations/stored.ts';
import { appointmentsOf, licensesOf, momentOf } from '#domain/compliance/moment.ts';
import { licenseStatusOf } from '#domain/compliance/sources.ts';
import { npnOf, type PolicyComplianceStatus } from '#domain/compliance/status.ts';
import type { ContactStore } from '#domain/contacts/store.ts';
import { type CarrierReach, visibleToCarrier } from '#domain/contacts/stored.ts';
import { agencySort } from '#domain/policies/stored.ts';
import { judgedPages } from '#domain/policy-compliance/book.ts';
import {
  datedPolicy,
  judgedPolicy,
  type MatchedPolicy,
  ofPolicyOf,
} from '#domain/policy-compliance/statuses.ts';
import { isUnchangedSince, tombstone } from '#platform/changes/change-index.ts';
import { combinedIssues, existing, incompleteIssues, invalid } from '#platform/contract/errors.ts';
import { changesSince, type DeletedRecord, given } from '#platform/contract/list-queries.ts';
import { collect, mapConcurrently, mapPages } from '#platform/data/concurrently.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { downstreamEntityAssociationRoutes as routes } from './routes.ts';
import type { AssociationSources } from './store.ts';

type AssociationRow = Association | DeletedRecord;

/** Associations as their carrier sees them; one that its list does not have is gone. */
async function listRows(
  owner: string,
  page: readonly StoredAssociation[],
  sources: AssociationSources,
): Promise<AssociationRow[]> {
  const shown = await associationViews(owner, page.filter(isLive), sources);
  const ids = new Set(shown.map(({ _id }) => _id));
  return [...shown, ...page.filter(({ _id }) => !ids.has(_id)).map(tombstone)];
}

/**
 * The associations of an owner that changed at a time or later, and those that show a subscription or an agency that did,
 * one database page at a time. The latter are found when they are asked for: an agency's change is one write, however many
 * carriers show it, so that none of them can miss it because something failed after it.
 */
async function* changedAssociations(
  owner: string,
  since: string,
  sources: AssociationSources,
): AsyncGenerator<AssociationRow[]> {
  const { associations, entities, registryRecords } = sources;
  const own = associations.itemsChangedSince(owner, since);
  const ofSubscriptions = registryRecords.npnsChangedSince(owner, since);
  const ofAgencies = entities.itemsChangedSince(since);
  const otherRows = (page: readonly StoredAssociation[]) =>
    listRows(owner, page.filter(isUnchangedSince(since)), sources);

  for await (const page of own) yield listRows(owner, page, sources);
  for await (const npns of ofSubscriptions) {
    const page = await mapConcurrently(npns, (npn) => collect(associations.ofNpn(owner, npn)));
    yield otherRows(page.flat());
  }
  for await (const ids of ofAgencies) yield otherRows(await associations.ofEntities(owner, ids));
}

type Query = Omit<ApiRequest<typeof routes.routes.listAssociations>['query'], 'updatedSince'>;

/** @throws ApiError `validation_error` naming every filter at fault. */
function checkFilters({ stateCode, licenseNumber, ...otherFilters }: Query): void {
  // Of the other filters a list accepts one (OpenAPI, "listAssociations").
  const issues = [
    ...combinedIssues({ ...otherFilters, licenseNumber }),
    ...incompleteIssues({ licenseNumber, stateCode }),
  ];
  if (issues.length > 0) throw invalid(...issues);
}

/** The associations with agencies that hold a license. */
async function* ofLicense(
  owner: string,
  stateCode: string,
  licenseNumber: string,
  { associations, registryRecords }: AssociationSources,
): AsyncGenerator<StoredAssociation[]> {
  for (const npn of await registryRecords.npnsOfLicense(owner, stateCode, licenseNumber)) {
    yield* associations.ofNpn(owner, npn);
  }
}

/** A carrier's reach through its associations with some entities. */
function reachOf(upstreamEntityId: string, page: readonly StoredAssociation[]): CarrierReach {
  const byEntity = Map.groupBy(page, ({ downstreamEntityId }) => downstreamEntityId);
  const idsOf = (associations: readonly StoredAssociation[]) => new Set(associations.map(({ _id }) => _id));
  const associations = Array.from(byEntity, ([entityId, ofEntity]) => {
    const invitations = ofEntity.filter(({ status }) => status === 'invited');
    return [entityId, { associationIds: idsOf(ofEntity), invitedIds: idsOf(invitations) }] as const;
  });
  return { upstreamEntityId, associations: new Map(associations) };
}

/**
 * The associations at which the caller sees one of these contacts: their scope is the association, or the whole agency.
 * Each association is returned once, however many contacts it has.
 */
async function* ofContacts(
  owner: string,
  { pages, isMeant }: ReturnType<ContactStore['withEmail']>,
  associations: AssociationStore,
): AsyncGenerator<StoredAssociation[]> {
  const shown = new Set<string>();
  for await (const contacts of pages) {
    const page = await associations.ofEntities(
      owner,
      contacts.map(({ downstreamEntityId }) => downstreamEntityId),
    );
    const reach = reachOf(owner, page);
    const visible = page.filter(
      ({ _id, downstreamEntityId }) =>
        !shown.has(_id) &&
        contacts
          .filter((contact) => contact.downstreamEntityId === downstreamEntityId)
          .flatMap((contact) => visibleToCarrier(contact, reach))
          .some(
            ({ downstreamEntityAssociationId = _id, givenByCarrier }) =>
              downstreamEntityAssociationId === _id &&
              (givenByCarrier === undefined || isMeant(givenByCarrier.email)),
          ),
    );
    for (const { _id } of visible) shown.add(_id);
    yield visible;
  }
}

/** The association with a code, if there is one. */
async function* ofCode(
  owner: string,
  code: AssociationCode,
  { associations }: AssociationSources,
): AsyncGenerator<StoredAssociation[]> {
  const association = await associations.withCode(owner, code);
  if (association !== undefined) yield [association];
}

/** The associations that the filter of a query selects, or all; a filter that selects nothing does not compile. */
function selectAssociations(
  owner: string,
  query: Query,
  sources: AssociationSources,
): AsyncIterable<StoredAssociation[]> {
  const { licenseNumber, stateCode } = query;
  const { associations, contacts } = sources;
  const selections: Record<keyof Query, AsyncIterable<StoredAssociation[]> | undefined> = {
    downstreamEntityNpn: given(query.downstreamEntityNpn, (npn) => associations.ofNpn(owner, npn)),
    licenseNumber: given(licenseNumber, (number) =>
      given(stateCode, (state) => ofLicense(owner, state, number, sources)),
    ),
    // It comes with the number of a license.
    stateCode: undefined,
    email: given(query.email, (email) => ofContacts(owner, contacts.withEmail(email), associations)),
    emailDomain: given(query.emailDomain, (domain) =>
      ofContacts(owner, contacts.withDomain(domain), associations),
    ),
    externalId: given(query.externalId, (value) => ofCode(owner, { field: 'externalId', value }, sources)),
    producerCode: given(query.producerCode, (value) =>
      ofCode(owner, { field: 'producerCode', value }, sources),
    ),
  };
  return Object.values(selections).find((pages) => pages !== undefined) ?? associations.list(owner);
}

async function* views(
  owner: string,
  pages: AsyncIterable<StoredAssociation[]>,
  sources: AssociationSources,
): AsyncGenerator<Association[]> {
  for await (const page of pages) yield await associationViews(owner, page, sources);
}

function matching(owner: string, query: Query, sources: AssociationSources): AsyncIterable<Association[]> {
  checkFilters(query);
  return views(owner, selectAssociations(owner, query, sources), sources);
}

/** Gets one of the caller's associations. @throws ApiError `not_found` for an unknown, foreign or soft-deleted one. */
export const ownAssociation = async (
  { associations }: AssociationSources,
  owner: string,
  associationId: string,
): Promise<StoredAssociation> => existing(await associations.find(owner, associationId));

/** Reads of a carrier’s associations. */
export const associationReads = operationsOf(routes, (sources: AssociationSources) => ({
  /**
   * Every association that matches; see the filters in the route. A page reads its associations and, in two batches,
   * their agencies and subscriptions.
   *
   * @throws ApiError `validation_error` for filters that exclude each other, or half of one.
   */
  listAssociationsV1({ identity: { organizationId: owner }, query }) {
    return matching(owner, query, sources);
  },

  /**
   * Lists the same, or what has changed since a time.
   * @throws ApiError `validation_error`, as above, as `changesSince` and for a time before a restore.
   */
  listAssociations({ identity, query, now }) {
    const { organizationId: owner } = identity;
    const since = changesSince(query, now);
    if (since !== undefined) {
      return sources.unlessRestored(since, changedAssociations(owner, since, sources));
    }
    return matching(owner, query, sources);
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted association. */
  async getAssociation({ identity, params }) {
    const owner = identity.organizationId;
    const stored = await ownAssociation(sources, owner, params.downstreamEntityAssociationId);
    const [view] = await associationViews(owner, [stored], sources);
    return existing(view);
  },

  /** The caller's active templates. */
  listContractContainerTemplates({ identity }) {
    return sources.templates.list(identity.organizationId);
  },
}));

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
