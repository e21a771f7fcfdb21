import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { agencyDeps } from './deps.ts';
import { getLicenseOverview } from './get-license-overview.ts';
import { cancelLicenseRequest, createLicenseRequest, getLicenseRequest } from './license-requests.ts';
import { listActionsRequired } from './list-actions-required.ts';
import { listMarketComplianceConfigs } from './list-market-compliance-configs.ts';
import {
  getEntity,
  listAgencyAppointments,
  listAgencyLicenses,
  listCorporateRegistrations,
  listEntities,
  listLicenseRequests,
  listMarkets,
  listProducers,
} from './lists-by-entity.ts';
import { uses } from './uses.ts';

/** Serves the routes of an agency's own records. */
export const createAgencyFunction = apiFunction({
  uses,
  deps: agencyDeps,
  guards: writeGuards,
  operations: {
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
  },
});
