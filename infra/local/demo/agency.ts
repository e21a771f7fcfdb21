import * as z from 'zod/mini';
import { addDays, newYorkDate } from '../../../shared/dates/calendar.ts';
import type { DemoClient } from './client.ts';
import { agencies } from './producers.ts';

/** The demo agency, and the carrier's association with it. */
interface AgencyIds {
  readonly downstreamEntityId: string;
  readonly downstreamEntityAssociationId: string;
}

/** What the carrier imports: the demo agency with a branch, other agencies, and templates of contracts. */
export function demoAssociations(ids: AgencyIds): object[] {
  const { downstreamEntityId, downstreamEntityAssociationId: _id } = ids;
  const type = 'association';
  const template = { type: 'contract-container-template' };
  const branch = { branchName: 'Austin', parentDownstreamEntityAssociationId: _id };
  return [
    { type, _id, downstreamEntityId, externalId: 'AG-0042', producerCode: 'P-7700' },
    { type, downstreamEntityId, externalId: 'AG-0043', ...branch },
    ...agencies.slice(1).map(({ legalName, npn }, index) => ({
      type,
      downstreamEntity: { legalName, npn, category: 'agency' },
      externalId: `AG-${1_001 + index}`,
      producerCode: `P-${7_701 + index}`,
      status: npn === '19001763' ? 'inactive' : 'active',
    })),
    { ...template, name: 'Producer agreement 2026', description: 'Agreement, commission schedule and W-9.' },
    { ...template, name: 'Surplus lines addendum' },
    { ...template, name: 'Producer agreement 2024', isActive: false },
  ];
}

/** Contacts of the agency that the carrier imports: some agency-wide, some of its association. */
export function demoContacts({ downstreamEntityId, downstreamEntityAssociationId }: AgencyIds): object[] {
  const agencyWide = { downstreamEntityId, isPrimary: false };
  const ofCarrier = { downstreamEntityId, downstreamEntityAssociationId, isPrimary: false };
  const people = [
    ['Maria', 'Delgado', true, { ...ofCarrier, isPrimary: true, businessRoles: ['Principal', 'Compliance'] }],
    ['Samuel', 'Whitfield', true, { ...agencyWide, businessRoles: ['Accounting'] }],
    ['Priya', 'Raman', true, { ...agencyWide, businessRoles: ['Licensing', 'Compliance'] }],
    ['Thomas', 'Okonkwo', false, { ...ofCarrier, businessRoles: ['Surplus Lines'] }],
  ] as const;
  return people.map(([firstName, lastName, isDeliverable, association]) => {
    const email = `${firstName}.${lastName}@lonestar.example`.toLowerCase();
    return { type: 'contact', firstName, lastName, email, isDeliverable, associations: [association] };
  });
}

/** State, type, number, date, days until the next report is due, and optional members. */
const registrations = [
  ['TX', 'domestic', '0801234567', '2011-06-02', 75, {}],
  ['OK', 'foreign', '3712345678', '2016-09-20', 190, {}],
  ['LA', 'foreign', '42781930F', '2018-03-15', -12, { status: 'delinquent' }],
] as const;

/** Records that an operator imports for the agency: markets off the platform and registrations. */
export function agencyRecords(downstreamEntityId: string, now: Date): object[] {
  const market = { type: 'market', downstreamEntityId };
  return [
    { ...market, upstreamEntityName: 'Harborline Surplus', marketType: 'carrier', producerCode: 'LSB-204' },
    { ...market, upstreamEntityName: 'Meridian Excess Lines', marketType: 'wholesaler' },
    ...registrations.map(
      ([stateCode, registrationType, registrationNumber, registrationDate, daysLeft, more]) => ({
        type: 'corporate-registration',
        downstreamEntityId,
        stateCode,
        registrationType,
        registrationNumber,
        registrationDate,
        nextReportDueDate: addDays(newYorkDate(now), daysLeft),
        ...more,
      }),
    ),
  ];
}

/** Requests licenses as the agency, one after the other; an operator then puts the first one in review. */
export async function requestLicenses(
  command: (name: string, input: unknown) => Promise<unknown>,
  client: DemoClient,
  agency: { readonly organizationId: string; readonly downstreamEntityId: string },
): Promise<void> {
  const { organizationId, downstreamEntityId } = agency;
  const created = z.looseObject({ _id: z.string() });
  const request = (body: object) =>
    client.post('/v2/downstream/license-requests', { downstreamEntityId, type: 'new', ...body }, created);
  const notes = 'Needed before the next binding season.';
  const { _id: licenseRequestId } = await request({ stateCode: 'OK', linesOfAuthority: ['16'], notes });
  await request({ stateCode: 'NM', linesOfAuthority: ['16'] });
  await command('set-license-request-status', { organizationId, licenseRequestId, status: 'in review' });
}
