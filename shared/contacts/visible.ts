import type { Contact } from '../resources/contact.ts';
import type { ContactScope, StoredContact } from './stored.ts';

/** A carrier's associations by the entities that they are with. */
export type AssociationsByEntity = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The scopes that a carrier sees: those of its own associations, and the agency-wide ones of entities with which it has
 * one (OpenAPI, "listContacts"). Never another carrier's.
 */
export const visibleToCarrier = (
  { scopes }: Pick<StoredContact, 'scopes'>,
  associations: AssociationsByEntity,
): ContactScope[] =>
  scopes.filter(({ downstreamEntityId, downstreamEntityAssociationId }) => {
    const own = associations.get(downstreamEntityId);
    if (own === undefined || own.size === 0) return false;
    return downstreamEntityAssociationId === undefined || own.has(downstreamEntityAssociationId);
  });

/** The scopes that an agency sees: those at its own entities, for any market. */
export const visibleToAgency = (
  { scopes }: Pick<StoredContact, 'scopes'>,
  organizationId: string,
): ContactScope[] =>
  scopes.filter(({ downstreamOrganizationId }) => downstreamOrganizationId === organizationId);

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
  associations: scopes.map(({ downstreamOrganizationId: _, ...association }) => association),
});
