import { newObjectId } from '#platform/data/keys.ts';
import { association as associationLine, license as licenseLine } from '../support/import-lines.ts';
import { adminAnswer, call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';

let carrier: Organization;
let stranger: Organization;

const id = (number: number): string => number.toString(16).padStart(24, '0');
const maria = id(1);
const daniel = id(2);
const gone = id(3);
const product = id(9);
const association = newObjectId(new Date());

const importFor = ({ organizationId }: Organization, records: readonly object[]) =>
  adminAnswer('import', {
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
  });

const get = (path: string, { bearer } = carrier) => call('GET', path, { headers: bearer });

const agent = (fields: object) => ({ type: 'agent', firstName: 'M', lastName: 'D', ...fields });

// Nobody of the demo, whom the registry knows: a reconciliation of another file would replace the records.
const license = licenseLine({
  npn: '8123987',
  stateCode: 'TX',
  licenseNumber: '1456789',
  issueDate: '2019-04-01',
  nextRenewalDate: '2099-03-31',
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
});

beforeAll(async () => {
  [carrier, stranger] = await Promise.all([
    newOrganization('upstreamEntity'),
    newOrganization('upstreamEntity'),
  ]);
  // Before the agents, so that the event of what the NPN stands for comes afterwards.
  expect(await importFor(carrier, [license])).toMatchObject({ result: { imported: 1, rejected: [] } });
  const outcome = await importFor(carrier, [
    associationLine(association),
    agent({
      _id: maria,
      npn: '8123987',
      firstName: 'Maria',
      lastName: 'Delgado',
      email: 'maria.delgado@example.com',
      labeledEmails: [{ label: 'renewals', email: 'Renewals@Example.com' }],
      downstreamEntityAssociationIds: [association],
      authority: [
        { upstreamEntityProductId: product, requestedStates: ['TX', 'OK'], approvedStates: ['TX'] },
      ],
      externalId: 'AGT-118',
    }),
    agent({ _id: daniel, npn: '9034417', email: 'daniel.okafor@example.com' }),
    agent({ _id: gone, npn: '55', email: 'gone@example.com' }),
    { ...license, stateCode: 'OK', nextRenewalDate: '2020-01-01' },
    { ...license, stateCode: 'NM' },
    {
      type: 'appointment',
      status: 'active',
      npn: '8123987',
      stateCode: 'TX',
      carrierName: 'Test Insurance Company',
      lineOfAuthorityCode: '16',
    },
    { type: 'regulatory-action', npn: '8123987', stateCode: 'TX', actionId: '4471', disposition: 'Fine' },
    {
      type: 'compliance-config',
      productId: product,
      productName: 'General Liability',
      states: [
        { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' },
        { stateCode: 'OK', linesOfAuthority: ['16'], appointment: 'on binding' },
      ],
    },
  ]);
  expect(outcome).toMatchObject({ result: { imported: 9, rejected: [] } });
  await importFor(carrier, [
    agent({ _id: gone, npn: '55', isDeleted: true }),
    { ...license, stateCode: 'NM', isDeleted: true },
  ]);
  await importFor(stranger, [agent({ _id: id(5), npn: '77', email: 'stranger@example.com' })]);
});

describe.each(['/v2/upstream/agents', '/v1/agents'])('%s', (agents) => {
  it.each([
    ['', [maria, daniel]],
    ['?npn=8123987', [maria]],
    ['?npn=55', []],
    ['?licenseNumber=1456789&stateCode=TX', [maria]],
    ['?licenseNumber=1456789&stateCode=NY', []],
    ['?licenseNumber=1456789&stateCode=NM', []],
    ['?email=MARIA.DELGADO%40example.com', [maria]],
    ['?email=renewals%40example.com', [maria]],
    ['?email=gone%40example.com', []],
    ['?email=stranger%40example.com', []],
    [`?downstreamEntityAssociationId=${association}`, [maria]],
    [`?downstreamEntityAssociationId=${association}&npn=9034417`, []],
    [`?downstreamEntityAssociationId=${association}&email=renewals%40example.com`, [maria]],
  ])('with %j answers %j', async (query, ids) => {
    const { status, json } = await get(`${agents}${query}`);
    expect(status).toBe(200);
    const found = json['data'] as { agent: { _id: string } }[];
    expect(found.map((item) => item.agent._id).sort()).toEqual(ids);
  });

  it.each([
    ['npn=1&email=a%40example.com', ['npn', 'email']],
    ['npn=1&licenseNumber=1&stateCode=TX', ['npn', 'licenseNumber']],
    ['licenseNumber=1', ['stateCode']],
    ['stateCode=TX', ['licenseNumber']],
    ['email=nobody', ['email']],
    ['downstreamEntityAssociationId=1', ['downstreamEntityAssociationId']],
  ])('with %s answers 400 naming %j', async (query, paths) => {
    const { status, json } = await get(`${agents}?${query}`);
    expect(status).toBe(400);
    expect(json).toEqual(
      errorShape(400, 'validation_error', {
        details: { issues: paths.map((path) => ({ path, message: expect.any(String) })) },
      }),
    );
  });

  it('shows an agent with the registry subscription of its NPN', async () => {
    const { json } = await get(`${agents}/${maria}`);
    expect(json['data']).toEqual({
      agent: {
        _id: maria,
        npn: '8123987',
        firstName: 'Maria',
        middleName: null,
        lastName: 'Delgado',
        downstreamEntityAgentAssociationIds: [association],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      creationPath: 'import',
      registryDataSubscription: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        dataOwnerId: carrier.organizationId,
        dataOwnerModel: 'upstreamEntity',
        entityModel: 'agent',
        entityInfo: { status: 'not started', jobId: null, message: null, rawEntityInfoId: null },
        npn: '8123987',
        lastSynchronizationDate: null,
        pdbAlertsSubscriptionStatus: null,
        pdbAlertsPausedAt: null,
      },
      isUploadedByUpstreamEntity: true,
      isDeleted: false,
      isArchived: false,
      authority: [
        { upstreamEntityProductId: product, requestedStates: ['TX', 'OK'], approvedStates: ['TX'] },
      ],
      email: 'maria.delgado@example.com',
      isDeliverable: false,
      externalId: 'AGT-118',
    });
  });

  it('does not find a soft-deleted agent', async () => {
    expect(await get(`${agents}/${gone}`)).toMatchObject({ status: 404 });
  });

  it('lists licenses and regulatory actions of the agent’s NPN', async () => {
    const { json } = await get(`${agents}/${maria}/licenses`);
    expect(json['data']).toMatchObject([
      { stateCode: 'OK' },
      { stateCode: 'TX', residencyStatus: 'resident' },
    ]);
    expect((await get(`${agents}/${maria}/licenses?stateCode=TX&status=active`)).json['data']).toHaveLength(
      1,
    );
    expect((await get(`${agents}/${maria}/licenses?status=inactive`)).json['data']).toEqual([]);
    const actions = await get(`${agents}/${maria}/regulatory-actions`);
    expect(actions.json['data']).toMatchObject([
      { actionId: '4471', disposition: 'Fine', effectiveDate: null },
    ]);
    // The registry may have been polled for the other one by now.
    const others = (await get(`${agents}/${daniel}/licenses`)).json['data'] as { npn: string }[];
    expect(others.filter(({ npn }) => npn !== '9034417')).toEqual([]);
  });

  it.each([
    ['TX', 'COMPLIANT', 'Licensed', 'Appointed'],
    // "A just-in-time state carrying Appointment on Binding": the license decides.
    ['OK', 'NOT_COMPLIANT', 'Expired License', 'Appointment on Binding'],
    ['NY', 'NOT_COMPLIANT', 'State Not Configured', 'State Not Configured'],
  ])('reports %s as %s: %s, %s', async (stateCode, complianceStatus, license, appointment) => {
    const path = `${agents}/${maria}/license-compliance-statuses?productId=${product}&stateCode=${stateCode}`;
    const { status, json } = await get(path);
    expect(status).toBe(200);
    expect(json['data']).toMatchObject([
      {
        npn: '8123987',
        productId: product,
        productName: 'General Liability',
        stateCode,
        complianceStatus,
        licenseStatus: { statusName: license },
        appointmentStatus: { statusName: appointment },
      },
    ]);
  });

  it('judges a day by the version of the config that was in force on it', async () => {
    const history = { type: 'compliance-config', productId: id(98), productName: 'Cyber' };
    const asking = (...linesOfAuthority: string[]) => [
      { stateCode: 'TX', linesOfAuthority, appointment: 'not required' },
    ];
    await importFor(carrier, [{ ...history, states: asking('99'), validFrom: '2020-01-01' }]);
    await importFor(carrier, [{ ...history, states: asking('16'), validFrom: '2026-01-01' }]);
    const path = `/v2/upstream/agents/${maria}/license-compliance-statuses?productId=${id(98)}&stateCode=TX`;
    const statusOf = async (asOf: string) =>
      (await get(`${path}&asOf=${asOf}`)).json['data'] as { licenseStatus: { statusName: string } }[];
    expect(await statusOf('2025-12-31')).toMatchObject([
      { licenseStatus: { statusName: 'Missing Line of Authority' } },
    ]);
    expect(await statusOf('2026-01-01')).toMatchObject([{ licenseStatus: { statusName: 'Licensed' } }]);
    expect(await statusOf('2026-01-01&knownAt=2026-01-01T00:00:00Z')).toMatchObject([
      { licenseStatus: { statusName: 'Missing License' } },
    ]);
  });

  it('requires a state and a product with a config for a compliance status', async () => {
    const path = `${agents}/${maria}/license-compliance-statuses`;
    const { status, json } = await get(path);
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: 'stateCode' }, { path: 'productId' }] } });
    expect(await get(`${path}?stateCode=TX&productId=${id(99)}`)).toMatchObject({ status: 404 });
  });
});

it('rejects a second agent of an NPN, names the field, and imports the rest of the file', async () => {
  expect(
    await importFor(carrier, [agent({ _id: id(40), npn: '9034417' }), agent({ _id: id(41), npn: '41' })]),
  ).toMatchObject({
    ok: true,
    result: { imported: 1, rejected: [{ line: 1, issues: [{ path: 'npn' }] }] },
  });
});
