import type { Contact } from '#domain/contacts/resource.ts';
import type { ContactStore } from '#domain/contacts/store.ts';
import { entitiesOf, type StoredContact } from '#domain/contacts/stored.ts';
import {
  type CarrierReach,
  carrierView,
  contactView,
  ownScopes,
  visibleToCarrier,
} from '#domain/contacts/visible.ts';
import { ownPage } from '#domain/downstream-entities/own-entities.ts';
import { existing, notFound } from '#platform/contract/errors.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { contactRoutes } from './routes.ts';
import type { ContactSources } from './store.ts';

/** Sight of an organization: it decides, beside a contact's scopes, what the organization sees. */
export interface AgencySight {
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
export async function seenContact(
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
export const contactReads = operationsOf(contactRoutes, (sources: ContactSources) => ({
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
