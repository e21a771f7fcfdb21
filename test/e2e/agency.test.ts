import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { newId } from '../support/filings.ts';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  importRecords,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

/** What an agency sees of its own, from the operator's import on. */
let agency: Organization;
let stranger: Organization;
let carrier: Organization;

const [main, branch, foreign] = [newId(), newId(), newId()];
const [mainNpn, branchNpn, producerNpn] = ['61000001', '61000002', '61000003'];

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const license = (npn: string, stateCode: string, licenseNumber: string, nextRenewalDate: string) => ({
  type: 'license',
  npn,
  stateCode,
  licenseNumber,
  licenseClassCode: null,
  licenseClassName: null,
  status: 'active',
  residencyStatus: 'resident',
  issueDate: null,
  nextRenewalDate,
  expirationDate: nextRenewalDate,
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
});

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

const get = (organization: Organization, path: string) =>
  call('GET', `/v2/downstream/${path}`, { headers: organization.bearer });

async function list(path: string, organization = agency): Promise<z.output<typeof pageShape>> {
  const { status, json } = await get(organization, path);
  expect(status).toBe(200);
  return z.parse(pageShape, json['data']);
}

const ask = (body: object, headers: Record<string, string> = {}) =>
  call('POST', '/v2/downstream/license-requests', { headers: { ...agency.bearer, ...headers }, body });

const idIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }): string =>
  z.parse(z.looseObject({ _id: z.string() }), json['data'])._id;

const cancel = (id: string, organization = agency) =>
  call('POST', `/v2/downstream/license-requests/${id}/cancel`, { headers: organization.bearer });

beforeAll(async () => {
  [agency, stranger, carrier] = await Promise.all([
    newOrganization('downstreamEntity'),
    newOrganization('downstreamEntity'),
    newOrganization('upstreamEntity'),
  ]);
  const { organizationId } = agency;
  await importRecords(
    carrier.organizationId,
    {
      type: 'downstream-entity',
      _id: main,
      legalName: 'Main',
      npn: mainNpn,
      downstreamOrganizationId: organizationId,
    },
    {
      type: 'downstream-entity',
      _id: branch,
      legalName: 'Branch',
      npn: branchNpn,
      downstreamOrganizationId: organizationId,
    },
    {
      type: 'downstream-entity',
      _id: foreign,
      legalName: 'Foreign',
      npn: '61000009',
      downstreamOrganizationId: stranger.organizationId,
    },
  );
  await importRecords(
    organizationId,
    {
      type: 'agent',
      npn: producerNpn,
      firstName: 'Ann',
      lastName: 'Ito',
      email: 'ann.ito@example.com',
      downstreamEntityIds: [main],
    },
    license(mainNpn, 'TX', 'T1', day(30)),
    license(mainNpn, 'OK', 'O1', day(400)),
    license(branchNpn, 'TX', 'T2', day(-3)),
    license(producerNpn, 'TX', 'T3', day(500)),
    market,
    registration,
  );
});

describe('the agency surface beside filings, documents and contacts', () => {
  it('shows entities, producers, licenses and registrations that operators imported', async () => {
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
  });

  it('sums licenses up by state, the most urgent status first', async () => {
    const { items, counts } = await list('license-overview');
    expect(counts).toEqual({ total: 4, active: 2, expiring: 1, expired: 1, inactive: 0 });
    expect(items).toMatchObject([
      { stateCode: 'OK', status: 'active', licenses: 1 },
      {
        stateCode: 'TX',
        status: 'expired',
        licenses: 3,
        nextRenewalDate: day(-3),
        producers: 1,
        entities: 1,
      },
    ]);
  });

  it('says what is left to do, by due date', async () => {
    expect((await list('actions-required')).items).toMatchObject([
      { type: 'license expired', licenseNumber: 'T2', downstreamEntityId: branch },
      { type: 'license expiring', licenseNumber: 'T1', downstreamEntityId: main },
    ]);
    expect((await list(`actions-required?downstreamEntityId=${main}`)).total).toBe(1);
  });

  it('an agency’s records are nobody else’s', async () => {
    for (const path of [
      'entities',
      'producers',
      'licenses',
      'markets',
      'corporate-registrations',
      'license-overview',
    ]) {
      expect(JSON.stringify(await list(path, stranger))).not.toContain(agency.organizationId);
      const { status, json } = await get(agency, `${path}?downstreamEntityId=${foreign}`);
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
    }
    expect((await get(stranger, `entities/${main}`)).status).toBe(404);
  });

  it('a limit above the maximum is refused with 400', async () => {
    const { status, json } = await get(agency, 'licenses?limit=101');
    expect(status).toBe(400);
    expect(json).toMatchObject(
      errorShape(400, 'validation_error', { details: { issues: [{ path: 'limit' }] } }),
    );
  });
});

describe('an agency that a carrier works with', () => {
  const association = newId();

  beforeAll(async () => {
    await importRecords(
      carrier.organizationId,
      { type: 'association', _id: association, downstreamEntityId: branch },
      {
        type: 'compliance-config',
        productId: newId(),
        productName: 'Contractors General Liability',
        states: [{ stateCode: 'NV', linesOfAuthority: ['16'], appointment: 'required' }],
      },
      {
        type: 'filing',
        _id: newId(),
        downstreamEntityId: branch,
        policyNumber: 'SL-AGENCY-1',
        stateCode: 'TX',
        policyTransactionType: 'bind',
        namedInsured: 'Acme Roofing LLC',
        carrier: 'Beacon Specialty',
        carrierNaicCode: '19437',
        grossPremium: 10_000,
        checklist: [
          {
            sourceCategoryId: 'signatures',
            name: 'Signatures',
            items: [
              {
                sourceTaskId: 'affidavit',
                label: 'Signed affidavit',
                escalation: { status: 'waiting customer input' },
              },
            ],
          },
        ],
      },
    );
    await importRecords(agency.organizationId, license(branchNpn, 'NV', 'N1', day(300)));
  });

  it('sees the market and what its products ask', async () => {
    expect((await list(`markets?downstreamEntityId=${branch}`)).items).toMatchObject([
      { upstreamDownstreamAssociationId: association, isOnPlatform: true },
    ]);
    expect((await list(`compliance-configs?downstreamEntityId=${branch}`)).items).toMatchObject([
      { upstreamDownstreamAssociationId: association, productName: 'Contractors General Liability' },
    ]);
    expect((await list('compliance-configs', stranger)).items).toEqual([]);
  });

  it('is told to answer the escalation and to obtain the appointment', async () => {
    const { items } = await list(`actions-required?downstreamEntityId=${branch}`);
    expect(items.map(({ type, stateCode }) => `${type} ${stateCode}`).sort()).toEqual([
      'license expired TX',
      'missing appointment NV',
      'open escalation TX',
    ]);
  });

  it('narrows filings and documents to an entity; one outside the organization is 404', async () => {
    expect((await list(`surplus-lines-filings?downstreamEntityId=${branch}`)).items).toMatchObject([
      { policyNumber: 'SL-AGENCY-1' },
    ]);
    for (const path of ['surplus-lines-filings', 'documents']) {
      expect((await list(`${path}?downstreamEntityId=${main}`)).items).toEqual([]);
      expect((await get(agency, `${path}?downstreamEntityId=${foreign}`)).status).toBe(404);
    }
  });

  it('combines the filters of licenses and appointments', async () => {
    expect((await list('licenses?stateCode=NV&status=active')).items).toMatchObject([
      { licenseNumber: 'N1' },
    ]);
    expect((await list(`licenses?stateCode=NV&downstreamEntityId=${main}`)).total).toBe(0);
    expect((await list('appointments?stateCode=NV&status=active')).total).toBe(0);
  });
});

describe('a license request', () => {
  it('goes from submitted to its end as the operator moves it, and is cancelled before that alone', async () => {
    const created = await ask({
      downstreamEntityId: main,
      type: 'renewal',
      stateCode: 'TX',
      licenseNumber: 'T1',
    });
    expect(created.status).toBe(201);
    const licenseRequestId = idIn(created);
    const { organizationId } = agency;
    const move = (status: string) =>
      adminAnswer('set-license-request-status', { organizationId, licenseRequestId, status });
    expect(await move('approved')).toMatchObject({ ok: false, error: { errorType: 'conflict' } });
    expect(await move('in review')).toMatchObject({ ok: true, result: { status: 'in review' } });
    expect((await cancel(licenseRequestId, stranger)).status).toBe(404);
    expect(await move('approved')).toMatchObject({ ok: true, result: { status: 'approved' } });
    const refused = await cancel(licenseRequestId);
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual(errorShape(409, 'conflict'));
    expect((await get(agency, `license-requests/${licenseRequestId}`)).json['data']).toMatchObject({
      status: 'approved',
      statusHistory: [{ status: 'submitted' }, { status: 'in review' }, { status: 'approved' }],
    });
    expect(
      await adminAnswer('set-license-request-status', {
        organizationId: stranger.organizationId,
        licenseRequestId,
        status: 'in review',
      }),
    ).toMatchObject({ ok: false, error: { errorType: 'not_found' } });
  });

  it('of ten equal ones at once, one is made', async () => {
    const body = { downstreamEntityId: main, type: 'new', stateCode: 'LA', npn: producerNpn };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    for (const { status, json } of answers) {
      if (status === 409) expect(json).toEqual(errorShape(409, 'conflict'));
    }
  });

  it('sent again under its key answers the original', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { downstreamEntityId: branch, type: 'new', stateCode: 'NM' };
    const first = await ask(body, headers);
    const again = await ask(body, headers);
    expect(again.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const anew = { 'idempotency-key': randomUUID() };
    expect((await ask(body, anew)).status).toBe(409);
    expect((await cancel(idIn(first))).status).toBe(200);
    expect((await cancel(idIn(first))).status).toBe(409);
  });
});

describe('imports of markets and corporate registrations', () => {
  const importedBy = (organizationId: string, ...records: object[]) =>
    admin('import', {
      organizationId,
      firstLine: 1,
      lines: records.map((one) => JSON.stringify(one)),
    });

  it('change nothing when they come twice', async () => {
    const before = [await list('markets'), await list('corporate-registrations')];
    await importRecords(agency.organizationId, market, registration);
    expect([await list('markets'), await list('corporate-registrations')]).toEqual(before);
  });

  it('are an agency’s own, for its own entities', async () => {
    const issues = (path: string) => [expect.objectContaining({ path })];
    expect(
      await importedBy(
        agency.organizationId,
        { ...market, downstreamEntityId: foreign },
        { ...registration, downstreamEntityId: foreign },
      ),
    ).toEqual({
      imported: 0,
      rejected: [
        { line: 1, issues: issues('downstreamEntityId') },
        { line: 2, issues: issues('downstreamEntityId') },
      ],
    });
    expect(await importedBy(carrier.organizationId, market)).toEqual({
      imported: 0,
      rejected: [{ line: 1, issues: issues('organizationId') }],
    });
  });

  it('do not take the place of a carrier’s association', async () => {
    const _id = newId();
    await importRecords(carrier.organizationId, { type: 'association', _id, downstreamEntityId: main });
    const markets = async () => (await list(`markets?downstreamEntityId=${main}`)).items;
    expect(await markets()).toHaveLength(2);
    expect(await importedBy(agency.organizationId, { ...market, _id })).toMatchObject({
      imported: 0,
      rejected: [{ line: 1, issues: [{ path: '_id' }] }],
    });
    expect(await markets()).toContainEqual(
      expect.objectContaining({ upstreamDownstreamAssociationId: _id, isOnPlatform: true }),
    );
  });

  it('leave the lists when they are deleted', async () => {
    await importRecords(
      agency.organizationId,
      { ...market, isDeleted: true },
      { ...registration, isDeleted: true },
    );
    const { items } = await list(`markets?downstreamEntityId=${main}`);
    expect(items.map(({ isOnPlatform }) => isOnPlatform)).toEqual([true]);
    expect((await list('corporate-registrations')).total).toBe(0);
  });
});
