import { newObjectId } from '#platform/data/keys.ts';
import {
  appointment,
  association as associationLine,
  license as licenseLine,
  product as productLine,
} from '../support/import-lines.ts';
import { adminAnswer, call, newOrganization, type Organization } from '../support/local-api.ts';

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
    appointment({ npn: '8123987', carrierName: 'Test Insurance Company', lineOfAuthorityCode: '16' }),
    { type: 'regulatory-action', npn: '8123987', stateCode: 'TX', actionId: '4471', disposition: 'Fine' },
    productLine(product, {
      productName: 'General Liability',
      states: [
        { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' },
        { stateCode: 'OK', linesOfAuthority: ['16'], appointment: 'on binding' },
      ],
    }),
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
    ['?licenseNumber=1456789&stateCode=TX', [maria]],
    ['?email=renewals%40example.com', [maria]],
    [`?downstreamEntityAssociationId=${association}&email=renewals%40example.com`, [maria]],
  ])('with %j answers %j', async (query, ids) => {
    const { status, json } = await get(`${agents}${query}`);
    expect(status).toBe(200);
    const found = json['data'] as { agent: { _id: string } }[];
    expect(found.map((item) => item.agent._id).sort()).toEqual(ids);
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
});
