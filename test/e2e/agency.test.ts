import * as z from 'zod/mini';
import { dataAt, demoBearer } from '../support/demo.ts';
import { newId } from '../support/filings.ts';
import { filing, product as productLine } from '../support/import-lines.ts';
import {
  agency,
  branch,
  branchNpn,
  carrier,
  day,
  foreign,
  license,
  list,
  main,
  market,
  producerNpn,
  registration,
  stranger,
} from '../support/imported-agency.ts';
import { call, importOutcome, importRecords } from '../support/local-api.ts';

describe('an agency’s own records', () => {
  it('include the entities, producers, licenses, and registrations that operators imported', async () => {
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

  it('include its requests for licenses, which it can cancel', async () => {
    const body = {
      type: 'new',
      stateCode: 'OH',
      npn: producerNpn,
      downstreamEntityId: main,
      linesOfAuthority: ['16'],
    };
    const path = '/v2/downstream/license-requests';
    const made = await call('POST', path, { headers: agency.bearer, body });
    expect(made.status).toBe(201);
    const { _id } = z.parse(z.object({ _id: z.string() }), made.json['data']);
    const canceled = await call('POST', `${path}/${_id}/cancel`, { headers: agency.bearer });
    expect(canceled).toMatchObject({ status: 200, json: { data: { status: 'canceled' } } });
  });

  it('include the actions required, by due date', async () => {
    expect((await list('actions-required')).items).toMatchObject([
      { type: 'license expired', licenseNumber: 'T2', downstreamEntityId: branch },
      { type: 'license expiring', licenseNumber: 'T1', downstreamEntityId: main },
    ]);
    expect((await list(`actions-required?downstreamEntityId=${main}`)).total).toBe(1);
  });
});

describe('an agency with a carrier', () => {
  const association = newId();

  beforeAll(async () => {
    await importRecords(
      carrier.organizationId,
      { type: 'association', _id: association, downstreamEntityId: branch, branchName: 'Austin' },
      productLine(newId(), {
        productName: 'Contractors General Liability',
        states: [{ stateCode: 'NV', linesOfAuthority: ['16'], appointment: 'required' }],
      }),
      filing(newId(), {
        downstreamEntityId: branch,
        policyNumber: 'SL-AGENCY-1',
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
      }),
    );
    await importRecords(agency.organizationId, license(branchNpn, 'NV', 'N1', day(300)));
  });

  it('sees the market and the compliance requirements of its products', async () => {
    expect((await list(`markets?downstreamEntityId=${branch}`)).items).toMatchObject([
      { upstreamDownstreamAssociationId: association, isOnPlatform: true, branchName: 'Austin' },
    ]);
    expect((await list(`compliance-configs?downstreamEntityId=${branch}`)).items).toMatchObject([
      { upstreamDownstreamAssociationId: association, productName: 'Contractors General Liability' },
    ]);
    expect((await list('compliance-configs', stranger)).items).toEqual([]);
  });

  it('of the demo sees which producers may sell a product of its market', async () => {
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

  it('must answer the escalation and obtain the appointment', async () => {
    const { items } = await list(`actions-required?downstreamEntityId=${branch}`);
    expect(items.map(({ type, stateCode }) => `${type} ${stateCode}`).sort()).toEqual([
      'license expired TX',
      'missing appointment NV',
      'open escalation TX',
    ]);
  });
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
