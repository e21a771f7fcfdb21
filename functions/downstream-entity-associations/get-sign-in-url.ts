import { isShared } from '../../shared/domain/associations/sharing.ts';
import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { isConfirmedAt } from '../../shared/domain/contacts/consent.ts';
import type { ContactStore } from '../../shared/domain/contacts/store.ts';
import type { OneTimeLinks } from '../../shared/domain/one-time-links/store.ts';
import { ApiError } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

const notAuthorized = (expected: string, actual: string): ApiError =>
  new ApiError('contact_not_authorized', { details: { expected, actual } });

/**
 * A link that signs in a contact of the association. The address must be that of a contact that the caller sees there: the
 * association's own, or the whole agency's. With an agency that others know, the agency must have agreed to the association,
 * and the contact be one that somebody else than a carrier's request vouches for.
 *
 * @throws ApiError `not_found`; `contact_not_authorized` for any other.
 */
export const getSignInUrl: Operation<
  typeof downstreamEntityAssociationRoutes.routes.getAssociationSignInUrl,
  {
    readonly associations: AssociationStore;
    readonly contacts: ContactStore;
    readonly oneTimeLinks: OneTimeLinks;
  }
> = async ({ identity, params, query, now }, { associations, contacts, oneTimeLinks }) => {
  const { downstreamEntityAssociationId } = params;
  const association = await ownAssociation(
    associations,
    identity.organizationId,
    downstreamEntityAssociationId,
  );
  const { _id, downstreamEntityId, agency, status } = association;
  const { downstreamOrganizationId } = agency;
  const contactScope = { _id, downstreamEntityId, downstreamOrganizationId };
  const [contact, sharing] = await Promise.all([
    contacts.contactAt(contactScope, query.email),
    associations.sharingOf(downstreamEntityId),
  ]);
  const shared = isShared(association, sharing);
  // First, so that the refusal does not show whose address it is.
  if (shared && status === 'invited') {
    throw notAuthorized('an association that the agency agreed to', status);
  }
  if (contact === undefined) throw notAuthorized('a contact of the association', 'none');
  if (shared && !isConfirmedAt(contact, contactScope)) {
    throw notAuthorized('a contact that the agency confirmed', 'a contact that only a carrier named');
  }
  return oneTimeLinks.signIn({ downstreamEntityAssociationId, contactId: contact.contactId }, now);
};
