import * as z from 'zod/mini';

/** What the demo's agency holds beside the registry: markets off the platform, registrations, license requests. */

const days = 86_400_000;

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Records that an operator imports for the agency. */
export function agencyRecords(downstreamEntityId: string, now: number): object[] {
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
      nextReportDueDate: isoDay(now + 75 * days),
    },
    {
      ...registration,
      stateCode: 'OK',
      registrationType: 'foreign',
      registrationNumber: '3712345678',
      registrationDate: '2016-09-20',
      nextReportDueDate: isoDay(now + 190 * days),
    },
    {
      ...registration,
      stateCode: 'LA',
      registrationType: 'foreign',
      registrationNumber: '42781930F',
      registrationDate: '2018-03-15',
      nextReportDueDate: isoDay(now - 12 * days),
      status: 'delinquent',
    },
  ];
}

/** Licenses that the agency asks for. */
const requests = [
  { type: 'new', stateCode: 'OK', linesOfAuthority: ['16'], notes: 'Needed before the next binding season.' },
  { type: 'new', stateCode: 'NM', linesOfAuthority: ['16'] },
];

/** Asks for licenses as the agency does it itself, one after the other, and has the service look at the first. */
export async function requestLicenses(
  command: (name: string, input: unknown) => Promise<unknown>,
  baseUrl: string,
  agency: { readonly organizationId: string; readonly clientId: string; readonly clientSecret: string },
  downstreamEntityId: string,
): Promise<void> {
  const post = async (path: string, body: object, headers: object = {}): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Seeding: ${path} was answered ${response.status}: ${text}`);
    return z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(text)).data;
  };
  const { organizationId, clientId, clientSecret } = agency;
  const token = await post('/v2/auth/jwt', { clientId, clientSecret });
  const { accessToken } = z.parse(z.object({ accessToken: z.string() }), token);
  const headers = { authorization: `Bearer ${accessToken}` };
  const ids: string[] = [];
  for (const request of requests) {
    const created = await post(
      '/v2/downstream/license-requests',
      { downstreamEntityId, ...request },
      headers,
    );
    ids.push(z.parse(z.looseObject({ _id: z.string() }), created)._id);
  }
  await command('set-license-request-status', {
    organizationId,
    licenseRequestId: ids[0],
    status: 'in review',
  });
}
