import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { appointmentsOf, licensesOf } from '../../shared/domain/compliance/records-of-day.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

type Routes = typeof downstreamEntityAssociationRoutes.routes;

interface RecordDeps {
  readonly associations: AssociationStore;
  readonly registryRecords: RegistryRecords;
  readonly recordedFacts: RecordedFacts;
}

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
export const listAppointments: Operation<Routes['listAssociationAppointments'], RecordDeps> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    appointmentsOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listLicenses: Operation<Routes['listAssociationLicenses'], RecordDeps> = (
  { identity: { organizationId }, params, query, now },
  { associations, ...records },
) => {
  const moment = momentOf(query, now);
  return recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    licensesOf(organizationId, npn, query, moment, records),
  );
};

/** @throws ApiError `not_found` for an association that is not the caller's. */
export const listRegulatoryActions: Operation<Routes['listAssociationRegulatoryActions'], RecordDeps> = (
  { identity: { organizationId }, params },
  { associations, registryRecords },
) =>
  recordsOf(organizationId, params.downstreamEntityAssociationId, associations, (npn) =>
    registryRecords.regulatoryActionsOf(organizationId, npn),
  );
