import * as z from 'zod/mini';
import { described } from '../../shared/contract/described.ts';
import { objectId, pageQuery, stateCode } from '../../shared/contract/primitives.ts';
import { routeGroup } from '../../shared/contract/route.ts';
import { actionRequired } from '../../shared/resources/action-required.ts';
import { agencyComplianceConfig } from '../../shared/resources/agency-compliance-config.ts';
import { agencyEntity } from '../../shared/resources/agency-entity.ts';
import { agencyProducer } from '../../shared/resources/agency-producer.ts';
import { appointment } from '../../shared/resources/appointment.ts';
import { corporateRegistration } from '../../shared/resources/corporate-registration.ts';
import { license } from '../../shared/resources/license.ts';
import { licenseCounts, stateLicenseOverview } from '../../shared/resources/license-overview.ts';
import { licenseRequest, licenseRequestFields } from '../../shared/resources/license-request.ts';
import { market } from '../../shared/resources/market.ts';
import { npn } from '../../shared/resources/npn.ts';

const producers = { kind: 'downstream', feature: 'producers' } as const;
const markets = { kind: 'downstream', feature: 'markets' } as const;
const licensing = { kind: 'downstream', feature: 'licensing' } as const;

/** The query of every agency list. */
const agencyQuery = {
  ...pageQuery,
  downstreamEntityId: described(
    z.optional(objectId),
    DOCUMENTED && {
      description: 'Only records of this entity; 404 for an entity outside the organization.',
    },
  ),
};

/** Filters of registry records; they combine. */
const registryFilters = {
  stateCode: z.optional(stateCode),
  status: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(100)),
      DOCUMENTED && { description: 'Exact status, as returned.', examples: ['active'] },
    ),
  ),
};

const ofItsNpn =
  'The records of an entity are those of its NPN; its producers have their own, and an entity without an NPN has none. These are the agency’s own records: what a carrier holds of the agency is not shown.';

const { type, licenseNumber, linesOfAuthority, notes } = licenseRequestFields;

const newLicenseRequest = described(
  z.strictObject({
    downstreamEntityId: objectId,
    type,
    stateCode,
    npn: z.optional(npn),
    licenseNumber: z.optional(licenseNumber),
    linesOfAuthority: z.optional(linesOfAuthority),
    notes: z.optional(notes),
  }),
  DOCUMENTED && {
    id: 'NewLicenseRequest',
    description: 'A license to obtain or renew, and for whom.',
    examples: [
      {
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        type: 'new',
        stateCode: 'OK',
        npn: '17654321',
        linesOfAuthority: ['16'],
        notes: 'Needed before the binding date of April 1.',
      },
    ],
  },
);

/** The agency's routes other than filings, documents and contacts. */
export const agencyRoutes = routeGroup(
  'agency',
  DOCUMENTED &&
    'An agency’s own view: entities, producers, markets, licenses, requests, and actions required.',
  {
    listActionsRequired: {
      method: 'GET',
      path: '/v2/downstream/actions-required',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'List actions required',
      description:
        DOCUMENTED &&
        'One action for each filing with an escalation that waits for the organization, each active license that expires within 60 days or has expired, and each active market and state where the entity is licensed and lacks an appointment that the carrier requires. By due date, those without one last, then by id. Derived from the records at the time of the request. The licenses of an entity are those of its NPN.',
      query: agencyQuery,
      answer: { status: 200, page: actionRequired, as: 'items' },
      errors: ['not_found'],
    },
    listAgencyAppointments: {
      method: 'GET',
      path: '/v2/downstream/appointments',
      access: markets,
      rate: 'none',
      summary: DOCUMENTED && 'List appointments',
      description:
        DOCUMENTED &&
        `Appointments of the organization’s entities and producers, by state, carrier, NPN, and record id. Filters combine. ${ofItsNpn}`,
      query: { ...agencyQuery, ...registryFilters },
      answer: { status: 200, page: appointment, as: 'items' },
      errors: ['not_found'],
    },
    listMarketComplianceConfigs: {
      method: 'GET',
      path: '/v2/downstream/compliance-configs',
      access: markets,
      rate: 'none',
      summary: DOCUMENTED && 'List the compliance configs of markets',
      description:
        DOCUMENTED &&
        'What the carriers of the organization’s markets require for each product, by carrier, market, and product. Markets that are inactive, or whose carrier is not on the platform, have none.',
      query: agencyQuery,
      answer: { status: 200, page: agencyComplianceConfig, as: 'items' },
      errors: ['not_found'],
    },
    listCorporateRegistrations: {
      method: 'GET',
      path: '/v2/downstream/corporate-registrations',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'List corporate registrations',
      description:
        DOCUMENTED &&
        'Registrations of the organization’s entities with states, by state and id. They are recorded by operators.',
      query: agencyQuery,
      answer: { status: 200, page: corporateRegistration, as: 'items' },
      errors: ['not_found'],
    },
    listEntities: {
      method: 'GET',
      path: '/v2/downstream/entities',
      access: producers,
      rate: 'none',
      summary: DOCUMENTED && 'List entities',
      description: DOCUMENTED && 'Agencies and branches of the organization, by legal name, then id.',
      query: agencyQuery,
      answer: { status: 200, page: agencyEntity, as: 'items' },
      errors: ['not_found'],
    },
    getEntity: {
      method: 'GET',
      path: '/v2/downstream/entities/{downstreamEntityId}',
      access: producers,
      rate: 'none',
      summary: DOCUMENTED && 'Get an entity',
      description: DOCUMENTED && 'One of the organization’s own entities.',
      answer: { status: 200, one: agencyEntity },
      errors: [],
    },
    getLicenseOverview: {
      method: 'GET',
      path: '/v2/downstream/license-overview',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'Summarize licenses by state',
      description:
        DOCUMENTED &&
        `One row for each state with a license, by state code. \`counts\` covers all states, not only those of the page. Dates are calendar dates in America/New_York.

A license that the registry does not call active is \`inactive\`. An active one is \`expired\` once its renewal date has passed, and \`expiring\` from 60 days before. A state has the most urgent status of its licenses.

${ofItsNpn}`,
      query: agencyQuery,
      answer: { status: 200, page: stateLicenseOverview, as: 'items', with: { counts: licenseCounts } },
      errors: ['not_found'],
    },
    listAgencyLicenses: {
      method: 'GET',
      path: '/v2/downstream/licenses',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'List licenses',
      description:
        DOCUMENTED &&
        `Licenses of the organization’s entities and producers, by renewal date, state, status, NPN, and record id. Filters combine. ${ofItsNpn}`,
      query: { ...agencyQuery, ...registryFilters },
      answer: { status: 200, page: license, as: 'items' },
      errors: ['not_found'],
    },
    listLicenseRequests: {
      method: 'GET',
      path: '/v2/downstream/license-requests',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'List license requests',
      description: DOCUMENTED && 'The organization’s license requests, oldest first.',
      query: agencyQuery,
      answer: { status: 200, page: licenseRequest, as: 'items' },
      errors: ['not_found'],
    },
    createLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests',
      access: licensing,
      rate: 'write',
      summary: DOCUMENTED && 'Request a license',
      description:
        DOCUMENTED &&
        'Asks the service to obtain or renew a license. `npn` must be the entity’s, which is the default, or that of one of its producers. A renewal names a license that the organization holds for that NPN in that state; a new license has no number yet. There is one open request for an NPN, state, and license; another is 409. The service moves a request from `submitted` through `in review` to `approved` or `rejected`.',
      body: newLicenseRequest,
      answer: { status: 201, one: licenseRequest },
      errors: ['not_found', 'transient_transaction_error'],
    },
    getLicenseRequest: {
      method: 'GET',
      path: '/v2/downstream/license-requests/{licenseRequestId}',
      access: licensing,
      rate: 'none',
      summary: DOCUMENTED && 'Get a license request',
      description: DOCUMENTED && 'One license request with its status history.',
      answer: { status: 200, one: licenseRequest },
      errors: [],
    },
    cancelLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests/{licenseRequestId}/cancel',
      access: licensing,
      rate: 'write',
      summary: DOCUMENTED && 'Cancel a license request',
      description:
        DOCUMENTED &&
        'Cancels a request that is `submitted` or `in review`. Once it is decided or canceled, the answer is 409.',
      answer: { status: 200, one: licenseRequest },
      errors: ['transient_transaction_error'],
    },
    listMarkets: {
      method: 'GET',
      path: '/v2/downstream/markets',
      access: markets,
      rate: 'none',
      summary: DOCUMENTED && 'List markets',
      description:
        DOCUMENTED &&
        'Carriers that the organization’s entities work with, by name, then id. A market of a carrier on the platform is the carrier’s association; one of a carrier that is not is recorded by operators.',
      query: agencyQuery,
      answer: { status: 200, page: market, as: 'items' },
      errors: ['not_found'],
    },
    listProducers: {
      method: 'GET',
      path: '/v2/downstream/producers',
      access: producers,
      rate: 'none',
      summary: DOCUMENTED && 'List producers',
      description: DOCUMENTED && 'Producers of the organization, by last name, first name, and id.',
      query: agencyQuery,
      answer: { status: 200, page: agencyProducer, as: 'items' },
      errors: ['not_found'],
    },
  },
);
