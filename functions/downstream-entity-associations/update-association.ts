import { associationChangeEvents } from '../../shared/domain/associations/events.ts';
import { isShared } from '../../shared/domain/associations/sharing.ts';
import { associationViews } from '../../shared/domain/associations/view.ts';
import { isConfirmedAt } from '../../shared/domain/contacts/consent.ts';
import { ApiError, existing } from '../../shared/platform/contract/errors.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import type { AssociationOperation } from './deps.ts';
import { ownAssociation } from './get-association.ts';

/**
 * Sets or clears the carrier's own codes of an agency (OpenAPI, "updateAssociation"). What the response shows is read
 * before the one transaction, which records it and emits the event; that takes two round trips, as the association
 * has the agency's id.
 *
 * @throws ApiError `not_found`; `duplicate_external_id_error` and `duplicate_producer_code_error` when another association
 *   of the caller's has the code.
 */
export const updateAssociation: AssociationOperation<'updateAssociation'> = (
  { identity, params, body, now, recordResponse },
  deps,
) =>
  retryOnConflict(async () => {
    const owner = identity.organizationId;
    const before = await ownAssociation(deps.associations, owner, params.downstreamEntityAssociationId);
    const { externalId = before.externalId, producerCode = before.producerCode } = body;
    const after = { ...before, externalId, producerCode, updatedAt: now.toISOString() };
    const [organization, [updated]] = await Promise.all([
      deps.organizations.findOrganization(owner),
      associationViews(owner, [after], deps),
    ]);
    const view = existing(updated);
    const upstreamEntityName = organization?.name ?? '';
    // Who follows the list finds the change by the time of its write, however long the request took.
    await deps.associations.save({ before, after, now: deps.clock(), upstreamEntityName }, [
      ...deps.events(associationChangeEvents(before, after, view.downstreamEntity), now),
      ...recordResponse(view),
    ]);
    return view;
  });

const notAuthorized = (expected: string, actual: string): ApiError =>
  new ApiError('contact_not_authorized', { details: { expected, actual } });

/**
 * A link that signs in a contact of the association. The address must be that of a contact that the caller sees there: the
 * association's own, or the whole agency's. With an agency that others know, the agency must have agreed to the association,
 * and the contact be one that somebody else than a carrier's request vouches for.
 *
 * @throws ApiError `not_found`; `contact_not_authorized` for any other.
 */
export const getAssociationSignInUrl: AssociationOperation<'getAssociationSignInUrl'> = async (
  { identity, params, query, now },
  { associations, contacts, oneTimeLinks },
) => {
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
