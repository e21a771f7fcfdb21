import * as z from 'zod/mini';
import { agencyProducer } from '#domain/agents/resource.ts';
import { market } from '#domain/associations/resource.ts';
import { complianceConfig } from '#domain/decision/compliance-config.ts';
import { agencyEntity } from '#domain/downstream-entities/resource.ts';
import { actionRequired, actionType } from '#domain/filings/resource.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { corporateRegistration, licenseRequest, licenseRequestFields } from '#domain/licensing/requests.ts';
import { heldAppointment, heldLicense, registryFilters } from '#domain/registry/resources.ts';
import { licenseCounts, stateLicenseOverview } from '#domain/registry-records/resources.ts';
import { agencyList, agencyListQuery, getOne, routeGroup } from '#platform/contract/route.ts';

const producers = { kind: 'downstream', feature: 'producers' } as const;
const markets = { kind: 'downstream', feature: 'markets' } as const;
const licensing = { kind: 'downstream', feature: 'licensing' } as const;

/** Filters of actions; they combine. */
export const actionFilters = z.object({
  type: z.optional(actionType),
  dueBefore: z.optional(z.iso.date()),
});

/** Filters of licenses alone. */
export const licenseFilters = z.object({
  npn: z.optional(npn),
  expiresBefore: z.optional(z.iso.date()),
});

/** Requirements of a product of one of an agency's markets, by state. */
export const agencyComplianceConfig = z.object({
  ...z.pick(market, {
    upstreamDownstreamAssociationId: true,
    downstreamEntityId: true,
    upstreamEntityName: true,
  }).shape,
  ...complianceConfig.shape,
});

export const newLicenseRequest = z.strictObject(
  z.partial(licenseRequestFields, { npn: true, licenseNumber: true, linesOfAuthority: true, notes: true })
    .shape,
);

/** The agency's routes other than filings, documents and contacts. */
export const agencyRoutes = routeGroup('agency', {
  listAgencyActionsRequired: {
    ...agencyList('/v2/downstream/actions-required', licensing, actionRequired),
    query: z.object({ ...agencyListQuery.shape, ...actionFilters.shape }),
  },
  listAgencyAppointments: {
    ...agencyList('/v2/downstream/appointments', markets, heldAppointment),
    query: z.object({ ...agencyListQuery.shape, ...registryFilters.shape }),
  },
  listAgencyComplianceConfigs: agencyList(
    '/v2/downstream/compliance-configs',
    markets,
    agencyComplianceConfig,
  ),
  listAgencyCorporateRegistrations: agencyList(
    '/v2/downstream/corporate-registrations',
    licensing,
    corporateRegistration,
  ),
  listAgencyEntities: agencyList('/v2/downstream/entities', producers, agencyEntity),
  getAgencyEntity: getOne('/v2/downstream/entities/{downstreamEntityId}', producers, agencyEntity),
  listAgencyLicenseOverview: {
    method: 'GET',
    path: '/v2/downstream/license-overview',
    access: licensing,
    query: agencyListQuery,
    answer: { status: 200, page: stateLicenseOverview, as: 'items', with: { counts: licenseCounts } },
    errors: ['not_found'],
  },
  listAgencyLicenses: {
    ...agencyList('/v2/downstream/licenses', licensing, heldLicense),
    query: z.object({ ...agencyListQuery.shape, ...registryFilters.shape, ...licenseFilters.shape }),
  },
  listAgencyLicenseRequests: agencyList('/v2/downstream/license-requests', licensing, licenseRequest),
  createAgencyLicenseRequest: {
    method: 'POST',
    path: '/v2/downstream/license-requests',
    access: licensing,
    body: newLicenseRequest,
    answer: { status: 201, one: licenseRequest },
    errors: ['not_found', 'transient_transaction_error'],
  },
  getAgencyLicenseRequest: getOne(
    '/v2/downstream/license-requests/{licenseRequestId}',
    licensing,
    licenseRequest,
  ),
  cancelAgencyLicenseRequest: {
    method: 'POST',
    path: '/v2/downstream/license-requests/{licenseRequestId}/cancel',
    access: licensing,
    answer: { status: 200, one: licenseRequest },
    errors: ['transient_transaction_error'],
  },
  listAgencyMarkets: agencyList('/v2/downstream/markets', markets, market),
  listAgencyProducers: agencyList('/v2/downstream/producers', producers, agencyProducer),
});
