import { isShared } from '../associations/sharing.ts';
import type { AssociationStore } from '../associations/store.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import { type ContactStore, isConfirmedAt } from '../contacts/store.ts';

interface SignInStores {
  readonly associations: Pick<AssociationStore, 'sharingOf'>;
  readonly contacts: Pick<ContactStore, 'contactAt'>;
}

/**
 * The contact of an address that a link may sign in at an association, when it is made and when it is redeemed: the
 * association's own, or the whole agency's. With an agency that others know, the agency must have agreed to the association,
 * and the contact be one that somebody else than a carrier's request vouches for.
 * @returns the contact, or why there is none: what it takes, and what there is.
 */
export async function signInContact(
  association: StoredAssociation,
  address: string,
  { associations, contacts }: SignInStores,
) {
  const { _id, downstreamEntityId, agency, status } = association;
  const scope = { _id, downstreamEntityId, downstreamOrganizationId: agency.downstreamOrganizationId };
  const [contact, sharing] = await Promise.all([
    contacts.contactAt(scope, address),
    associations.sharingOf(downstreamEntityId),
  ]);
  const shared = isShared(association, sharing);
  const refused = (expected: string, actual: string) => ({ refusal: { expected, actual } });
  // First, so that the refusal does not show whose address it is.
  if (shared && status === 'invited') return refused('an association that the agency agreed to', status);
  if (contact === undefined) return refused('a contact of the association', 'none');
  if (shared && !isConfirmedAt(contact, scope)) {
    return refused('a contact that the agency confirmed', 'a contact that only a carrier named');
  }
  return { contact };
}
