import * as z from 'zod/mini';
import { dataAt, demoBearer } from '../support/demo.ts';
import { newId } from '../support/filings.ts';
import { agent, license, namedAgency } from '../support/import-lines.ts';
import {
  adminAnswer,
  call,
  errorShape,
  importOutcome,
  importRecords,
  newOrganizations,
  type Organization,
} from '../support/local-api.ts';

/** The agency whose records the tests read. */
let agency: Organization;
/** Another agency, which sees none of them. */
let stranger: Organization;
/** A carrier that works with the agency. */
let carrier: Organization;

/** Entities: two of the agency, and one of the other agency. */
const [main, branch, foreign] = [newId(), newId(), newId()];
const [mainNpn, branchNpn, producerNpn] = ['61000001', '61000002', '61000003'];

/** A date that many days from today. */
const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const market = {
  type: 'market',
  downstreamEntityId: main,
  upstreamEntityName: 'Meridian Excess Lines',
  marketType: 'wholesaler',
};
const registration = {
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
const get = (organization: Organization, path: string) =>
  call('GET', `/v2/downstream/${path}`, { headers: organization.bearer });

/** A page of the agency's list. */
async function list(path: string): Promise<z.output<typeof pageShape>> {
  const { status, json } = await get(agency, path);
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
    license({ npn: mainNpn, licenseNumber: 'T1', nextRenewalDate: day(30) }),
    license({ npn: mainNpn, stateCode: 'OK', licenseNumber: 'O1', nextRenewalDate: day(400) }),
    license({ npn: branchNpn, licenseNumber: 'T2', nextRenewalDate: day(-3) }),
    license({ npn: producerNpn, licenseNumber: 'T3', nextRenewalDate: day(500) }),
    market,
    registration,
  );
});

it('an agency’s own records include the entities, producers, licenses, and registrations that operators imported', async () => {
  expect((await list('entities')).items).toMatchObject([{ _id: branch }, { _id: main }]);
  expect((await list(`producers?downstreamEntityId=${main}`)).items).toMatchObject([{ npn: producerNpn }]);
  expect((await list(`producers?downstreamEntityId=${branch}`)).items).toEqual([]);
  expect((await list('licenses')).items.map(({ licenseNumber }) => licenseNumber)).toEqual([
    'T2',
    'T1',
    'O1',
    'T3',
  ]);
  expect((await list('corporate-registrations')).items).toMatchObject([
    { stateCode: 'FL', registrationType: 'foreign', status: 'active', registeredName: null },
  ]);
  expect((await list('markets')).items).toMatchObject([
    { upstreamEntityName: 'Meridian Excess Lines', isOnPlatform: false, status: 'active' },
  ]);
  expect((await list(`actions-required?downstreamEntityId=${branch}`)).items).toMatchObject([
    { type: 'license expired', licenseNumber: 'T2' },
  ]);
});

it('an agency of the demo sees which producers may sell a product of its market', async () => {
  const headers = await demoBearer('downstream');
  const ask = async (path: string) => {
    const data = await dataAt(`/v2/downstream/${path}`, headers);
    return (data as { items: Record<string, string>[] }).items;
  };
  const [{ upstreamDownstreamAssociationId = '', productId = '' } = {}] = await ask('compliance-configs');
  const product = new URLSearchParams({ upstreamDownstreamAssociationId, productId, stateCode: 'TX' });
  const answers = (await ask(`sellers?${product}`)).map(({ answer }) => answer);
  expect(answers).toContain('yes');
});

describe('imports of markets and corporate registrations', () => {
  it('accept only an agency’s records for its own entities', async () => {
    const issues = (path: string) => [expect.objectContaining({ path })];
    expect(
      await importOutcome(agency.organizationId, [
        { ...market, downstreamEntityId: foreign },
        { ...registration, downstreamEntityId: foreign },
      ]),
    ).toMatchObject({
      imported: 0,
      rejected: [
        { line: 1, issues: issues('downstreamEntityId') },
        { line: 2, issues: issues('downstreamEntityId') },
      ],
    });
    expect(await importOutcome(carrier.organizationId, [market])).toMatchObject({
      imported: 0,
      rejected: [{ line: 1, issues: issues('organizationId') }],
    });
  });

  it('can delete records, which leave the lists', async () => {
    await importRecords(
      agency.organizationId,
      { ...market, isDeleted: true },
      { ...registration, isDeleted: true },
    );
    const { items } = await list(`markets?downstreamEntityId=${main}`);
    expect(items).toEqual([]);
    expect((await list('corporate-registrations')).total).toBe(0);
  });
});

describe('a license request', () => {
  const path = '/v2/downstream/license-requests';
  const request = async (fields: object): Promise<string> => {
    const body = { downstreamEntityId: main, ...fields };
    const { status, json } = await call('POST', path, { headers: agency.bearer, body });
    expect(status).toBe(201);
    return z.parse(z.object({ _id: z.string() }), json['data'])._id;
  };
  const cancel = (id: string, { bearer: headers } = agency) =>
    call('POST', `${path}/${id}/cancel`, { headers });

  it('can be canceled by its agency', async () => {
    const id = await request({ type: 'new', stateCode: 'OH', npn: producerNpn, linesOfAuthority: ['16'] });
    expect((await cancel(id, stranger)).status).toBe(404);
    expect(await cancel(id)).toMatchObject({ status: 200, json: { data: { status: 'canceled' } } });
  });

  it('follows the statuses that an operator sets, and can be canceled only before a decision', async () => {
    const licenseRequestId = await request({ type: 'renewal', stateCode: 'TX', licenseNumber: 'T1' });
    const move = (status: string, id = licenseRequestId) =>
      adminAnswer('set-license-request-status', { licenseRequestId: id, status });
    expect(await move('approved')).toMatchObject({ ok: false, error: { errorType: 'conflict' } });
    expect(await move('in review')).toMatchObject({ ok: true, result: { status: 'in review' } });
    expect(await move('approved')).toMatchObject({ ok: true, result: { status: 'approved' } });
    expect(await cancel(licenseRequestId)).toMatchObject({ status: 409, json: errorShape(409, 'conflict') });
    expect((await get(agency, `license-requests/${licenseRequestId}`)).json['data']).toMatchObject({
      status: 'approved',
      statusHistory: [{ status: 'submitted' }, { status: 'in review' }, { status: 'approved' }],
    });
    expect(await move('in review', '0'.repeat(24))).toMatchObject({
      ok: false,
      error: { errorType: 'not_found' },
    });
  });
});
