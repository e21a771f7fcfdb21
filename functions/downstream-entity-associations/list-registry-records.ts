import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { appointmentsOf, licensesOf } from '../../shared/domain/compliance/records-of-day.ts';
import type { AssociationOperation } from './function.ts';
import { ownAssociation } from './get-association.ts';

/**
 * The caller's registry records of an association's agency: two reads in sequence, since the association has the agency's
 * NPN. An agency without an NPN has none.
 */
async function* recordsOf<Page>(
  owner: string,
  associationId: string,
  associations: AssociationStore,
  read: (npn: string) => AsyncIterable<Page[]>,
): AsyncGenerator<Page[]> {
  const { agency } = await ownAssociation(associations, owner, associationId);
  if (agency.npn !== null) yield* read(agency.npn);
}

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationAppointments: AssociationOperation<'listAssociationAppointments'> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    appointmentsOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationLicenses: AssociationOperation<'listAssociationLicenses'> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    licensesOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listAssociationRegulatoryActions: AssociationOperation<'listAssociationRegulatoryActions'> = (
  { identity: { organizationId }, params },
  { associations, registryRecords },
) =>
  recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    registryRecords.regulatoryActionsOf(organizationId, npn),
  );
