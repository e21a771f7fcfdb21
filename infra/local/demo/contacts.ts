/** The agency whose people are contacts. */
interface DemoPlaces {
  readonly downstreamEntityId: string;
  /** The carrier's association with the agency; without it all contacts are agency-wide. */
  readonly downstreamEntityAssociationId?: string;
}

/** Contacts of the demo agency that the carrier imports: some agency-wide, some of its association. */
export function demoContacts({
  downstreamEntityId,
  downstreamEntityAssociationId,
}: DemoPlaces): Record<string, unknown>[] {
  const agencyWide = (...businessRoles: string[]) => ({
    downstreamEntityId,
    businessRoles,
    isPrimary: false,
  });
  const ofCarrier = (isPrimary: boolean, ...businessRoles: string[]) =>
    downstreamEntityAssociationId === undefined
      ? agencyWide(...businessRoles)
      : { downstreamEntityId, downstreamEntityAssociationId, businessRoles, isPrimary };
  const people = [
    ['Maria', 'Delgado', true, [ofCarrier(true, 'Principal', 'Compliance')]],
    ['Samuel', 'Whitfield', true, [agencyWide('Accounting')]],
    ['Priya', 'Raman', true, [agencyWide('Licensing', 'Compliance')]],
    ['Thomas', 'Okonkwo', false, [ofCarrier(false, 'Surplus Lines')]],
  ] as const;
  return people.map(([firstName, lastName, isDeliverable, associations]) => ({
    type: 'contact',
    firstName,
    lastName,
    email: `${firstName}.${lastName}@lonestar.example`.toLowerCase(),
    isDeliverable,
    associations,
  }));
}
