import * as z from 'zod/mini';
import {
  carrierAction,
  carrierActionsQuery,
  carrierAppointment,
  carrierAppointmentsQuery,
  carrierLicense,
  carrierLicensesQuery,
  takenBackAction,
  takenBackAppointment,
  takenBackLicense,
} from '#domain/carrier-lists/resource.ts';
import { statusOfParty } from '#domain/compliance/status.ts';
import { complianceConfig, largestConfig } from '#domain/decision/compliance-config.ts';
import { marketIds, npn } from '#domain/identifiers/identifiers.ts';
import {
  appointmentDue,
  bookQuery,
  bookRow,
  bookSummary,
  dueStatus,
  saleRow,
  salesQuery,
  salesSummary,
} from '#domain/policy-compliance/resource.ts';
import { npnLookup } from '#domain/registry/resources.ts';
import { registryDataSubscription } from '#domain/registry-records/resources.ts';
import { receiptSources } from '#domain/sale-checks/receipt.ts';
import {
  answer,
  answeredCheck,
  askedCheck,
  askedProduct,
  jws,
  saleCheck,
} from '#domain/sale-checks/resource.ts';
import { recordedUntilHeaders } from '#platform/contract/list-queries.ts';
import { count, objectId, pageQuery, stateCode } from '#platform/contract/primitives.ts';
import { getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

const getComplianceDataSubscription = getOne(
  '/v2/upstream/compliance-data-subscriptions/{registryDataSubscriptionId}',
  access,
  registryDataSubscription,
);

/** NPNs that a request looks up. */
export const mostNpns = 20;

export const npnList = z.strictObject({
  npns: z.array(npn).check(z.minLength(1), z.maxLength(mostNpns)),
});

const lookUpNpns = {
  method: 'POST',
  path: '/v2/upstream/npn-lookup',
  access,
  body: npnList,
  answer: { status: 200, one: z.array(npnLookup) },
} as const satisfies Route;

const { productId: _id, validFrom, ...requirements } = complianceConfig.shape;

export const newComplianceConfig = z.strictObject({ ...requirements, validFrom: z.optional(validFrom) });

export const proposedStates = z.strictObject(
  z.omit(complianceConfig, { productId: true, productName: true, productCode: true, validFrom: true }).shape,
);

/** A party whose status in a state would be another one. */
export const previewedChange = z.object({
  party: z.enum(['agent', 'agency']),
  agentId: z.nullable(objectId),
  downstreamEntityAssociationId: z.nullable(objectId),
  stateCode,
  before: statusOfParty,
  after: statusOfParty,
  policies: count,
});

export type PreviewedChange = z.output<typeof previewedChange>;

/** A receipt, and whether it is reproduced. */
export const saleReceipt = z.object({
  receiptId: objectId,
  checks: z.array(answeredCheck),
  jws,
  rules: z.int(),
  sources: receiptSources,
  reproduced: z.nullable(z.boolean()),
  reproducedMessage: z.optional(z.string()),
});

const listPolicyComplianceStatuses = {
  ...listAll('/v2/upstream/policy-compliance-statuses', access, bookRow),
  query: bookQuery,
} as const satisfies Route;

/** Query for agents of an association who may sell a product in a state on a day. */
const sellersQuery = z.object({
  downstreamEntityAssociationId: objectId,
  productId: z.optional(objectId),
  productCode: askedProduct.shape.productCode,
  stateCode,
  date: askedCheck.shape.date,
  answer: z.optional(answer),
});

const listPolicySales = {
  ...listAll('/v2/upstream/policy-sales', access, saleRow),
  query: salesQuery,
} as const satisfies Route;

export const complianceRoutes = routeGroup(
  'compliance',
  {
    getComplianceDataSubscription,
    getComplianceDataSubscriptionV1: v1(getComplianceDataSubscription),
    listComplianceDataSubscriptions: {
      ...listAll('/v2/upstream/compliance-data-subscriptions', access, registryDataSubscription),
      query: z.object({ npn: z.optional(npn) }),
    },
    lookUpNpns,
    lookUpNpnsV1: v1(lookUpNpns),
    listComplianceConfigs: listAll('/v2/upstream/compliance-configs', access, complianceConfig),
    replaceComplianceConfig: {
      method: 'PUT',
      path: '/v2/upstream/compliance-configs/{productId}',
      access,
      body: newComplianceConfig,
      largestBody: largestConfig,
      answer: { status: 200, one: complianceConfig },
      errors: ['transient_transaction_error'],
    },
    previewComplianceConfig: {
      method: 'POST',
      path: '/v2/upstream/compliance-configs/{productId}/preview',
      access,
      takesUnknownIds: true,
      body: proposedStates,
      largestBody: largestConfig,
      answer: { status: 200, all: previewedChange },
    },
    getSaleReceipt: getOne('/v2/upstream/sale-checks/{receiptId}', access, saleReceipt),
    listSellers: { ...listAll('/v2/upstream/sellers', access, saleCheck), query: sellersQuery },
    listAgencySellers: {
      method: 'GET',
      path: '/v2/downstream/sellers',
      access: { kind: 'downstream', feature: 'producers' },
      query: z.object({
        ...pageQuery.shape,
        ...marketIds.shape,
        productId: objectId,
        stateCode,
      }),
      answer: { status: 200, page: saleCheck, as: 'items' },
      errors: ['not_found'],
    },
    listPolicyComplianceStatuses,
    getPolicyComplianceSummary: {
      ...listPolicyComplianceStatuses,
      path: '/v2/upstream/policy-compliance-summary',
      answer: { status: 200, one: bookSummary },
      isLong: true,
    },
    listPolicySales,
    getPolicySalesSummary: {
      ...listPolicySales,
      path: '/v2/upstream/policy-sales-summary',
      answer: { status: 200, one: salesSummary },
      isLong: true,
    },
    listAppointmentsDue: {
      ...listAll('/v2/upstream/appointments-due', access, appointmentDue),
      query: z.object({ dueStatus: z.optional(dueStatus) }),
    },
    listLicenses: {
      ...listAll('/v2/upstream/licenses', access, z.union([carrierLicense, takenBackLicense])),
      query: carrierLicensesQuery,
      followHeaders: recordedUntilHeaders,
    },
    listAppointments: {
      ...listAll('/v2/upstream/appointments', access, z.union([carrierAppointment, takenBackAppointment])),
      query: carrierAppointmentsQuery,
      followHeaders: recordedUntilHeaders,
    },
    listRegulatoryActions: {
      ...listAll('/v2/upstream/regulatory-actions', access, z.union([carrierAction, takenBackAction])),
      query: carrierActionsQuery,
      followHeaders: recordedUntilHeaders,
    },
  },
  { openLists: 10 },
);
