import { marketDocs } from '#domain/associations/docs.ts';
import { complianceConfigDocs } from '#domain/compliance/docs.ts';
import { expiringWindowDays } from '#domain/decision/renewal.ts';
import { actionTypeDocs } from '#domain/filings/docs.ts';
import { licenseRequestFieldsDocs } from '#domain/licensing/docs.ts';
import { registryFiltersDocs } from '#domain/registry/docs.ts';
import { licenseCountsDocs } from '#domain/registry-records/docs.ts';
import { agencyListQueryDocs } from '#platform/contract/docs.ts';
import { as, documented, type FieldDocs, type GroupDocs } from '#platform/contract/documented.ts';
import {
  type actionFilters,
  agencyComplianceConfig,
  type agencyRoutes,
  type licenseFilters,
  newLicenseRequest,
} from './routes.ts';

const actionFiltersDocs = {
  type: as(actionTypeDocs, 'Type of the action; only actions of this type are returned.'),
  dueBefore: [
    'Only actions that are due before this day are returned; those without a due date are left out.',
    '2027-01-31',
  ],
} satisfies FieldDocs<typeof actionFilters>;

const licenseFiltersDocs = {
  npn: 'NPN of the entity or producer; only its licenses are returned.',
  expiresBefore: [
    'Only licenses that end before this day are returned, on the earlier of `nextRenewalDate` and `expirationDate`, whatever their status; those without an end are left out.',
    '2027-01-31',
  ],
} satisfies FieldDocs<typeof licenseFilters>;

documented(agencyComplianceConfig, {
  id: 'MarketComplianceConfig',
  description: 'What a product of a market’s carrier requires of its producers, by state.',
  examples: [
    {
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      upstreamEntityName: 'Beacon Specialty',
      productId: '65f0c1d2e3a4b5c6d7e8f905',
      productName: 'Contractors General Liability',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      validFrom: '2026-04-15',
    },
  ],
  fields: { ...marketDocs.fields, ...complianceConfigDocs.fields },
});

documented(newLicenseRequest, {
  id: 'NewLicenseRequest',
  description: 'A license to obtain or renew, and for whom.',
  examples: [
    {
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      type: 'new',
      stateCode: 'CO',
      npn: '17654321',
      linesOfAuthority: ['16'],
      notes: 'Needed before the binding date of April 1.',
    },
  ],
  fields: {
    ...licenseRequestFieldsDocs,
    npn: 'NPN that the license is for: the entity’s, which is the default, or that of one of its producers.',
    licenseNumber: [
      'Number of the license to renew, which the organization has for that NPN in that state; leave it out for a new license.',
      licenseRequestFieldsDocs.licenseNumber[1],
    ],
    linesOfAuthority: {
      description:
        'Codes of the lines of authority that the license should have, as the registry reports them; none by default.',
      uniqueItems: true,
      examples: [licenseRequestFieldsDocs.linesOfAuthority[1]],
    },
  },
});

const ofItsNpn =
  'They are the agency’s own records, of its entities’ NPNs and its producers’; those that carriers have are not shown.';

export const docs = {
  description:
    'An agency’s own view: entities, producers, markets, licenses, requests, and actions required.',
  routes: {
    listAgencyActionsRequired: {
      summary: 'List actions required',
      description: `Returns one action for each filing with an escalation that waits for the organization, for each license that expires within ${expiringWindowDays} days or has expired and that the registry reports as active or expired, and for each active market and state where the entity is licensed but lacks an appointment that the carrier requires. They are ordered by due date, those without one last, then by id.\n\n\`licenseRequestId\` names the open request for a license; the action stays until the registry shows the renewal.`,
      query: { ...agencyListQueryDocs, ...actionFiltersDocs },
    },
    listAgencyAppointments: {
      summary: 'List appointments',
      description: `Returns the appointments of the organization’s entities and producers, ordered by state, NPN, carrier, and line of authority. ${ofItsNpn}`,
      query: { ...agencyListQueryDocs, ...registryFiltersDocs },
    },
    listAgencyComplianceConfigs: {
      summary: 'List the compliance configs of markets',
      description:
        'Returns what the carriers of the organization’s markets require for each product, ordered by carrier, market, and product. Markets that are inactive, or whose carrier is not on the platform, have no compliance configs.',
      query: agencyListQueryDocs,
    },
    listAgencyCorporateRegistrations: {
      summary: 'List corporate registrations',
      description:
        'Returns the registrations of the organization’s entities with states, ordered by state and id. Operators record them.',
      query: agencyListQueryDocs,
    },
    listAgencyEntities: {
      summary: 'List entities',
      description: 'Returns the agencies and branches of the organization, ordered by legal name, then id.',
      query: agencyListQueryDocs,
    },
    getAgencyEntity: {
      summary: 'Get an entity',
      description: 'Returns one of the organization’s entities.',
    },
    listAgencyLicenseOverview: {
      summary: 'Summarize licenses by state',
      description: `Returns one row for each state with a license, ordered by state code. A license ends on the earlier of its \`nextRenewalDate\` and \`expirationDate\`, and is \`expired\` once that day has passed, however the registry reports it. Until then it is \`inactive\` if it is not in force (see “How compliance is decided”). One that is in force is \`expiring\` from ${expiringWindowDays} days before its end. A state has the most urgent status of its licenses.

${ofItsNpn}`,
      with: {
        counts: as(
          licenseCountsDocs,
          'Number of licenses by status in all states, not only those on the page.',
        ),
      },
      query: agencyListQueryDocs,
    },
    listAgencyLicenses: {
      summary: 'List licenses',
      description: `Returns the licenses of the organization’s entities and producers, ordered by renewal date, state, status, NPN, and record id. ${ofItsNpn}`,
      query: { ...agencyListQueryDocs, ...registryFiltersDocs, ...licenseFiltersDocs },
    },
    listAgencyLicenseRequests: {
      summary: 'List license requests',
      description: 'Returns the organization’s license requests, oldest first.',
      query: agencyListQueryDocs,
    },
    createAgencyLicenseRequest: {
      summary: 'Request a license',
      description:
        'Asks the service to obtain or renew a license.\n\nOnly one request of an entity for an NPN, state, and license can be open; a second one returns 409 with `details.licenseRequestId`. A request for a new license returns 409, too, while one of that NPN is in force in the state that has every line in `linesOfAuthority`, or any license there if it names no line. A request goes from `submitted` through `in review` to `approved` or `rejected`.',
    },
    getAgencyLicenseRequest: {
      summary: 'Get a license request',
      description: 'Returns one license request with its status history.',
    },
    cancelAgencyLicenseRequest: {
      summary: 'Cancel a license request',
      description:
        'Cancels a request that is `submitted` or `in review`. Once it is decided or canceled, the response is 409.',
    },
    listAgencyMarkets: {
      summary: 'List markets',
      description:
        'Returns the carriers that the organization’s entities work with, ordered by name, then id. A market is the carrier’s association with the entity, or, of a carrier that is not on the platform, what an operator recorded.',
      query: agencyListQueryDocs,
    },
    listAgencyProducers: {
      summary: 'List producers',
      description: 'Returns the producers of the organization, ordered by last name, first name, and id.',
      query: agencyListQueryDocs,
    },
  },
} satisfies GroupDocs<typeof agencyRoutes.routes>;
