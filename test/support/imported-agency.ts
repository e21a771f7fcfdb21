// An agency and its records for the importing test file, imported by an operator.
import * as z from 'zod/mini';
import { newId } from './filings.ts';
import { agent, license as licenseLine, namedAgency } from './import-lines.ts';
import { call, importRecords, newOrganizations, type Organization } from './local-api.ts';

/** The agency whose records the tests read. */
export let agency: Organization;
/** Another agency, which sees none of them. */
export let stranger: Organization;
/** A carrier that works with the agency. */
export let carrier: Organization;

/** Entities: two of the agency, and one of the other agency. */
export const [main, branch, foreign] = [newId(), newId(), newId()];
export const [mainNpn, branchNpn, producerNpn] = ['61000001', '61000002', '61000003'];

/** A date that many days from today. */
export const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** An active license as an import record. */
export const license = (npn: string, stateCode: string, licenseNumber: string, nextRenewalDate: string) =>
  licenseLine({
    npn,
    stateCode,
    licenseNumber,
    licenseClassCode: null,
    licenseClassName: 'Insurance Agency',
    issueDate: null,
    nextRenewalDate,
    expirationDate: nextRenewalDate,
    linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
  });

export const market = {
  type: 'market',
  downstreamEntityId: main,
  upstreamEntityName: 'Meridian Excess Lines',
  marketType: 'wholesaler',
};
export const registration = {
  type: 'corporate-registration',
  downstreamEntityId: main,
  stateCode: 'FL',
  registrationType: 'foreign',
  registrationNumber: 'F23000001234',
  nextReportDueDate: '2027-05-01',
};

const pageShape = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  total: z.number(),
  page: z.number(),
  limit: z.number(),
  totalPages: z.number(),
  counts: z.optional(z.record(z.string(), z.number())),
});

/** Calls a route of agencies. */
export const get = (organization: Organization, path: string) =>
  call('GET', `/v2/downstream/${path}`, { headers: organization.bearer });

/** A page of a list. */
export async function list(path: string, organization = agency): Promise<z.output<typeof pageShape>> {
  const { status, json } = await get(organization, path);
  expect(status).toBe(200);
  return z.parse(pageShape, json['data']);
}

beforeAll(async () => {
  [agency, stranger, carrier] = await newOrganizations(
    'downstreamEntity',
    'downstreamEntity',
    'upstreamEntity',
  );
  const { organizationId } = agency;
  await importRecords(
    carrier.organizationId,
    namedAgency(main, 'Main', { npn: mainNpn, downstreamOrganizationId: organizationId }),
    namedAgency(branch, 'Branch', { npn: branchNpn, downstreamOrganizationId: organizationId }),
    namedAgency(foreign, 'Foreign', { npn: '61000009', downstreamOrganizationId: stranger.organizationId }),
  );
  await importRecords(
    organizationId,
    agent({
      npn: producerNpn,
      firstName: 'Ann',
      lastName: 'Ito',
      email: 'ann.ito@example.com',
      downstreamEntityIds: [main],
    }),
    license(mainNpn, 'TX', 'T1', day(30)),
    license(mainNpn, 'OK', 'O1', day(400)),
    license(branchNpn, 'TX', 'T2', day(-3)),
    license(producerNpn, 'TX', 'T3', day(500)),
    market,
    registration,
  );
});
