import type { AssociationsOfEntity } from '../associations/stored.ts';
import type { Contact } from './resource.ts';
import type { ContactScope, StoredContact } from './stored.ts';

/** A carrier's associations with one entity. */
type Entry = Pick<AssociationsOfEntity, 'associationIds' | 'invitedIds'>;

/** A carrier and its associations by the entities that they are with. */
export interface CarrierReach {
  readonly upstreamEntityId: string;
  readonly associations: ReadonlyMap<string, Entry>;
}

/**
 * The scopes that a carrier sees: those of its own associations, and the agency-wide ones of entities with which it has
 * one (OpenAPI, "listContacts"). Never another carrier's. Through an association that is only invited it sees what it
 * gave itself, as it gave it; where it is the only one that knows the agency, that is everything.
 */
export const visibleToCarrier = (
  { scopes }: { readonly scopes: readonly ContactScope[] },
  { upstreamEntityId, associations }: CarrierReach,
): ContactScope[] => {
  const isVisible = (scope: ContactScope): boolean => {
    const { downstreamEntityId, downstreamEntityAssociationId: id } = scope;
    const entry = associations.get(downstreamEntityId);
    if (entry === undefined || entry.associationIds.size === 0) return false;
    if (id !== undefined && !entry.associationIds.has(id)) return false;
    return !isInvited(scope, entry) || isNamedBy(scope, upstreamEntityId);
  };
  return scopes.filter(isVisible).map((scope) => {
    const { givenByCarrier, ...agreedScopes } = scope;
    if (givenByCarrier === undefined) return scope;
    const entry = associations.get(scope.downstreamEntityId);
    const { businessRoles, isPrimary } = givenByCarrier;
    return entry !== undefined && isInvited(scope, entry)
      ? { ...scope, businessRoles, isPrimary }
      : agreedScopes;
  });
};

/** Whether a carrier has a scope's association, or the scope's agency, by invitation alone. */
const isInvited = (
  { downstreamEntityAssociationId: id }: ContactScope,
  { associationIds, invitedIds }: Entry,
): boolean => (id === undefined ? associationIds.size === invitedIds.size : invitedIds.has(id));

/**
 * Whether a carrier gave a scope itself, as it did what was given with an invitation (`givenByCarrier`): only the carrier of an
 * association gets so far.
 */
const isNamedBy = ({ namedBy, givenByCarrier }: ContactScope, upstreamEntityId: string): boolean =>
  namedBy === upstreamEntityId || givenByCarrier !== undefined;

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

/**
 * A contact as a carrier sees it that sees these scopes (`visibleToCarrier`): where they are as it gave them, under the name that
 * it gave.
 */
export function carrierView(contact: StoredContact, scopes: readonly ContactScope[]): Contact {
  const [first] = scopes;
  const isAsGiven = scopes.every(({ givenByCarrier }) => givenByCarrier !== undefined);
  return contactView(isAsGiven ? { ...contact, ...first?.givenByCarrier } : contact, scopes);
}

/**
 * The scopes that an organization sees: those at its agencies, for any market.
 *
 * @param invitedIds markets that are invited: the agency does not see the scopes that came with them.
 */
export const ownScopes = (
  { scopes }: Pick<StoredContact, 'scopes'>,
  organizationId: string,
  invitedIds: ReadonlySet<string>,
): ContactScope[] =>
  scopes.filter(
    ({ downstreamOrganizationId, downstreamEntityAssociationId, isPending }) =>
      downstreamOrganizationId === organizationId &&
      !(isPending === true && invitedIds.has(downstreamEntityAssociationId ?? '')),
  );
