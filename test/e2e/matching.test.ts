import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { rematch } from '../../infra/admin/program.ts';
import { license, product as productLine, transaction } from '../support/import-lines.ts';
import { call, importRecords, invoke, newOrganization, type Organization } from '../support/local-api.ts';

/** Operators' work on what an import could not match, with the functions' own permissions, as the carrier sees it. */
let carrier: Organization;

const [agency, association, agent, product] = [
  '65f0c1d2e3a4b5c6d7e8fe01',
  '65f0c1d2e3a4b5c6d7e8fe02',
  '65f0c1d2e3a4b5c6d7e8fe03',
  '65f0c1d2e3a4b5c6d7e8fe04',
];

/** Calls the function as the CLI does. */
const invokeAsCli: Invoke = async (name, payload) => resultOf(await invoke(name, payload));

const get = async (path: string) =>
  (await call('GET', `/v2/upstream/policies${path}`, { headers: carrier.bearer })).json['data'];

async function policyNumbers(query: string): Promise<string[]> {
  return ((await get(query)) as { policyNumber: string }[]).map(({ policyNumber }) => policyNumber);
}

async function onlyTransaction(policyNumber: string) {
  const [policy] = (await get(`?policyNumber=${policyNumber}`)) as { _id: string }[];
  const { transactions } = (await get(`/${policy?._id}/transactions`)) as {
    transactions: [{ _id: string }];
  };
  return transactions[0];
}

beforeAll(async () => {
  carrier = await newOrganization('upstreamEntity');
  await importRecords(
    carrier.organizationId,
    transaction('MA-NPN', { agencyNpn: '17000901', agentNpn: '18000901', productCode: 'MA-GL' }),
    transaction('MA-LICENSE', { agencyLicenseNumber: '9010', agencyLicensedStateCode: 'TX' }),
    transaction('MA-NAME', { agencyName: 'Matching Brokerage LLC' }),
    transaction('MA-NOBODY', { agencyNpn: '17000999' }),
  );
  await importRecords(
    carrier.organizationId,
    { type: 'downstream-entity', _id: agency, legalName: 'Matching Brokerage', npn: '17000901', ein: null },
    { type: 'association', _id: association, downstreamEntityId: agency, externalId: 'MA-1' },
    { type: 'agent', _id: agent, npn: '18000901', firstName: 'Maria', lastName: 'Delgado' },
    license({ npn: '17000901', stateCode: 'TX', licenseNumber: '9010' }),
    productLine(product, {
      productName: 'Matched GL',
      productCode: 'MA-GL',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'on binding' }],
    }),
  );
});

it('matches again what was imported before its agency, and confirms what a person decides', async () => {
  expect(await policyNumbers('?entityMatchStatus=unmatched')).toHaveLength(4);
  const { organizationId } = carrier;
  expect(await rematch(invokeAsCli, { organizationId })).toEqual({
    matched: 2,
    review: 1,
    unmatched: 1,
  });
  expect(await policyNumbers('?entityMatchStatus=auto+matched')).toEqual(['MA-LICENSE', 'MA-NPN']);
  expect(await policyNumbers('?productMatchStatus=auto+matched')).toEqual(['MA-NPN']);
  expect(await policyNumbers('?entityMatchStatus=manual+review&productMatchStatus=unmatched')).toEqual([
    'MA-NAME',
  ]);
  expect(await onlyTransaction('MA-NPN')).toMatchObject({
    upstreamDownstreamAssociationId: association,
    matchedAgents: [{ agentId: agent, matchSource: 'npn' }],
  });

  const input = {
    organizationId: carrier.organizationId,
    transactionId: (await onlyTransaction('MA-NAME'))._id,
    downstreamEntityAssociationId: association,
    agentIds: [agent],
    productId: product,
  };
  const confirmed = {
    entityMatchStatus: 'user confirmed',
    upstreamDownstreamAssociationId: association,
    agentMatchStatus: 'user confirmed',
    matchedAgents: [{ agentId: agent, matchSource: 'user' }],
  };
  expect(await invoke('import', { command: 'confirm-match', input })).toMatchObject({
    ok: true,
    result: confirmed,
  });
  expect(await onlyTransaction('MA-NAME')).toMatchObject(confirmed);
  const both = '?entityMatchStatus=user+confirmed&productMatchStatus=user+confirmed';
  expect(await policyNumbers(both)).toEqual(['MA-NAME']);
  expect(await policyNumbers('?entityMatchStatus=manual+review')).toEqual([]);
});

it('applies to a policy the requirements of the product that was found or confirmed', async () => {
  const path = `/v2/upstream/downstream-entity-associations/${association}/policy-compliance-statuses`;
  const { json } = await call('GET', path, { headers: carrier.bearer });
  const rows = json['data'] as { policyNumber: string; productId: string; productName: string }[];
  expect(
    rows.map(({ policyNumber, productId, productName }) => [policyNumber, productId, productName]),
  ).toEqual([
    ['MA-LICENSE', null, null],
    ['MA-NAME', product, 'Matched GL'],
    ['MA-NPN', product, 'Matched GL'],
  ]);
});
