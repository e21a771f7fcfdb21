import type * as z from 'zod/mini';
import type { Relationship } from '#domain/associations/stored.ts';
import type { Contact, remainingContact } from '#domain/contacts/resource.ts';
import { type ContactStore, keepAsGiven, withScope } from '#domain/contacts/store.ts';
import {
  type CarrierReach,
  type ContactScope,
  carrierView,
  contactView,
  entitiesOf,
  ownScopes,
  type StoredContact,
  visibleToCarrier,
} from '#domain/contacts/stored.ts';
import { ownPage } from '#domain/downstream-entities/stored.ts';
import { marketIdOf } from '#domain/identifiers/identifiers.ts';
import { apiFunction } from '#function/api-function.ts';
import { existing, invalid, invalidAt, notFound } from '#platform/contract/errors.ts';
import type { Identity } from '#platform/contract/route.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError, foundAt, notFoundAt } from '#platform/errors/domain-error.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { contactRoutes, type newContact } from './routes.ts';
import { type ContactSources, createContactSources } from './store.ts';
import { uses } from './uses.ts';

/** Sight of an organization: it decides, beside a contact's scopes, what the organization sees. */
interface AgencySight {
  readonly organizationId: string;
  /** See `InvitedMarkets`. */
  readonly invited: ReadonlySet<string>;
}

/** A contact as an organization sees it: only at its agencies. */
export const agencyView = ({ organizationId, invited }: AgencySight, contact: StoredContact): Contact =>
  contactView(contact, ownScopes(contact, organizationId, invited));

/**
 * A contact, and what an organization sees of it.
 * @throws ApiError `not_found` for an unknown contact, and for one at other organizations' agencies.
 */
async function seenContact(
  organizationId: string,
  contactId: string,
  { contacts, invitedMarkets }: ContactSources,
) {
  const contact = existing(await contacts.find(contactId));
  const invited = await invitedMarkets([contact]);
  const scopes = ownScopes(contact, organizationId, invited);
  if (scopes.length === 0) throw notFound();
  return { contact, scopes, sight: { organizationId, invited } };
}

type Filters = ApiRequest<typeof contactRoutes.routes.listContacts>['query'];

/** Contacts of a page, so that the first ones are sent before the last ones are read. */
const shownAtOnce = 200;

/** Entities whose first contacts are read concurrently. */
const readAhead = 16;

/** Entities that the carrier works with, and its associations with them. */
interface Reach {
  readonly entityIds: readonly string[];
  readonly associations: CarrierReach['associations'] | Promise<CarrierReach['associations']>;
}

/** A contact as it was found at one of its entities. */
interface ContactAtEntity {
  readonly entityId: string;
  readonly contact: StoredContact;
}

/**
 * Reads the carrier's entities in the order of their ids, and the contacts of each. A contact of several entities is found
 * several times; it is returned at the first of those at which the carrier sees it, without keeping track of the others.
 * An association that is not the carrier's has none.
 */
async function* contactsSeenBy(
  upstream: string,
  filters: Filters,
  { contacts, relations }: ContactSources,
): AsyncGenerator<Contact[], void> {
  const { downstreamEntityAssociationId: associationId } = filters;

  async function viewsOf(contactsToShow: readonly ContactAtEntity[], reach: Reach): Promise<Contact[]> {
    const otherIds = new Set(contactsToShow.flatMap(({ contact }) => entitiesOf(contact)));
    for (const entityId of reach.entityIds) otherIds.delete(entityId);
    const far = otherIds.size === 0 ? [] : await relations.with(upstream, [...otherIds]);
    const associations = new Map([...(await reach.associations), ...far]);
    return contactsToShow.flatMap(({ entityId, contact }) => {
      const scopes = visibleToCarrier(contact, { upstreamEntityId: upstream, associations });
      const [first] = scopes.map(({ downstreamEntityId }) => downstreamEntityId).sort();
      // The contacts of one relationship are all at its entity.
      const isShownHere = associationId !== undefined || entityId === first;
      const isMatch = scopes.some((scope) => matches(scope, entityId, filters));
      return isShownHere && isMatch ? [carrierView(contact, scopes)] : [];
    });
  }

  async function* reachPages(): AsyncGenerator<Reach, void> {
    if (associationId === undefined) {
      for await (const associations of relations.all(upstream)) {
        yield { entityIds: [...associations.keys()], associations };
      }
      return;
    }
    const entityId = await relations.entityOf(upstream, associationId);
    if (entityId === undefined) return;
    const associations = relations.with(upstream, [entityId]);
    // Never awaited when the contacts cannot be read.
    associations.catch(() => undefined);
    yield { entityIds: [entityId], associations };
  }

  for await (const reach of reachPages()) {
    let contactsToShow: ContactAtEntity[] = [];
    for await (const contactsOfPage of contactsAt(contacts, reach.entityIds)) {
      contactsToShow.push(...contactsOfPage);
      if (contactsToShow.length < shownAtOnce) continue;
      yield await viewsOf(contactsToShow, reach);
      contactsToShow = [];
    }
    yield await viewsOf(contactsToShow, reach);
  }
}

/** Whether a scope that the carrier sees matches the filters. */
function matches(
  { downstreamEntityId, downstreamEntityAssociationId, businessRoles }: StoredContact['scopes'][number],
  entityId: string,
  { downstreamEntityAssociationId: associationId, businessRole }: Filters,
): boolean {
  const isOfAssociation =
    associationId === undefined ||
    (downstreamEntityId === entityId && (downstreamEntityAssociationId ?? associationId) === associationId);
  const role = businessRole?.toLowerCase();
  return isOfAssociation && (role === undefined || businessRoles.some((name) => name.toLowerCase() === role));
}

/** The contacts of entities, entity by entity; the next entities' first contacts are read ahead. */
async function* contactsAt(
  contacts: ContactStore,
  entityIds: readonly string[],
): AsyncGenerator<ContactAtEntity[], void> {
  const begin = (entityId: string) => {
    const pages = contacts.atEntity(entityId);
    const first = pages.next();
    // A caller that stops early never awaits it; one that goes on gets its failure below.
    first.catch(() => undefined);
    return { entityId, pages, first };
  };
  const waiting = entityIds.values();
  const started: ReturnType<typeof begin>[] = [];
  const beginNext = () => {
    const next = waiting.next();
    if (next.done !== true) started.push(begin(next.value));
  };
  for (let count = 0; count < readAhead; count += 1) beginNext();
  for (let current = started.shift(); current !== undefined; current = started.shift()) {
    beginNext();
    const { entityId, pages, first } = current;
    for (let page = await first; page.done !== true; page = await pages.next()) {
      yield page.value.map((contact) => ({ entityId, contact }));
    }
  }
}

/** Reads of contacts. */
const contactReads = operationsOf(contactRoutes, (sources: ContactSources) => ({
  /**
   * A page of the agency's contacts; the entity of the filter is checked at the same time.
   * @throws ApiError `not_found` for an entity outside the organization.
   */
  listAgencyContacts(request) {
    return ownPage(request, sources, async (organizationId, downstreamEntityId, page) => {
      const { items, total } = await sources.lists.page(organizationId, downstreamEntityId, page);
      const sight = { organizationId, invited: await sources.invitedMarkets(items) };
      return { items: items.map((contact) => agencyView(sight, contact)), total };
    });
  },

  /** @throws ApiError `not_found`, as above. */
  async getAgencyContact({ identity: { organizationId }, params }) {
    const { contact, scopes } = await seenContact(organizationId, params.contactId, sources);
    return contactView(contact, scopes);
  },

  /** Every contact that the carrier sees and that matches the filters. */
  listContacts({ identity, query }) {
    return contactsSeenBy(identity.organizationId, query, sources);
  },

  /**
   * Two reads in sequence: what the carrier sees of a contact depends on its associations.
   * @throws ApiError `not_found` when the contact does not exist or the carrier sees none of its scopes.
   */
  async getContact({ identity, params }) {
    const contact = existing(await sources.contacts.find(params.contactId));
    const upstreamEntityId = identity.organizationId;
    const associations = await sources.relations.with(upstreamEntityId, entitiesOf(contact));
    const scopes = visibleToCarrier(contact, { upstreamEntityId, associations });
    if (scopes.length === 0) throw notFound();
    return carrierView(contact, scopes);
  },
}));

/** A contact, what its agency sees of it, and the scopes that are the agency's to change. */
interface OwnContact {
  readonly before: StoredContact;
  readonly sight: AgencySight;
  readonly ownScopes: ContactScope[];
}

/**
 * A contact that the agency may change: its side confirmed the contact, or an operator recorded it.
 * @throws ApiError `not_found` for any other, and for one that only carriers named.
 */
async function ownContact(
  identity: Identity,
  contactId: string,
  sources: ContactSources,
): Promise<OwnContact> {
  const { contact, sight, scopes } = await seenContact(identity.organizationId, contactId, sources);
  const isOfCarrier = ({ namedBy, isConfirmed }: ContactScope): boolean =>
    namedBy !== undefined && namedBy !== identity.organizationId && isConfirmed !== true;
  if (scopes.every(isOfCarrier)) throw notFound();
  return { before: contact, sight, ownScopes: scopes };
}

/**
 * The scope of a market, if one is named.
 * @throws DomainError `not_found` for a market where the person is no contact of the agency.
 */
function scopeAt(
  ownScopes: readonly ContactScope[],
  market: ReturnType<typeof marketIdOf>,
): ContactScope | undefined {
  if (market === undefined) return undefined;
  const relationship = ownScopes.find(({ downstreamEntityAssociationId: id }) => id === market.id);
  if (relationship === undefined) throw notFoundAt([market.path]);
  return relationship;
}

/** @throws DomainError `state_conflict` for a person who is a contact of an agency of others, too. */
function checkAlone(contact: StoredContact, sight: AgencySight): void {
  const allScopes = agencyView({ ...sight, invited: new Set() }, contact).associations;
  if (allScopes.length === contact.scopes.length) return;
  throw new DomainError('state_conflict', {
    message:
      'The person is a contact of another agency, too, so names and email cannot be changed here. Delete the contact and add the person again.',
  });
}

/** @throws DomainError `state_conflict` for an address that another contact of the organization has. */
async function checkFree(
  email: string,
  { contactId }: StoredContact,
  organizationId: string,
  { contacts }: ContactSources,
): Promise<void> {
  const [holder = contactId] = await contacts.holdersOf([organizationId], email);
  if (holder === contactId) return;
  throw new DomainError('state_conflict', {
    message: 'Another contact has this email address.',
    ids: { contactId: holder },
  });
}

/** Items that refuse a write once an agency of the scopes has moved to another organization. */
const stillOwnEntities = (organizationId: string, scopes: ContactScope[], { stillOwn }: ContactSources) =>
  entitiesOf({ scopes }).map((entityId) => stillOwn(organizationId, entityId));

/** Rest of a scope that the agency ends: what a carrier gave with an invitation to which it has not agreed. */
function givenBack(scope: ContactScope, { invited }: AgencySight): ContactScope[] {
  const {
    downstreamEntityAssociationId: id = '',
    upstreamEntityId,
    givenByCarrier,
    isConfirmed: _,
    ...ownFields
  } = scope;
  if (givenByCarrier === undefined || upstreamEntityId === undefined || !invited.has(id)) return [];
  const { businessRoles } = givenByCarrier;
  // Somebody else may be the market's primary contact by now.
  const valuesOfCarrier = {
    businessRoles,
    isPrimary: false,
    namedBy: upstreamEntityId,
    isPending: true,
    givenByCarrier,
  };
  return [{ ...ownFields, downstreamEntityAssociationId: id, upstreamEntityId, ...valuesOfCarrier }];
}

/** Values of a deleted contact in place of the person's: the item stays, so that importing its record again adds nobody. */
const nobody = { firstName: '', lastName: '', email: 'deleted@contact.invalid', isDeliverable: false };

/**
 * A contact with the scopes that are left; without any, its tombstone. A contact that only carriers see by now, as given, has the
 * names that they gave, and the address if nobody else has it by now.
 */
async function withScopes(
  before: StoredContact,
  scopes: ContactScope[],
  organizationId: string,
  { contacts }: ContactSources,
): Promise<StoredContact> {
  if (scopes.length === 0) {
    const traces = before.scopes.map(({ givenByCarrier: _, ...scope }) => ({ ...scope, businessRoles: [] }));
    return { ...before, ...nobody, scopes: traces, isDeleted: true };
  }
  const [valuesOfCarrier] = scopes.map(({ givenByCarrier }) => givenByCarrier);
  if (valuesOfCarrier === undefined || scopes.some(({ isPending }) => isPending !== true))
    return { ...before, scopes };
  const { firstName, lastName, isDeliverable } = valuesOfCarrier;
  const [holder = before.contactId] = await contacts.holdersOf([organizationId], valuesOfCarrier.email);
  const email = holder === before.contactId ? valuesOfCarrier.email : before.email;
  return { ...before, firstName, lastName, email, isDeliverable, scopes };
}

/** @throws ApiError `validation_error` naming what a scope needs. */
function checkScope(
  { downstreamEntityId, isPrimary }: z.output<typeof newContact>,
  market: ReturnType<typeof marketIdOf>,
): void {
  if (market === undefined && downstreamEntityId === undefined) {
    const message = 'one of upstreamDownstreamAssociationId and downstreamEntityId is required';
    throw invalid(
      { path: 'upstreamDownstreamAssociationId', message },
      { path: 'downstreamEntityId', message },
    );
  }
  if (isPrimary === true && market === undefined) {
    throw invalidAt('isPrimary', 'requires a market: primary contacts belong to markets');
  }
}

/** Changes of an agency’s contacts. */
export const contactChanges = operationsOf(contactRoutes, (sources: ContactSources) => ({
  /**
   * Changes a person's names and address, and the roles at one market (OpenAPI, "updateAgencyContact"). A carrier that is only
   * invited goes on seeing what it gave; a contact of others, too, keeps its names and address.
   *
   * @throws ApiError `not_found`; `validation_error` for roles without a market; `conflict` for an address of another contact, a
   *   second primary contact, and a person who is a contact of others.
   */
  async updateAgencyContact({ identity, params, body, now, recordResponse }) {
    const { organizationId } = identity;
    const market = marketIdOf(body);
    for (const path of ['businessRoles', 'isPrimary'] as const) {
      if (body[path] !== undefined && market === undefined) {
        throw invalidAt(path, 'requires the upstreamDownstreamAssociationId of the market');
      }
    }
    return retryOnConflict(async () => {
      const { before, sight, ownScopes } = await ownContact(identity, params.contactId, sources);
      const scope = scopeAt(ownScopes, market);
      const { firstName = before.firstName, lastName = before.lastName, email = before.email } = body;
      const hasNewEmail = email.toLowerCase() !== before.email.toLowerCase();
      const isRenamed =
        firstName !== before.firstName || lastName !== before.lastName || email !== before.email;
      if (isRenamed) checkAlone(before, sight);
      if (hasNewEmail) await checkFree(email, before, organizationId, sources);
      const { businessRoles = scope?.businessRoles ?? [], isPrimary = scope?.isPrimary ?? false } = body;
      const scopes = before.scopes.map((scopeBefore): ContactScope => {
        const renamedScope = isRenamed ? keepAsGiven(before, scopeBefore) : scopeBefore;
        const scopeAfter =
          scopeBefore === scope ? { ...renamedScope, businessRoles, isPrimary } : renamedScope;
        return scopeBefore === scope || (hasNewEmail && ownScopes.includes(scopeBefore))
          ? { ...scopeAfter, isConfirmed: true }
          : scopeAfter;
      });
      const isDeliverable = before.isDeliverable && !hasNewEmail;
      const updatedAt = now.toISOString();
      const after = { ...before, firstName, lastName, email, isDeliverable, scopes, updatedAt };
      const data = agencyView(sight, after);
      await sources.contacts.save(before, after, [
        ...stillOwnEntities(organizationId, ownScopes, sources),
        ...recordResponse(data),
      ]);
      return data;
    });
  },

  /**
   * Ends one scope of a contact, or all that the agency sees (OpenAPI, "deleteAgencyContact"). What a carrier gave with an invitation
   * that is still open stays that carrier's. Of a contact without scopes nothing is kept that says who it was.
   *
   * @throws ApiError `not_found`.
   */
  async deleteAgencyContact({ identity, params, query, now, recordResponse }) {
    const { organizationId } = identity;
    const market = marketIdOf(query);
    return retryOnConflict(async () => {
      const { before, sight, ownScopes } = await ownContact(identity, params.contactId, sources);
      const scope = scopeAt(ownScopes, market);
      const endedScopes = scope === undefined ? ownScopes : [scope];
      const scopes: ContactScope[] = before.scopes.flatMap((scopeBefore) =>
        endedScopes.includes(scopeBefore) ? givenBack(scopeBefore, sight) : [scopeBefore],
      );
      const leftScopes = await withScopes(before, scopes, organizationId, sources);
      const after = { ...leftScopes, updatedAt: now.toISOString() };
      const data: z.output<typeof remainingContact> = {
        contactId: before.contactId,
        associations: after.isDeleted ? [] : agencyView(sight, after).associations,
      };
      await sources.contacts.save(before, after, [
        ...stillOwnEntities(organizationId, endedScopes, sources),
        ...recordResponse(data),
      ]);
      return data;
    });
  },

  /**
   * Adds a contact to a market or an entity (OpenAPI, "createAgencyContact"): scope, address and the market's primary are
   * written in one transaction, and all of it is decided again when another request was faster.
   *
   * @throws ApiError `not_found` for a market or entity that is not the organization's; `validation_error` when the entity
   *   does not hold the market; `conflict` for a scope that exists already and for a second primary contact.
   */
  async createAgencyContact({ identity, body, now, recordResponse }) {
    const { contacts, invitedMarkets, relationshipAt, ownEntity, stillOwn } = sources;
    const { organizationId } = identity;
    const { firstName, lastName, email, businessRoles = [], isPrimary = false } = body;
    const market = marketIdOf(body);
    checkScope(body, market);

    /** The entity of the request, or that of the market, which the organization sees only with its entity; and the carrier. */
    const relationshipOf = async (): Promise<Relationship> => {
      if (market === undefined) {
        const lookedUp = ownEntity(organizationId, body.downstreamEntityId ?? '');
        const { _id } = await foundAt('downstreamEntityId', lookedUp);
        return { downstreamEntityId: _id };
      }
      const relationship = await foundAt(market.path, relationshipAt(identity, market.id));
      if ((body.downstreamEntityId ?? relationship.downstreamEntityId) !== relationship.downstreamEntityId) {
        throw invalidAt('downstreamEntityId', 'is not the entity that has the market');
      }
      return relationship;
    };

    return retryOnConflict(async () => {
      const [before, { downstreamEntityId, upstreamEntityId }] = await Promise.all([
        contacts.findByAddress(organizationId, email),
        relationshipOf(),
      ]);
      const scope = {
        ...(market === undefined ? {} : { downstreamEntityAssociationId: market.id }),
        downstreamEntityId,
        downstreamOrganizationId: organizationId,
        ...(upstreamEntityId === undefined ? {} : { upstreamEntityId }),
        namedBy: organizationId,
        isConfirmed: true,
        businessRoles,
        isPrimary,
      };
      const contact = withScope(before, { person: { firstName, lastName, email }, scope }, now);
      // A move that comes between is found by the transaction.
      const data = agencyView({ organizationId, invited: await invitedMarkets([contact]) }, contact);
      await contacts.save(before, contact, [
        stillOwn(organizationId, downstreamEntityId),
        ...recordResponse(data),
      ]);
      return data;
    });
  },
}));

/** Serves the routes of contacts, for carriers and agencies. */
export const contactsFunction = apiFunction({
  uses,
  operations: (resources) => {
    const sources = createContactSources(resources);
    return { ...contactReads(sources), ...contactChanges(sources) };
  },
  services: writeServices,
});
