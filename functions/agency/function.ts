import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { agencyDeps } from './deps.ts';
import * as licenseRequests from './license-requests.ts';
import * as actionsRequired from './list-actions-required.ts';
import * as complianceConfigs from './list-compliance-configs.ts';
import * as licenseOverview from './list-license-overview.ts';
import * as listsByEntity from './lists-by-entity.ts';
import { uses } from './uses.ts';

/** Serves the routes of an agency's own records. */
export const createAgencyFunction = apiFunction({
  uses,
  deps: agencyDeps,
  guards: writeGuards,
  operations: {
    ...actionsRequired,
    ...complianceConfigs,
    ...listsByEntity,
    ...licenseOverview,
    ...licenseRequests,
  },
});
