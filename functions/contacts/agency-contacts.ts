import type { ContactStore } from '../../shared/contacts/store.ts';
import type { StoredContact } from '../../shared/contacts/stored.ts';
import { contactView, visibleToAgency } from '../../shared/contacts/visible.ts';
import { notFound } from '../../shared/contract/errors.ts';
import { entityFilter, type OwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import type { Operation } from '../../shared/request/operation.ts';
import type { Contact } from '../../shared/resources/contact.ts';
import type { contactRoutes } from './routes.ts';
import type { AgencyLists } from './store.ts';

type Routes = typeof contactRoutes.routes;

/** A contact as an agency sees it: only at its own entities. */
export const agencyView = (organizationId: string, contact: StoredContact): Contact =>
  contactView(contact, visibleToAgency(contact, organizationId));

/**
 * A page of the agency's contacts; the entity of the filter is checked at the same time.
 * @throws ApiError `not_found` for an entity outside the organization.
 */
export const listAgencyContacts: Operation<
  Routes['listAgencyContacts'],
  { readonly lists: AgencyLists; readonly ownEntity: OwnEntity }
> = async ({ identity: { organizationId }, query }, { lists, ownEntity }) => {
  const { downstreamEntityId, ...page } = query;
  const [{ items, total }] = await Promise.all([
    lists.page(organizationId, downstreamEntityId, page),
    entityFilter(ownEntity, organizationId, downstreamEntityId),
  ]);
  return { items: items.map((contact) => agencyView(organizationId, contact)), total };
};

/** @throws ApiError `not_found` for an unknown contact, and for one at other organizations' entities. */
export const getAgencyContact: Operation<
  Routes['getAgencyContact'],
  { readonly contacts: ContactStore }
> = async ({ identity: { organizationId }, params }, { contacts }) => {
  const contact = await contacts.findOfOrganization(organizationId, params.contactId);
  if (contact === undefined) throw notFound();
  return agencyView(organizationId, contact);
};
