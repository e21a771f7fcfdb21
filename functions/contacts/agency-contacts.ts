import { ownScopes } from '../../shared/domain/contacts/own-scopes.ts';
import type { Contact } from '../../shared/domain/contacts/resource.ts';
import type { StoredContact } from '../../shared/domain/contacts/stored.ts';
import { contactView } from '../../shared/domain/contacts/visible.ts';
import type { EntityMoves } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { ownPage } from '../../shared/domain/downstream-entities/own-entity.ts';
import { existing, notFound } from '../../shared/platform/contract/errors.ts';
import type { ContactOperation, Deps } from './function.ts';

/** What decides, beside a contact's scopes, what an organization sees of it. */
export interface AgencySight {
  readonly organizationId: string;
  readonly moves: EntityMoves;
  /** See `InvitedMarkets`. */
  readonly invited: ReadonlySet<string>;
}

/** A contact as an organization sees it: only at the agencies that belong to it at this moment. */
export const agencyView = (
  { organizationId, moves, invited }: AgencySight,
  contact: StoredContact,
): Contact => contactView(contact, ownScopes(contact, organizationId, moves, invited));

/**
 * A page of the agency's contacts; the entity of the filter is checked at the same time.
 * @throws ApiError `not_found` for an entity outside the organization.
 */
export const listAgencyContacts: ContactOperation<'listAgencyContacts'> = (request, deps) =>
  ownPage(request, deps, async (ownership, downstreamEntityId, page) => {
    const { items, total } = await deps.lists.page(ownership, downstreamEntityId, page);
    const { organizationId, moves } = ownership;
    const sight = { organizationId, moves: await moves, invited: await deps.invitedMarkets(items) };
    return { items: items.map((contact) => agencyView(sight, contact)), total };
  });

/**
 * A contact, and what an organization sees of it.
 * @throws ApiError `not_found` for an unknown contact, and for one at other organizations' agencies.
 */
export async function seenContact(
  organizationId: string,
  contactId: string,
  { contacts, invitedMarkets, movesOf }: Deps,
) {
  const [found, moves] = await Promise.all([contacts.find(contactId), movesOf(organizationId)]);
  const contact = existing(found);
  const invited = await invitedMarkets([contact]);
  const scopes = ownScopes(contact, organizationId, moves, invited);
  if (scopes.length === 0) throw notFound();
  return { contact, scopes, sight: { organizationId, moves, invited } };
}

/** @throws ApiError `not_found`, as above. */
export const getAgencyContact: ContactOperation<'getAgencyContact'> = async (
  { identity: { organizationId }, params },
  deps,
) => {
  const { contact, scopes } = await seenContact(organizationId, params.contactId, deps);
  return contactView(contact, scopes);
};
