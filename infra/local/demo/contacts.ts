/** Where the people of the demo agency are contacts. */
interface DemoPlaces {
  readonly downstreamEntityId: string;
  /** The carrier's relationship with the agency; without it everyone is the whole agency's. */
  readonly downstreamEntityAssociationId?: string;
}

/** Contacts of the demo agency, as the carrier imports them: some the whole agency's, some its own. */
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
