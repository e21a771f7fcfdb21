import * as z from 'zod/mini';
import { agencyProducer } from '../../shared/domain/agents/agency-producer.ts';
import { market } from '../../shared/domain/associations/market.ts';
import { agencyComplianceConfig } from '../../shared/domain/compliance/agency-compliance-config.ts';
import { agencyEntity } from '../../shared/domain/downstream-entities/agency-entity.ts';
import { actionRequired } from '../../shared/domain/filings/action-required.ts';
import { corporateRegistration } from '../../shared/domain/licensing/corporate-registration.ts';
import { licenseRequest, licenseRequestFields } from '../../shared/domain/licensing/license-request.ts';
import { appointment } from '../../shared/domain/registry-records/appointment.ts';
import { license } from '../../shared/domain/registry-records/license.ts';
import {
  licenseCounts,
  stateLicenseOverview,
} from '../../shared/domain/registry-records/license-overview.ts';
import { agencyListQuery } from '../../shared/platform/contract/agency-list.ts';
import { fields, strictObject } from '../../shared/platform/contract/object.ts';
import { stateCode } from '../../shared/platform/contract/primitives.ts';
import { routeGroup } from '../../shared/platform/contract/route.ts';

const producers = { kind: 'downstream', feature: 'producers' } as const;
const markets = { kind: 'downstream', feature: 'markets' } as const;
const licensing = { kind: 'downstream', feature: 'licensing' } as const;

/** Filters of registry records; they combine. */
export const registryFilters = fields(() => ({
  stateCode: z.optional(stateCode),
  status: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
}));

export const newLicenseRequest = strictObject(() => {
  const { npn, licenseNumber, linesOfAuthority, notes, ...required } = licenseRequestFields.shape;
  return {
    ...required,
    npn: z.optional(npn),
    licenseNumber: z.optional(licenseNumber),
    linesOfAuthority: z.optional(linesOfAuthority),
    notes: z.optional(notes),
  };
});

/** The agency's routes other than filings, documents and contacts. */
export const agencyRoutes = routeGroup('agency', {
  listActionsRequired: {
    method: 'GET',
    path: '/v2/downstream/actions-required',
    access: licensing,
    query: agencyListQuery,
    answer: { status: 200, page: actionRequired, as: 'items' },
    errors: ['not_found'],
  },
  listAgencyAppointments: {
    method: 'GET',
    path: '/v2/downstream/appointments',
    access: markets,
    query: fields(() => ({ ...agencyListQuery.shape, ...registryFilters.shape })),
    answer: { status: 200, page: appointment, as: 'items' },
    errors: ['not_found'],
  },
  listMarketComplianceConfigs: {
    method: 'GET',
    path: '/v2/downstream/compliance-configs',
    access: markets,
    query: agencyListQuery,
    answer: { status: 200, page: agencyComplianceConfig, as: 'items' },
    errors: ['not_found'],
  },
  listCorporateRegistrations: {
    method: 'GET',
    path: '/v2/downstream/corporate-registrations',
    access: licensing,
    query: agencyListQuery,
    answer: { status: 200, page: corporateRegistration, as: 'items' },
    errors: ['not_found'],
  },
  listEntities: {
    method: 'GET',
    path: '/v2/downstream/entities',
    access: producers,
    query: agencyListQuery,
    answer: { status: 200, page: agencyEntity, as: 'items' },
    errors: ['not_found'],
  },
  getEntity: {
    method: 'GET',
    path: '/v2/downstream/entities/{downstreamEntityId}',
    access: producers,
    answer: { status: 200, one: agencyEntity },
  },
  getLicenseOverview: {
    method: 'GET',
    path: '/v2/downstream/license-overview',
    access: licensing,
    query: agencyListQuery,
    answer: { status: 200, page: stateLicenseOverview, as: 'items', with: { counts: licenseCounts } },
    errors: ['not_found'],
  },
  listAgencyLicenses: {
    method: 'GET',
    path: '/v2/downstream/licenses',
    access: licensing,
    query: fields(() => ({ ...agencyListQuery.shape, ...registryFilters.shape })),
    answer: { status: 200, page: license, as: 'items' },
    errors: ['not_found'],
  },
  listLicenseRequests: {
    method: 'GET',
    path: '/v2/downstream/license-requests',
    access: licensing,
    query: agencyListQuery,
    answer: { status: 200, page: licenseRequest, as: 'items' },
    errors: ['not_found'],
  },
  createLicenseRequest: {
    method: 'POST',
    path: '/v2/downstream/license-requests',
    access: licensing,
    body: newLicenseRequest,
    answer: { status: 201, one: licenseRequest },
    errors: ['not_found', 'transient_transaction_error'],
  },
  getLicenseRequest: {
    method: 'GET',
    path: '/v2/downstream/license-requests/{licenseRequestId}',
    access: licensing,
    answer: { status: 200, one: licenseRequest },
  },
  cancelLicenseRequest: {
    method: 'POST',
    path: '/v2/downstream/license-requests/{licenseRequestId}/cancel',
    access: licensing,
    answer: { status: 200, one: licenseRequest },
    errors: ['transient_transaction_error'],
  },
  listMarkets: {
    method: 'GET',
    path: '/v2/downstream/markets',
    access: markets,
    query: agencyListQuery,
    answer: { status: 200, page: market, as: 'items' },
    errors: ['not_found'],
  },
  listProducers: {
    method: 'GET',
    path: '/v2/downstream/producers',
    access: producers,
    query: agencyListQuery,
    answer: { status: 200, page: agencyProducer, as: 'items' },
    errors: ['not_found'],
  },
});
