import type { AssociationStore } from '../../shared/associations/store.ts';
import type { ContactStore } from '../../shared/contacts/store.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { OneTimeLinks } from '../../shared/one-time-links/store.ts';
import type { Operation } from '../../shared/request/operation.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

/**
 * A link that signs in a contact of the association. The address must be that of a contact that the caller sees there: the
 * association's own, or the whole agency's.
 *
 * @throws ApiError `not_found`; `contact_not_authorized` for any other address.
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
  const { _id, downstreamEntityId, agency } = association;
  const { downstreamOrganizationId } = agency;
  const contactScope = { _id, downstreamEntityId, downstreamOrganizationId };
  if (!(await contacts.isContactOf(contactScope, query.email))) {
    throw new ApiError('contact_not_authorized', {
      details: { expected: 'a contact of the association', actual: 'none' },
    });
  }
  const email = query.email.toLowerCase();
  const link = oneTimeLinks.make({ purpose: 'sign-in', downstreamEntityAssociationId, email }, now);
  await oneTimeLinks.store(link);
  return { url: link.url, expiresAt: link.expiresAt };
};
