import { getPolicyComplianceSummary, listAppointmentsDue, listPolicyComplianceStatuses } from './book.ts';
import { listComplianceConfigs, replaceComplianceConfig } from './compliance-configs.ts';
import { lookUpNpns } from './look-up-npns.ts';
import { previewConfig } from './preview.ts';
import { listRegistryChanges } from './registry-changes.ts';
import { getComplianceDataSubscription, listComplianceDataSubscriptions } from './subscriptions.ts';

/** The operation of each row of the compliance table; v1 and v2 share operations. */
export const complianceOperations = {
  getComplianceDataSubscription,
  getComplianceDataSubscriptionV1: getComplianceDataSubscription,
  listComplianceDataSubscriptions,
  lookUpNpns,
  lookUpNpnsV1: lookUpNpns,
  listComplianceConfigs,
  replaceComplianceConfig,
  previewComplianceConfig: previewConfig,
  listPolicyComplianceStatuses,
  getPolicyComplianceSummary,
  listAppointmentsDue,
  listRegistryChanges,
};
