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
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { stateCode } from '../../shared/platform/contract/primitives.ts';
import { routeGroup } from '../../shared/platform/contract/route.ts';

const producers = { kind: 'downstream', feature: 'producers' } as const;
const markets = { kind: 'downstream', feature: 'markets' } as const;
const licensing = { kind: 'downstream', feature: 'licensing' } as const;

/** Filters of registry records; they combine. */
const registryFilters = lazily(() =>
  describedShape(
    {
      stateCode: z.optional(stateCode),
      status: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    },
    DOCUMENTED && {
      stateCode: 'State of the record; only its records are returned.',
      status: { description: 'Status of the record, exactly as returned.', examples: ['active'] },
    },
  ),
);

const ofItsNpn =
  'The records of an entity are those with its NPN; its producers have their own, and an entity without an NPN has none. These are the agency’s own records: those that carriers have about the agency are not shown.';

const newLicenseRequest = described(
  lazyStrictObject(() => {
    const { npn, licenseNumber, linesOfAuthority, notes, ...required } = licenseRequestFields();
    return describedShape(
      {
        ...required,
        npn: z.optional(npn),
        licenseNumber: z.optional(licenseNumber),
        linesOfAuthority: z.optional(linesOfAuthority),
        notes: z.optional(notes),
      },
      DOCUMENTED && {
        npn: 'NPN that the license is for: the entity’s, which is the default, or that of one of its producers.',
        licenseNumber: 'Number of the license to renew; leave it out for a new license.',
        linesOfAuthority:
          'Codes of the lines of authority that the license should have, as the registry reports them; none by default.',
        notes: 'What else the service should know, in one or more lines.',
      },
    );
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

const overallCounts = described(
  licenseCounts,
  DOCUMENTED && { description: 'Number of licenses by status in all states, not only those on the page.' },
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
      summary: DOCUMENTED && 'List actions required',
      description:
        DOCUMENTED &&
        'Returns one action for each filing with an escalation that waits for the organization, for each license that expires within 60 days or has expired and that the registry reports as active or expired, and for each active market and state where the entity is licensed but lacks an appointment that the carrier requires. Only appointments by the market’s carrier count, or, for a product with `carrierNaicCodes`, by one of those insurers; every line of authority that the product requires needs one. Actions are ordered by due date, those without one last, then by id. They are derived from the records at the time of the request. The licenses of an entity are those with its NPN.',
      success: DOCUMENTED && 'The actions on this page, those due soonest first.',
      query: agencyListQuery,
      answer: { status: 200, page: actionRequired, as: 'items' },
      errors: ['not_found'],
    },
    listAgencyAppointments: {
      method: 'GET',
      path: '/v2/downstream/appointments',
      access: markets,
      summary: DOCUMENTED && 'List appointments',
      description:
        DOCUMENTED &&
        `Returns the appointments of the organization’s entities and producers, ordered by state, carrier, NPN, and record id. Filters can be combined. ${ofItsNpn}`,
      success: DOCUMENTED && 'The appointments on this page.',
      query: lazily(() => ({ ...agencyListQuery(), ...registryFilters() })),
      answer: { status: 200, page: appointment, as: 'items' },
      errors: ['not_found'],
    },
    listMarketComplianceConfigs: {
      method: 'GET',
      path: '/v2/downstream/compliance-configs',
      access: markets,
      summary: DOCUMENTED && 'List the compliance configs of markets',
      description:
        DOCUMENTED &&
        'Returns what the carriers of the organization’s markets require for each product, ordered by carrier, market, and product. Markets that are inactive, or whose carrier is not on the platform, have no compliance configs.',
      success: DOCUMENTED && 'The compliance configs on this page, one for each market and product.',
      query: agencyListQuery,
      answer: { status: 200, page: agencyComplianceConfig, as: 'items' },
      errors: ['not_found'],
    },
    listCorporateRegistrations: {
      method: 'GET',
      path: '/v2/downstream/corporate-registrations',
      access: licensing,
      summary: DOCUMENTED && 'List corporate registrations',
      description:
        DOCUMENTED &&
        'Returns the registrations of the organization’s entities with states, ordered by state and id. Operators record them.',
      success: DOCUMENTED && 'The corporate registrations on this page.',
      query: agencyListQuery,
      answer: { status: 200, page: corporateRegistration, as: 'items' },
      errors: ['not_found'],
    },
    listEntities: {
      method: 'GET',
      path: '/v2/downstream/entities',
      access: producers,
      summary: DOCUMENTED && 'List entities',
      description:
        DOCUMENTED &&
        'Returns the agencies and branches of the organization, ordered by legal name, then id.',
      success: DOCUMENTED && 'The entities on this page.',
      query: agencyListQuery,
      answer: { status: 200, page: agencyEntity, as: 'items' },
      errors: ['not_found'],
    },
    getEntity: {
      method: 'GET',
      path: '/v2/downstream/entities/{downstreamEntityId}',
      access: producers,
      summary: DOCUMENTED && 'Get an entity',
      description: DOCUMENTED && 'Returns one of the organization’s entities.',
      success: DOCUMENTED && 'The entity as it is now.',
      answer: { status: 200, one: agencyEntity },
    },
    getLicenseOverview: {
      method: 'GET',
      path: '/v2/downstream/license-overview',
      access: licensing,
      summary: DOCUMENTED && 'Summarize licenses by state',
      description:
        DOCUMENTED &&
        `Returns one row for each state with a license, ordered by state code. \`counts\` covers all states, not only those on the page. Dates are calendar dates in America/New_York.

A license counts once, with its last term: the one that ends last. It ends on the earlier of its \`nextRenewalDate\` and \`expirationDate\`, and is \`expired\` once that day has passed, however the registry reports it. Until then it is \`inactive\` if no term of it is in force: if the registry does not report it as active, in any case, or it has not begun. One that is in force is \`expiring\` from 60 days before its end. A state has the most urgent status of its licenses.

${ofItsNpn}`,
      success: DOCUMENTED && 'The states on this page, with the totals of all states in `counts`.',
      query: agencyListQuery,
      answer: { status: 200, page: stateLicenseOverview, as: 'items', with: { counts: overallCounts } },
      errors: ['not_found'],
    },
    listAgencyLicenses: {
      method: 'GET',
      path: '/v2/downstream/licenses',
      access: licensing,
      summary: DOCUMENTED && 'List licenses',
      description:
        DOCUMENTED &&
        `Returns the licenses of the organization’s entities and producers, ordered by renewal date, state, status, NPN, and record id. Filters can be combined. ${ofItsNpn}`,
      success: DOCUMENTED && 'The licenses on this page.',
      query: lazily(() => ({ ...agencyListQuery(), ...registryFilters() })),
      answer: { status: 200, page: license, as: 'items' },
      errors: ['not_found'],
    },
    listLicenseRequests: {
      method: 'GET',
      path: '/v2/downstream/license-requests',
      access: licensing,
      summary: DOCUMENTED && 'List license requests',
      description: DOCUMENTED && 'Returns the organization’s license requests, oldest first.',
      success: DOCUMENTED && 'The license requests on this page, oldest first.',
      query: agencyListQuery,
      answer: { status: 200, page: licenseRequest, as: 'items' },
      errors: ['not_found'],
    },
    createLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests',
      access: licensing,
      summary: DOCUMENTED && 'Request a license',
      description:
        DOCUMENTED &&
        'Asks the service to obtain or renew a license. `npn` is the entity’s (the default) or that of one of its producers. To renew a license, send the `licenseNumber` of one that the organization has for that NPN in that state; for a new license, omit it. Only one request of an entity for an NPN, state, and license can be open; a second one returns 409. The service moves a request from `submitted` through `in review` to `approved` or `rejected`.',
      success: DOCUMENTED && 'The request was submitted and waits for the service.',
      body: newLicenseRequest,
      answer: { status: 201, one: licenseRequest },
      errors: ['not_found', 'transient_transaction_error'],
    },
    getLicenseRequest: {
      method: 'GET',
      path: '/v2/downstream/license-requests/{licenseRequestId}',
      access: licensing,
      summary: DOCUMENTED && 'Get a license request',
      description: DOCUMENTED && 'Returns one license request with its status history.',
      success: DOCUMENTED && 'The license request with its status history.',
      answer: { status: 200, one: licenseRequest },
    },
    cancelLicenseRequest: {
      method: 'POST',
      path: '/v2/downstream/license-requests/{licenseRequestId}/cancel',
      access: licensing,
      summary: DOCUMENTED && 'Cancel a license request',
      description:
        DOCUMENTED &&
        'Cancels a request that is `submitted` or `in review`. Once it is decided or canceled, the response is 409.',
      success: DOCUMENTED && 'The request was canceled; its status history says when.',
      answer: { status: 200, one: licenseRequest },
      errors: ['transient_transaction_error'],
    },
    listMarkets: {
      method: 'GET',
      path: '/v2/downstream/markets',
      access: markets,
      summary: DOCUMENTED && 'List markets',
      description:
        DOCUMENTED &&
        'Returns the carriers that the organization’s entities work with, ordered by name, then id. If the carrier is on the platform, the market is its association with the entity; otherwise, an operator has recorded the market.',
      success: DOCUMENTED && 'The markets on this page.',
      query: agencyListQuery,
      answer: { status: 200, page: market, as: 'items' },
      errors: ['not_found'],
    },
    listProducers: {
      method: 'GET',
      path: '/v2/downstream/producers',
      access: producers,
      summary: DOCUMENTED && 'List producers',
      description:
        DOCUMENTED && 'Returns the producers of the organization, ordered by last name, first name, and id.',
      success: DOCUMENTED && 'The producers on this page.',
      query: agencyListQuery,
      answer: { status: 200, page: agencyProducer, as: 'items' },
      errors: ['not_found'],
    },
  },
);
