import * as z from 'zod/mini';
import {
  carrierNaicCodes,
  complianceConfig,
  productCode,
  productName,
  requiredStates,
  validFrom,
} from '../../shared/domain/compliance/resource.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { npnLookup } from '../../shared/domain/registry/npn-lookup.ts';
import { registryDataSubscription } from '../../shared/domain/registry-records/registry-data-subscription.ts';
import { fields, strictObject } from '../../shared/platform/contract/object.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';
import {
  getPolicyComplianceSummary,
  listAppointmentsDue,
  listPolicyComplianceStatuses,
} from './book-routes.ts';
import { previewComplianceConfig } from './preview-routes.ts';
import { listRegistryChanges } from './registry-changes-routes.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

const getComplianceDataSubscription = {
  method: 'GET',
  path: '/v2/upstream/compliance-data-subscriptions/{registryDataSubscriptionId}',
  access,
  answer: { status: 200, one: registryDataSubscription },
} as const satisfies Route;

export const npnList = strictObject(() => ({ npns: z.array(npn).check(z.minLength(1), z.maxLength(20)) }));

export const npnLookups = z.array(npnLookup);

const lookUpNpns = {
  method: 'POST',
  path: '/v2/upstream/npn-lookup',
  access,
  body: npnList,
  answer: { status: 200, one: npnLookups },
} as const satisfies Route;

export const newComplianceConfig = strictObject(() => ({
  productName,
  productCode,
  carrierNaicCodes,
  states: requiredStates(),
  validFrom: z.optional(validFrom),
}));

export const complianceRoutes = routeGroup('compliance', {
  getComplianceDataSubscription,
  getComplianceDataSubscriptionV1: v1(getComplianceDataSubscription),
  listComplianceDataSubscriptions: {
    method: 'GET',
    path: '/v2/upstream/compliance-data-subscriptions',
    access,
    query: fields(() => ({ npn: z.optional(npn) })),
    answer: { status: 200, all: registryDataSubscription },
  },
  lookUpNpns,
  lookUpNpnsV1: v1(lookUpNpns),
  listComplianceConfigs: {
    method: 'GET',
    path: '/v2/upstream/compliance-configs',
    access,
    answer: { status: 200, all: complianceConfig },
  },
  replaceComplianceConfig: {
    method: 'PUT',
    path: '/v2/upstream/compliance-configs/{productId}',
    access,
    body: newComplianceConfig,
    answer: { status: 200, one: complianceConfig },
    errors: ['transient_transaction_error'],
  },
  previewComplianceConfig,
  listPolicyComplianceStatuses,
  getPolicyComplianceSummary,
  listAppointmentsDue,
  listRegistryChanges,
});
