import * as z from 'zod/mini';
import { addDays, newYorkDate } from '../../../shared/dates/calendar.ts';
import type { DemoClient } from './client.ts';

/** What the demo agency has besides registry records: markets off the platform, registrations, license requests. */

/** Records that an operator imports for the agency. */
export function agencyRecords(downstreamEntityId: string, now: Date): object[] {
  const today = newYorkDate(now);
  const market = { type: 'market', downstreamEntityId };
  const registration = { type: 'corporate-registration', downstreamEntityId };
  return [
    { ...market, upstreamEntityName: 'Harborline Surplus', marketType: 'carrier', producerCode: 'LSB-204' },
    { ...market, upstreamEntityName: 'Meridian Excess Lines', marketType: 'wholesaler' },
    {
      ...registration,
      stateCode: 'TX',
      registrationType: 'domestic',
      registrationNumber: '0801234567',
      registrationDate: '2011-06-02',
      nextReportDueDate: addDays(today, 75),
    },
    {
      ...registration,
      stateCode: 'OK',
      registrationType: 'foreign',
      registrationNumber: '3712345678',
      registrationDate: '2016-09-20',
      nextReportDueDate: addDays(today, 190),
    },
    {
      ...registration,
      stateCode: 'LA',
      registrationType: 'foreign',
      registrationNumber: '42781930F',
      registrationDate: '2018-03-15',
      nextReportDueDate: addDays(today, -12),
      status: 'delinquent',
    },
  ];
}

/** Licenses that the agency requests. */
const requests = [
  { type: 'new', stateCode: 'OK', linesOfAuthority: ['16'], notes: 'Needed before the next binding season.' },
  { type: 'new', stateCode: 'NM', linesOfAuthority: ['16'] },
];

/** Requests licenses as the agency, one after the other; an operator then puts the first one in review. */
export async function requestLicenses(
  command: (name: string, input: unknown) => Promise<unknown>,
  client: DemoClient,
  agency: { readonly organizationId: string; readonly downstreamEntityId: string },
): Promise<void> {
  const { organizationId, downstreamEntityId } = agency;
  const created = z.looseObject({ _id: z.string() });
  const ids: string[] = [];
  for (const request of requests) {
    const body = { downstreamEntityId, ...request };
    ids.push((await client.post('/v2/downstream/license-requests', body, created))._id);
  }
  await command('set-license-request-status', {
    organizationId,
    licenseRequestId: ids[0],
    status: 'in review',
  });
}
