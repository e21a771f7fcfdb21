import { type ContactScope, mostScopes, mostScopesOfCarrier, ownerOf, type StoredContact } from './stored.ts';
import { isStorable } from './write.ts';

/** Whether a carrier has as many scopes of a contact at an agency as it may have; those that the agency named are not its own. */
const isCarrierFull = (
  contact: StoredContact | undefined,
  { downstreamEntityId, upstreamEntityId }: ContactScope,
): boolean =>
  upstreamEntityId !== undefined &&
  (contact?.scopes ?? []).filter(
    (scope) =>
      scope.downstreamEntityId === downstreamEntityId &&
      scope.upstreamEntityId === upstreamEntityId &&
      (scope.namedBy ?? upstreamEntityId) === upstreamEntityId,
  ).length >= mostScopesOfCarrier;

/**
 * Whether a carrier's add or invite may make `before` the contact `after`, which has one scope more: the contact may have
 * no more scopes than it can, and without the agency's consent a carrier adds none to a contact that exists.
 */
export const mayName = (
  { before, after }: { readonly before: StoredContact | undefined; readonly after: StoredContact },
  scope: ContactScope,
  isAgreed: boolean,
): boolean =>
  (before === undefined || isAgreed) &&
  after.scopes.length <= mostScopes &&
  !isCarrierFull(before, scope) &&
  isStorable(before, after);

/** The relationship of an agency at which somebody is a contact. */
export interface ContactScopeKey {
  readonly _id: string;
  readonly downstreamEntityId: string;
  readonly downstreamOrganizationId?: string | undefined;
}

/** Whether a contact is one for this relationship with an entity, or for the whole entity. */
export const isContactAt = (
  contact: StoredContact | undefined,
  { _id, downstreamEntityId }: ContactScopeKey,
): contact is StoredContact =>
  contact?.scopes.some(
    (scope) =>
      scope.downstreamEntityId === downstreamEntityId && (scope.downstreamEntityAssociationId ?? _id) === _id,
  ) === true;

/** Whether the agency's side, an import or a redeemed invitation says anywhere at the agency that it has this contact. */
export const isConfirmedAt = (contact: StoredContact, at: ContactScopeKey): boolean =>
  contact.scopes.some((scope) => scope.isConfirmed === true && ownerOf(scope) === ownerOf(at));
