import * as z from 'zod/mini';
import { objectId, pageQuery, stateCode } from '../../shared/contract/primitives.ts';
import { routeGroup } from '../../shared/contract/route.ts';
import { actionRequired } from '../../shared/resources/action-required.ts';
import { agencyComplianceConfig } from '../../shared/resources/agency-compliance-config.ts';
import { agencyEntity } from '../../shared/resources/agency-entity.ts';
import { agencyProducer } from '../../shared/resources/agency-producer.ts';
import { appointment } from '../../shared/resources/appointment.ts';
import { corporateRegistration } from '../../shared/resources/corporate-registration.ts';
import { licence } from '../../shared/resources/licence.ts';
import { licenceCounts, stateLicenceOverview } from '../../shared/resources/license-overview.ts';
import { licenseRequest, licenseRequestFields } from '../../shared/resources/license-request.ts';
import { market } from '../../shared/resources/market.ts';
import { npn } from '../../shared/resources/npn.ts';

const producers = { kind: 'downstream', feature: 'producers' } as const;
const markets = { kind: 'downstream', feature: 'markets' } as const;
const licensing = { kind: 'downstream', feature: 'licensing' } as const;

/** Every list of an agency's (specification, "Limits", agency lists). */
const agencyQuery = {
  ...pageQuery,
  downstreamEntityId: z.optional(objectId).register(z.globalRegistry, {
    description: 'What belongs to that entity; 404 for one outside the organization.',
  }),
};

/** Filters of what the registry says; they combine. */
const registryFilters = {
  stateCode: z.optional(stateCode),
  status: z.optional(
    z
      .string()
      .check(z.minLength(1), z.maxLength(100))
      .register(z.globalRegistry, { description: 'Exact status, as answers show it.', examples: ['active'] }),
  ),
};

const ofItsNpn =
  'An entity’s are those of its NPN: its producers’ have theirs. An entity without an NPN has none.';

const { type, licenseNumber, linesOfAuthority, notes } = licenseRequestFields;

const newLicenseRequest = z
  .strictObject({
    downstreamEntityId: objectId,
    type,
    stateCode,
    npn: z.optional(npn),
    licenseNumber: z.optional(licenseNumber),
    linesOfAuthority: z.optional(linesOfAuthority),
    notes: z.optional(notes),
  })
  .register(z.globalRegistry, {
    id: 'NewLicenseRequest',
    description: 'A licence to obtain or renew, and for whom.',
    examples: [
      {
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        type: 'new',
        stateCode: 'OK',
        npn: '17654321',
        linesOfAuthority: ['16'],
        notes: 'Needed before the binding date of 1 April.',
      },
    ],
  });

/** The agency surface beside filings, documents and contacts (specification, "What the service does"). */
export const agencyRoutes = routeGroup(
  'agency',
  'An agency’s own view: entities, producers, markets, licences, requests and what is left to do.',
  {
    listActionsRequired: {
      method: 'GET',
      path: '/v2/downstream/actions-required',
      access: licensing,
      rate: 'none',
      summary: 'List what is left to do',
      description:
        'Filings on which an escalation waits for the organization, active licences that run out within 60 days or have run out, and appointments that a market’s carrier requires in a state where the entity is licensed and not appointed. By due date, those without one last, then by id. Derived from the records when read. An entity’s licences are those of its NPN.',
      query: agencyQuery,
      answer: { status: 200, page: actionRequired, as: 'items' },
      errors: ['not_found'],
    },
    listAgencyAppointments: {
      method: 'GET',
      path: '/v2/downstream/appointments',
      access: markets,
      rate: 'none',
      summary: 'List appointments',
      description: `Appointments of the organization’s entities and producers, by state, carrier and NPN. Filters combine. ${ofItsNpn}`,
      query: { ...agencyQuery, ...registryFilters },
      answer: { status: 200, page: appointment, as: 'items' },
      errors: ['not_found'],
    },
    listMarketComplianceConfigs: {
      method: 'GET',
      path: '/v2/downstream/compliance-configs',
      access: markets,
      rate: 'none',
      summary: 'List what markets ask',
      description:
        'What the products of the carriers behind the organization’s markets ask of their producers, by carrier, market and product. Markets that are inactive, or whose carrier is not on the platform, have none.',
      query: agencyQuery,
      answer: { status: 200, page: agencyComplianceConfig, as: 'items' },
      errors: ['not_found'],
    },
    listCorporateRegistrations: {
      method: 'GET',
      path: '/v2/downstream/corporate-registrations',
      access: licensing,
      rate: 'none',
      summary: 'List corporate registrations',
      description: 'Registrations of the organization’s entities with states, by state and id.',
      query: agencyQuery,
      answer: { status: 200, page: corporateRegistration, as: 'items' },
      errors: ['not_found'],
    },
    listEntities: {
      method: 'GET',
      path: '/v2/downstream/entities',
      access: producers,
      rate: 'none',
      summary: 'List entities',
      description: 'Agencies and branches of the organization, by legal name and id.',
      query: agencyQuery,
      answer: { status: 200, page: agencyEntity, as: 'items' },
      errors: ['not_found'],
    },
    getEntity: {
      method: 'GET',
      path: '/v2/downstream/entities/{downstreamEntityId}',
      access: producers,
      rate: 'none',
      summary: 'Get an entity',
      description: 'One of the organization’s own entities.',
      answer: { status: 200, one: agencyEntity },
      errors: [],
    },
    getLicenseOverview: {
      method: 'GET',
      path: '/v2/downstream/license-overview',
      access: licensing,
      rate: 'none',
      summary: 'Summarize licences by state',
      description: `One row for each state in which there is a licence, by state code, and the counts of all of them. Dates are calendar dates in America/New_York, and a licence has run out once its renewal date is past, whatever the registry says. ${ofItsNpn}`,
      query: agencyQuery,
      answer: { status: 200, page: stateLicenceOverview, as: 'items', with: { counts: licenceCounts } },
      errors: ['not_found'],
    },
    listAgencyLicenses: {
      method: 'GET',
      path: '/v2/downstream/licenses',
      access: licensing,
      rate: 'none',
      summary: 'List licences',
      description: `Licences of the organization’s entities and producers, the soonest renewal date first, then by state, status and NPN. Filters combine. ${ofItsNpn}`,
      query: { ...agencyQuery, ...registryFilters },
      answer: { status: 200, page: licence, as: 'items' },
      errors: ['not_found'],
    },
    listLicenseRequests: {
      method: 'GET',
      path: '/v2/downstream/license-requests',
      access: licensing,
      rate: 'none',
      summary: 'List licence requests',
      description: 'The organization’s licence requests, oldest first.',
      query: agencyQuery,
      answer: { status: 200, page: licenseRequest, as: 'items' },
      errors: ['not_found'],
    },
    createLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests',
      access: licensing,
      rate: 'write',
      summary: 'Request a licence',
      description:
        'Asks the service to obtain a licence or to renew one. `npn` is the entity’s unless it is given; it must be the entity’s or one of its producers’. A renewal names a licence that the organization holds for that NPN in that state; a new licence has no number yet. While a request for the same licence is open, another one is refused with 409.',
      body: newLicenseRequest,
      answer: { status: 201, one: licenseRequest },
      errors: ['not_found', 'transient_transaction_error'],
    },
    getLicenseRequest: {
      method: 'GET',
      path: '/v2/downstream/license-requests/{licenseRequestId}',
      access: licensing,
      rate: 'none',
      summary: 'Get a licence request',
      description: 'One licence request with the statuses that it took.',
      answer: { status: 200, one: licenseRequest },
      errors: [],
    },
    cancelLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests/{licenseRequestId}/cancel',
      access: licensing,
      rate: 'write',
      summary: 'Cancel a licence request',
      description:
        'Takes back a request that is `submitted` or `in review`; any other is refused with 409, one that is cancelled already too.',
      answer: { status: 200, one: licenseRequest },
      errors: ['transient_transaction_error'],
    },
    listMarkets: {
      method: 'GET',
      path: '/v2/downstream/markets',
      access: markets,
      rate: 'none',
      summary: 'List markets',
      description:
        'Carriers that the organization’s entities work with, on the platform or not, by name and id.',
      query: agencyQuery,
      answer: { status: 200, page: market, as: 'items' },
      errors: ['not_found'],
    },
    listProducers: {
      method: 'GET',
      path: '/v2/downstream/producers',
      access: producers,
      rate: 'none',
      summary: 'List producers',
      description: 'Producers of the organization, by last name, first name and id.',
      query: agencyQuery,
      answer: { status: 200, page: agencyProducer, as: 'items' },
      errors: ['not_found'],
    },
  },
);
