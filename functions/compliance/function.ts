import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { getPolicyComplianceSummary, listAppointmentsDue, listPolicyComplianceStatuses } from './book.ts';
import { listComplianceConfigs, replaceComplianceConfig } from './compliance-configs.ts';
import { complianceDeps } from './deps.ts';
import { lookUpNpns } from './look-up-npns.ts';
import { previewConfig } from './preview.ts';
import { listRegistryChanges } from './registry-changes.ts';
import { getComplianceDataSubscription, listComplianceDataSubscriptions } from './subscriptions.ts';
import { uses } from './uses.ts';

/** Serves the routes of compliance configurations and NPN lookups. */
export const createComplianceFunction = apiFunction({
  uses,
  deps: complianceDeps,
  guards: writeGuards,
  operations: {
    getComplianceDataSubscription,
    listComplianceDataSubscriptions,
    lookUpNpns,
    listComplianceConfigs,
    replaceComplianceConfig,
    previewComplianceConfig: previewConfig,
    listPolicyComplianceStatuses,
    getPolicyComplianceSummary,
    listAppointmentsDue,
    listRegistryChanges,
  },
});
