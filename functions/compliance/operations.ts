import { listComplianceConfigs, replaceComplianceConfig } from './compliance-configs.ts';
import { lookUpNpns } from './look-up-npns.ts';
import { getComplianceDataSubscription, listComplianceDataSubscriptions } from './subscriptions.ts';

/** What each row of the compliance table does; twins share an operation. */
export const complianceOperations = {
  getComplianceDataSubscription,
  getComplianceDataSubscriptionV1: getComplianceDataSubscription,
  listComplianceDataSubscriptions,
  lookUpNpns,
  lookUpNpnsV1: lookUpNpns,
  listComplianceConfigs,
  replaceComplianceConfig,
};
