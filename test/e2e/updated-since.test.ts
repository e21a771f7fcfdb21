import { filing as importedFiling } from '../support/import-lines.ts';
import { admin, call, invoke, newOrganization, type Organization } from '../support/local-api.ts';

let carrier: Organization;

const ids = {
  policy: '65f0c1d2e3a4b5c6d7e9a001',
  agent: '65f0c1d2e3a4b5c6d7e9a002',
  agency: '65f0c1d2e3a4b5c6d7e9a003',
  association: '65f0c1d2e3a4b5c6d7e9a004',
  filing: '65f0c1d2e3a4b5c6d7e9a005',
};
const npn = '18650001';

const importRecords = (...records: readonly object[]) =>
  admin('import', {
    organizationId: carrier.organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
  });

const policy = { type: 'policy', _id: ids.policy, policyNumber: 'US-1', riskStateCode: 'TX' };
const agent = { type: 'agent', _id: ids.agent, npn, firstName: 'Maria', lastName: 'Delgado' };
const agency = {
  type: 'downstream-entity',
  _id: ids.agency,
  legalName: 'Lone Star Brokerage',
  npn,
  isNpnRequired: true,
};
const association = { type: 'association', _id: ids.association, downstreamEntityId: ids.agency };

const filing = importedFiling(ids.filing, { policyNumber: 'US-1' });

beforeAll(async () => {
  carrier = await newOrganization('upstreamEntity');
  await importRecords(policy, agent, agency, association, filing);
});

it('the indexes of changes are measured, and are not late', async () => {
  for (const _call of [1, 2]) expect(await invoke('index-lag', { task: 'measure' })).toEqual({ late: [] });
});

describe.each([
  ['policies', policy, { _id: ids.policy }],
  ['agents', agent, { agent: { _id: ids.agent } }],
  ['downstream-entity-associations', association, { _id: ids.association }],
  ['surplus-lines-filings', filing, { _id: ids.filing }],
] as const)('%s', (path, record, shown) => {
  const list = (query: Record<string, string> = {}) =>
    call('GET', `/v2/upstream/${path}`, { headers: carrier.bearer, query });

  it('are followed from the whole list on, until they are deleted', async () => {
    const whole = await list();
    expect(whole.json['data']).toMatchObject([shown]);
    const updatedSince = whole.headers.get('x-updated-until') ?? '';
    expect((await list({ updatedSince })).json['data']).toMatchObject([shown]);
    await importRecords({ ...record, isDeleted: true });
    expect((await list({ updatedSince })).json['data']).toEqual([
      { _id: record._id, isDeleted: true, updatedAt: expect.any(String) },
    ]);
  });
});
