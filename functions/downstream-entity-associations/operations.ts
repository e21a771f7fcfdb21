import { listLicenseComplianceStatuses, listPolicyComplianceStatuses } from './compliance-statuses.ts';
import { addAssociation, inviteAssociation } from './create-association.ts';
import { getAssociation } from './get-association.ts';
import { getSignInUrl } from './get-sign-in-url.ts';
import { listAssociations, listAssociationsV1 } from './list-associations.ts';
import { listAppointments, listLicenses, listRegulatoryActions } from './list-registry-records.ts';
import { listTemplates } from './list-templates.ts';
import { syncAssociation } from './sync-association.ts';
import { updateAssociation } from './update-association.ts';

/** The operation of each row of the associations table; v1 and v2 share operations. */
export const downstreamEntityAssociationOperations = {
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
  getAssociationV1: getAssociation,
  updateAssociationV1: updateAssociation,
  addAssociationV1: addAssociation,
  inviteAssociationV1: inviteAssociation,
  syncAssociationV1: syncAssociation,
  listAssociationAppointmentsV1: listAppointments,
  listAssociationLicensesV1: listLicenses,
  listAssociationRegulatoryActionsV1: listRegulatoryActions,
  listAssociationLicenseComplianceStatusesV1: listLicenseComplianceStatuses,
  listAssociationPolicyComplianceStatusesV1: listPolicyComplianceStatuses,
  getAssociationSignInUrlV1: getSignInUrl,
  listContractContainerTemplatesV1: listTemplates,
};
