import { getEntity, listEntities } from './entities.ts';
import { getLicenseOverview } from './get-license-overview.ts';
import { cancelLicenseRequest, createLicenseRequest, getLicenseRequest } from './license-requests.ts';
import { listActionsRequired } from './list-actions-required.ts';
import { listMarketComplianceConfigs } from './list-market-compliance-configs.ts';
import {
  listCorporateRegistrations,
  listLicenseRequests,
  listMarkets,
  listProducers,
} from './lists-by-entity.ts';
import { listAgencyAppointments, listAgencyLicenses } from './registry-records.ts';

/** What each row of the agency table does. */
export const agencyOperations = {
  listActionsRequired,
  listAgencyAppointments,
  listMarketComplianceConfigs,
  listCorporateRegistrations,
  listEntities,
  getEntity,
  getLicenseOverview,
  listAgencyLicenses,
  listLicenseRequests,
  createLicenseRequest,
  getLicenseRequest,
  cancelLicenseRequest,
  listMarkets,
  listProducers,
};
