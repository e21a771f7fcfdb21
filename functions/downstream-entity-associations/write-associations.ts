// Operations that write associations: a carrier adds, invites, or changes an agency, and signs its contacts in.
import { createHash } from 'node:crypto';
import { activeAssociationOf, checkInvited } from '#domain/associations/agency-entries.ts';
import { associationChangeEvents, associationView, associationViews } from '#domain/associations/events.ts';
import type { Association } from '#domain/associations/resource.ts';
import { isSharedFor } from '#domain/associations/sharing.ts';
import { agencyCopyOf, type StoredAssociation } from '#domain/associations/stored.ts';
import type { StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import { signInContact } from '#domain/one-time-links/store.ts';
import { firstPollOfAgency } from '#domain/registry-records/subscriptions.ts';
import { ApiError, existing, invalid, invalidAt, notFound } from '#platform/contract/errors.ts';
import { lazily } from '#platform/contract/lazily.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { notFoundAt } from '#platform/errors/domain-error.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { ownAssociation } from './read-associations.ts';
import {
  doneMinutes,
  inProgressMinutes,
  type NewAssociation,
  queuedMinutes,
  downstreamEntityAssociationRoutes as routes,
} from './routes.ts';
import type { AssociationSources, Synchronization } from './store.ts';

/** The caller's request. */
interface Creation {
  readonly owner: string;
  readonly draft: NewAssociation;
  /** Whether the association begins as invited; it does, too, where the agency must agree first. */
  readonly isInvitation: boolean;
  readonly now: Date;
  /** Further items of the transaction, given the association that it creates. */
  readonly furtherItems: (association: Association) => readonly TransactionItem[];
}

/** @throws ApiError `validation_error` where two different templates are named. */
function checkTemplate(draft: NewAssociation): void {
  const { contractContainerTemplateId: templateId, producerAgreementId = templateId } = draft;
  if (templateId !== undefined && producerAgreementId !== templateId) {
    throw invalidAt(
      'producerAgreementId',
      'is the previous name of contractContainerTemplateId and must not differ from it',
    );
  }
}

/**
 * @param isEinShown whether the carrier may see the agency's EIN: otherwise the answer must not depend on it.
 * @throws ApiError `validation_error` where the request contradicts the existing agency.
 */
function checkAgainst(draft: NewAssociation, entity: StoredDownstreamEntity, isEinShown: boolean): void {
  const { downstreamEntityNpn = entity.npn, ein = entity.ein } = draft;
  const isSameEin = comparable(ein ?? '') === comparable(entity.ein ?? '');
  const issues = [
    ...(downstreamEntityNpn === entity.npn ? [] : ['downstreamEntityNpn']),
    ...(isSameEin || !isEinShown ? [] : ['ein']),
  ].map((path) => ({ path, message: 'differs from that of the agency in downstreamEntityId' }));
  if (issues.length > 0) throw invalid(...issues);
}

/**
 * Identifies the requested relationship, so that a repeat collides with it: the agency by the first of id, NPN, EIN and
 * person that is given, and the branch.
 */
function relationshipOf({
  downstreamEntityId,
  downstreamEntityNpn,
  ein,
  email,
  downstreamEntityName,
  branchName,
}: NewAssociation): string {
  const person = `${email} ${downstreamEntityName.trim()}`.toLowerCase();
  const agencies = [
    downstreamEntityId,
    downstreamEntityNpn,
    ein === undefined ? ein : comparable(ein),
    person,
  ];
  const position = agencies.findIndex((agency) => agency !== undefined);
  return createHash('sha256')
    .update(JSON.stringify([position, agencies[position], branchName ?? null]))
    .digest('hex');
}

const newEntity = (draft: NewAssociation, now: Date): StoredDownstreamEntity => ({
  _id: newObjectId(now),
  legalName: draft.downstreamEntityName,
  category: draft.category,
  npn: draft.downstreamEntityNpn ?? null,
  ein: draft.ein ?? null,
  isNpnRequired: draft.isNpnRequired,
  isDeleted: false,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

/** Entry of an agency that is created now. */
const unknownAgency = { entry: undefined, sharing: undefined };

/**
 * Creates an association, if needed its agency, a contact of it, and its event, in one transaction. Two reads come
 * before: what the request names, then what depends on the agency.
 * Whether an existing agency must agree first is checked again by the transaction, which also makes it known that this
 * carrier knows the agency: of two requests at the same moment one finds the other. The agency's first visit waits for the next
 * day where the organization's questions to the registry are used up.
 */
const create = (
  { owner, draft, isInvitation, now, furtherItems }: Creation,
  sources: AssociationSources,
): Promise<Association> => {
  /** Counted once, however often other writers come first. */
  const visitIsDueAt = lazily(() => sources.questionBudget.take(owner, 1));
  return retryOnConflict(async () => {
    const { downstreamEntityId, parentDownstreamEntityAssociationId } = draft;
    const templateId = draft.contractContainerTemplateId ?? draft.producerAgreementId;
    const [organization, template, found, agency, parent] = await Promise.all([
      sources.organizations.findOrganization(owner),
      templateId === undefined ? undefined : sources.templates.find(owner, templateId),
      downstreamEntityId === undefined ? undefined : sources.entities.findAll([downstreamEntityId]),
      downstreamEntityId === undefined
        ? unknownAgency
        : sources.associations.agencyState(owner, downstreamEntityId),
      parentDownstreamEntityAssociationId === undefined
        ? undefined
        : sources.associations.find(owner, parentDownstreamEntityAssociationId),
    ]);
    const knownAgency = found?.get(downstreamEntityId ?? '');
    if (organization === undefined) throw notFound();
    const missingPaths = Object.entries({
      contractContainerTemplateId: draft.contractContainerTemplateId !== undefined && template === undefined,
      producerAgreementId: draft.producerAgreementId !== undefined && template === undefined,
      downstreamEntityId: downstreamEntityId !== undefined && knownAgency === undefined,
      parentDownstreamEntityAssociationId:
        parentDownstreamEntityAssociationId !== undefined && parent === undefined,
    }).flatMap(([path, isMissing]) => (isMissing ? [path] : []));
    if (missingPaths.length > 0) throw notFoundAt(missingPaths);
    const entity = knownAgency ?? newEntity(draft, now);
    const { npn, downstreamOrganizationId } = entity;
    const agreedThrough = activeAssociationOf(agency.entry);
    const isShared =
      knownAgency !== undefined && isSharedFor(owner, agency.sharing, downstreamOrganizationId);
    const mustAgree = isShared && agreedThrough === undefined;
    if (knownAgency !== undefined) checkAgainst(draft, knownAgency, !mustAgree);
    const isInvited = mustAgree || isInvitation;
    const bound = isShared && isInvited;
    if (bound) checkInvited(agency.entry);
    const associationId = newObjectId(now);
    const { firstName, lastName, email } = draft;
    const scope = {
      downstreamEntityAssociationId: associationId,
      downstreamEntityId: entity._id,
      ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
      upstreamEntityId: owner,
      namedBy: owner,
      ...(isInvited ? { isPending: true } : {}),
      businessRoles: [],
      isPrimary: false,
    };
    const [contact, subscriptions, dueAt] = await Promise.all([
      sources.contacts.creation({ person: { firstName, lastName, email }, scope }, now, !mustAgree),
      sources.registryRecords.subscriptionsOf(owner, npn === null ? [] : [npn]),
      npn === null ? undefined : visitIsDueAt(),
    ]);
    const after: StoredAssociation = {
      _id: associationId,
      upstreamEntityId: owner,
      downstreamEntityId: entity._id,
      externalId: draft.externalId ?? null,
      producerCode: draft.producerCode ?? null,
      branchName: draft.branchName ?? null,
      parentDownstreamEntityAssociationId: parent?._id ?? null,
      status: isInvited ? 'invited' : 'active',
      ...(template === undefined ? {} : { contractContainerTemplateId: template._id }),
      agency: agencyCopyOf(entity),
      relationship: relationshipOf(draft),
      isDeleted: false,
      version: 0,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    };
    const view = associationView(after, entity, subscriptions.get(npn ?? ''));
    const { name: upstreamEntityName, planCeiling } = organization;
    const request = {
      agency,
      isNewAgency: knownAgency === undefined,
      agreedThrough,
      isInvitedBounded: bound,
    };
    // Who follows the list finds the association by the time of its write, however long the request took.
    const writtenAt = sources.clock();
    const change = { before: undefined, after, now: writtenAt, upstreamEntityName, planCeiling, request };
    await sources.associations.save(change, [
      knownAgency === undefined
        ? sources.entities.creation(entity)
        : sources.entities.unchanged(knownAgency, () => new VersionConflict()),
      ...contact.items,
      ...sources.events(associationChangeEvents(undefined, after, entity), now),
      ...(npn === null
        ? []
        : [sources.firstPoll(firstPollOfAgency('upstreamEntity', owner, npn, false), now, dueAt)]),
      ...furtherItems(view),
    ]);
    return view;
  });
};

/** Operations that write associations: a carrier adds, invites, or changes an agency, and signs its contacts in. */
export const associationWrites = operationsOf(routes, (sources: AssociationSources) => ({
  /**
   * Adds an agency (OpenAPI, "addAssociation").
   *
   * @throws ApiError `not_found` for an agency, template or parent that the caller may not use; `invite_limit_reached`;
   *   `transient_transaction_error` or `conflict` for a duplicate; `duplicate_external_id_error`,
   *   `duplicate_producer_code_error`; `validation_error` where a required NPN is missing.
   */
  async addAssociation({ identity, body, now, recordResponse }) {
    checkTemplate(body);
    const { isNpnRequired, downstreamEntityNpn, downstreamEntityId } = body;
    if (isNpnRequired && downstreamEntityNpn === undefined && downstreamEntityId === undefined) {
      throw invalidAt('downstreamEntityNpn', 'is required when isNpnRequired is true');
    }
    return create(
      {
        owner: identity.organizationId,
        draft: body,
        isInvitation: false,
        now,
        furtherItems: recordResponse,
      },
      sources,
    );
  },

  /**
   * Invites an agency, which may give its NPN later (OpenAPI, "inviteAssociation").
   *
   * @throws ApiError as `addAssociation` does, except for the NPN.
   */
  async inviteAssociation({ identity, body, now, recordResponse }) {
    checkTemplate(body);
    let url = '';
    const { _id } = await create(
      {
        owner: identity.organizationId,
        draft: body,
        isInvitation: true,
        now,
        furtherItems: (association) => {
          const link = sources.oneTimeLinks.make(
            {
              purpose: 'invitation',
              downstreamEntityAssociationId: association._id,
              email: body.email.toLowerCase(),
            },
            now,
          );
          url = link.url;
          return [link.item, ...recordResponse({ url, downstreamEntityAssociationId: association._id })];
        },
      },
      sources,
    );
    return { url, downstreamEntityAssociationId: _id };
  },

  /**
   * Sets or clears the carrier's own codes of an agency (OpenAPI, "updateAssociation"). What the response shows is read
   * before the one transaction, which records it and emits the event; that takes two round trips, as the association
   * has the agency's id.
   *
   * @throws ApiError `not_found`; `duplicate_external_id_error` and `duplicate_producer_code_error` when another association
   *   of the caller's has the code.
   */
  updateAssociation({ identity, params, body, now, recordResponse }) {
    return retryOnConflict(async () => {
      const owner = identity.organizationId;
      const before = await ownAssociation(sources, owner, params.downstreamEntityAssociationId);
      const { externalId = before.externalId, producerCode = before.producerCode } = body;
      const after = { ...before, externalId, producerCode, updatedAt: now.toISOString() };
      const [organization, [association]] = await Promise.all([
        sources.organizations.findOrganization(owner),
        associationViews(owner, [after], sources),
      ]);
      const view = existing(association);
      const upstreamEntityName = organization?.name ?? '';
      // Who follows the list finds the change by the time of its write, however long the request took.
      await sources.associations.save({ before, after, now: sources.clock(), upstreamEntityName }, [
        ...sources.events(associationChangeEvents(before, after, view.downstreamEntity), now),
        ...recordResponse(view),
      ]);
      return view;
    });
  },

  /**
   * A link that signs in a contact of the association (`signInContact`).
   *
   * @throws ApiError `not_found`; `contact_not_authorized` for an address that is not that of such a contact.
   */
  async getAssociationSignInUrl({ identity, params, query, now }) {
    const { downstreamEntityAssociationId } = params;
    const association = await ownAssociation(sources, identity.organizationId, downstreamEntityAssociationId);
    const found = await signInContact(association, query.email, sources);
    if ('refusal' in found) throw new ApiError('contact_not_authorized', { details: found.refusal });
    const { contactId, email } = found.contact;
    return sources.oneTimeLinks.signIn({ downstreamEntityAssociationId, contactId, email }, now);
  },
}));

/** Milliseconds of each status that ends so. */
const timeouts: Readonly<Partial<Record<Synchronization['entityInfo']['status'], number>>> = {
  queued: queuedMinutes * 60_000,
  'in progress': inProgressMinutes * 60_000,
};

/** Whether a synchronization is under way: queued, or in progress. */
function isUnderWay({ entityInfo, queuedAt }: Synchronization, now: Date): boolean {
  const limit = timeouts[entityInfo.status];
  return limit !== undefined && queuedAt !== undefined && now.getTime() - Date.parse(queuedAt) < limit;
}

/** Whether the registry was visited just now, and nothing was put into a simulated one since. */
async function isDone(
  { dataOwnerId, npn, entityInfo, lastSynchronizationDate }: Synchronization,
  now: Date,
  synchronizations: AssociationSources['synchronizations'],
): Promise<boolean> {
  if (entityInfo.status !== 'success' || lastSynchronizationDate === null) return false;
  const visitedAt = new Date(lastSynchronizationDate);
  const isRecent = now.getTime() - visitedAt.getTime() < doneMinutes * 60_000;
  return isRecent && !(await synchronizations.isPutSince(dataOwnerId, npn, visitedAt));
}

/**
 * The synchronization that is under way or was just done, or one that is queued now.
 * @throws ApiError `rate_limit_exceeded` where the organization's questions of the day are used up.
 */
const findOrQueue = (
  owner: string,
  npn: string,
  { clock, synchronizations, questionBudget }: AssociationSources,
): Promise<Synchronization> =>
  retryOnConflict(async () => {
    const before = await synchronizations.find(owner, npn);
    const now = clock();
    if (before !== undefined && (isUnderWay(before, now) || (await isDone(before, now, synchronizations))))
      return before;
    await questionBudget.takeOrRefuse(owner, 1);
    return synchronizations.queue(owner, npn, before, now);
  });

export const associationSynchronization = operationsOf(routes, (sources: AssociationSources) => ({
  /**
   * Queues a registry synchronization of an association's agency; one that is under way, or was done within five minutes, is
   * returned as it is. 202 means that the queue has accepted the job: it is marked as queued, sent, then marked as sent. A request
   * that finds it marked but not sent, since an earlier one crashed in between, was refused by the queue, or has not sent it yet,
   * sends the same job again, and the worker does a job once.
   *
   * @throws ApiError `not_found`; `conflict` for an agency without an NPN; `rate_limit_exceeded`; `service_unavailable` when the
   *   queue does not accept the job.
   */
  async syncAssociation({ identity, params, recordResponse }) {
    const owner = identity.organizationId;
    const { agency } = await ownAssociation(sources, owner, params.downstreamEntityAssociationId);
    const { npn } = agency;
    if (npn === null) {
      throw new ApiError('conflict', { message: 'The agency has no NPN to look up in the registry.' });
    }
    const synchronization = await findOrQueue(owner, npn, sources);
    const { _id: registryDataSubscriptionId, entityInfo, isSent } = synchronization;
    const answer = { registryDataSubscriptionId, entityInfo };
    const { jobId, status } = entityInfo;
    const items = [...recordResponse(answer)];
    if (status === 'queued' && isSent !== true && jobId !== null) {
      try {
        await sources.sendSyncJob({ jobId, organizationId: owner, registryDataSubscriptionId, npn });
      } catch (error) {
        throw new ApiError('service_unavailable', { cause: error });
      }
      items.push(sources.synchronizations.markSent(synchronization));
    }
    await sources.synchronizations.write(items);
    return answer;
  },
}));
