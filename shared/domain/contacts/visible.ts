import type { AssociationsOfEntity } from '../associations/stored.ts';
import type { Contact } from './resource.ts';
import type { ContactScope, StoredContact } from './stored.ts';

/** A carrier's associations with one entity; legacy items name none that is invited. */
type Entry = Pick<AssociationsOfEntity, 'associationIds' | 'invitedIds'>;

/** A carrier and its associations by the entities that they are with. */
export interface CarrierReach {
  readonly upstreamEntityId: string;
  readonly associations: ReadonlyMap<string, Entry>;
}

/**
 * The scopes that a carrier sees: those of its own associations, and the agency-wide ones of entities with which it has
 * one (OpenAPI, "listContacts"). Never another carrier's. Through an association that is only invited it sees what it
 * gave itself; where it is the only one that knows the agency, that is everything.
 */
export const visibleToCarrier = (
  { scopes }: { readonly scopes: readonly ContactScope[] },
  { upstreamEntityId, associations }: CarrierReach,
): ContactScope[] =>
  scopes.filter((scope) => {
    const { downstreamEntityId, downstreamEntityAssociationId: id } = scope;
    const entry = associations.get(downstreamEntityId);
    if (entry === undefined || entry.associationIds.size === 0) return false;
    if (id !== undefined && !entry.associationIds.has(id)) return false;
    const isInvited =
      id === undefined ? entry.associationIds.size === entry.invitedIds.size : entry.invitedIds.has(id);
    return !isInvited || isNamedBy(scope, upstreamEntityId);
  });

/** Whether a carrier gave a scope itself. One of before this was kept counts as that of its association's carrier. */
const isNamedBy = (
  { downstreamEntityAssociationId, namedBy, isConfirmed }: ContactScope,
  upstreamEntityId: string,
): boolean =>
  namedBy === undefined && isConfirmed === undefined
    ? downstreamEntityAssociationId !== undefined
    : namedBy === upstreamEntityId;

/** A contact as a caller sees it that sees these scopes. */
export const contactView = (
  { contactId, firstName, lastName, email, isDeliverable }: StoredContact,
  scopes: readonly ContactScope[],
): Contact => ({
  contactId,
  firstName,
  lastName,
  email,
  isDeliverable,
  associations: scopes.map(
    ({ downstreamEntityAssociationId, downstreamEntityId, businessRoles, isPrimary }) => ({
      ...(downstreamEntityAssociationId === undefined ? {} : { downstreamEntityAssociationId }),
      downstreamEntityId,
      businessRoles,
      isPrimary,
    }),
  ),
});
