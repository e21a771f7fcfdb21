import { associationChangeEvents } from '../../shared/domain/associations/events.ts';
import { associationViews } from '../../shared/domain/associations/view.ts';
import { signInContact } from '../../shared/domain/link-redemption/sign-in-contact.ts';
import { ApiError, existing } from '../../shared/platform/contract/errors.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import type { AssociationOperation } from './function.ts';
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

/**
 * A link that signs in a contact of the association (`signInContact`).
 *
 * @throws ApiError `not_found`; `contact_not_authorized` for an address that is not that of such a contact.
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
  const found = await signInContact(association, query.email, { associations, contacts });
  if ('refusal' in found) throw new ApiError('contact_not_authorized', { details: found.refusal });
  const { contactId, email } = found.contact;
  return oneTimeLinks.signIn({ downstreamEntityAssociationId, contactId, email }, now);
};
