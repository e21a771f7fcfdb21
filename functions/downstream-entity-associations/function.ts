import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { listLicenseComplianceStatuses, listPolicyComplianceStatuses } from './compliance-statuses.ts';
import { addAssociation, inviteAssociation } from './create-association.ts';
import { associationDeps } from './deps.ts';
import { getAssociation, listTemplates } from './get-association.ts';
import { listAssociations, listAssociationsV1 } from './list-associations.ts';
import { listAppointments, listLicenses, listRegulatoryActions } from './list-registry-records.ts';
import { syncAssociation } from './sync-association.ts';
import { getSignInUrl, updateAssociation } from './update-association.ts';
import { uses } from './uses.ts';

/** Serves the routes of a carrier's associations with agencies. */
export const createDownstreamEntityAssociationsFunction = apiFunction({
  uses,
  deps: associationDeps,
  guards: writeGuards,
  operations: {
    listAssociations,
    getAssociation,
    updateAssociation,
    addAssociation,
    inviteAssociation,
    syncAssociation,
    listAssociationAppointments: listAppointments,
    listAssociationLicenses: listLicenses,
    listAssociationRegulatoryActions: listRegulatoryActions,
    listAssociationLicenseComplianceStatuses: listLicenseComplianceStatuses,
    listAssociationPolicyComplianceStatuses: listPolicyComplianceStatuses,
    getAssociationSignInUrl: getSignInUrl,
    listContractContainerTemplates: listTemplates,
    listAssociationsV1,
  },
});
