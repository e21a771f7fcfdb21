import { agentRoutes } from '../../functions/agents/routes.ts';
import { ask, given, id, importLines } from '../support/carrier-records.ts';
import { newId } from '../support/filings.ts';
import { agent, transaction } from '../support/import-lines.ts';
import { transactionsOf } from '../support/policies-tests.ts';
import {
  agencyNpn,
  appointed,
  association,
  associationId,
  config,
  licensed,
  newCarrier,
  producerNpn,
  question,
  routes,
} from '../support/sale-checks-tests.ts';

let owner: string;
let agency: string;

beforeAll(async () => {
  owner = await newCarrier();
  agency = associationId;
  await given(
    owner,
    config({ carrierNaicCodes: ['C-0123'] }),
    {
      ...association(),
      downstreamEntity: { legalName: 'Lone Star Brokerage', npn: agencyNpn, ein: '01-7654321' },
    },
    licensed(producerNpn, { licenseNumber: '0C-12345' }),
    licensed(agencyNpn, { licenseNumber: 'LA-77' }),
    ...[producerNpn, agencyNpn].map((npn) => appointed(npn, { companyCode: 'c123' })),
    agent({ _id: id(3), npn: '300', externalId: 'AGT-1' }),
    { type: 'carrier', _id: newId(), name: 'Beacon Specialty', naicCode: 'C0123' },
  );
});

describe('another spelling of a number', () => {
  const agentIds = async (query: Record<string, string>) => {
    const { data } = await ask(owner, agentRoutes.routes.listAgents, { query });
    return (data as { agent: { _id: string } }[]).map((one) => one.agent._id);
  };
  const checked = async (fields: object) => {
    const { data } = await ask(owner, routes.checkSales, { body: { checks: [question(fields)] } });
    const [{ seller, agency, product, company } = {}] = (data as { checks: Record<string, unknown>[] })
      .checks;
    return { seller, agency, product, company };
  };
  const shown = { _id: id(1) };

  it.each<[what: string, read: () => Promise<unknown>, expected: unknown]>([
    ['agents by NPN', () => agentIds({ npn: '08-123 456' }), [shown._id]],
    ['agents by license', () => agentIds({ licenseNumber: 'c12345', stateCode: 'TX' }), [shown._id]],
    ['agents by a license of zeros', () => agentIds({ licenseNumber: '000', stateCode: 'TX' }), []],
    ['agents by external id, as written', () => agentIds({ externalId: 'agt-1' }), []],
    [
      'subscriptions by NPN',
      async () => {
        const { data } = await ask(owner, routes.listComplianceDataSubscriptions, {
          query: { npn: '0017654321' },
        });
        return (data as { npn: string }[]).map(({ npn }) => npn);
      },
      [agencyNpn],
    ],
    [
      'a look-up, once',
      async () => {
        const body = { npns: ['008-123456', producerNpn] };
        return (await ask(owner, routes.lookUpNpns, { body })).data;
      },
      [{ npn: producerNpn, result: 'individual', name: 'Maria Delgado' }],
    ],
    [
      'a sale check',
      () =>
        checked({
          seller: { npn: '008123456' },
          agency: { npn: '0017-654321' },
          product: { productCode: 'cgl' },
          carrierNaicCode: '00 c-0123',
        }),
      {
        seller: expect.objectContaining({ npn: producerNpn }),
        agency: expect.objectContaining({ npn: agencyNpn }),
        product: expect.objectContaining({ productName: 'General Liability' }),
        company: { carrierNaicCode: '00 c-0123', name: 'Beacon Specialty' },
      },
    ],
    [
      'a sale check by producer code',
      async () => (await checked({ agency: { producerCode: 'p-7731' } })).agency,
      expect.objectContaining({ npn: agencyNpn }),
    ],
  ])('finds the same: %s', async (_what, read, expected) => {
    expect(await read()).toEqual(expected);
  });

  it.each<[what: string, fields: object]>([
    ['agencyNpn', { agencyNpn: '0017-654321' }],
    ['agencyFein', { agencyFein: '1 7654321' }],
    ['agencyLicenseNumber', { agencyLicenseNumber: '00la77', agencyLicensedStateCode: 'tx' }],
    ['agentNpn', { producerCode: 'p-7731', agentNpn: '08-123 456' }],
    [
      'agentLicenseNumber',
      { producerCode: 'p-7731', agentLicenseNumber: 'C12345', agentLicensedState: 'TX' },
    ],
    ['productCode', { producerCode: 'p-7731', productCode: 'cGL' }],
  ])('matches the same: %s', async (name, fields) => {
    await given(owner, transaction(`SAME-${name}`, fields));
    const [found] = await transactionsOf(owner, `SAME-${name}`);
    expect(found).toMatchObject({
      entityMatchStatus: 'auto matched',
      upstreamDownstreamAssociationId: agency,
      ...(name.startsWith('agent') ? { matchedAgents: [{ agentId: id(1) }] } : {}),
    });
  });

  it.each(['812345.6', '-', '000', '8123456a'])('no NPN is “%s”', async (npn) => {
    expect(await ask(owner, routes.lookUpNpns, { body: { npns: [npn] } })).toMatchObject({ status: 400 });
    expect(await ask(owner, agentRoutes.routes.listAgents, { query: { npn } })).toMatchObject({
      status: 400,
    });
    await given(owner, transaction(`NO-NPN-${npn}`, { producerCode: 'p-7731', agentNpn: npn }));
    expect(await transactionsOf(owner, `NO-NPN-${npn}`)).toMatchObject([{ agentMatchStatus: 'unmatched' }]);
  });

  it('is of the same record in an import', async () => {
    const npn = `00${producerNpn}`;
    expect(await importLines(owner, [agent({ npn, lastName: 'Ruiz' })])).toMatchObject({
      ids: [expect.objectContaining({ _id: id(1) })],
    });
    const known = { type: 'carrier', name: 'Beacon', naicCode: '0C-0123' };
    expect(await importLines(owner, [known])).toMatchObject({ notes: [{ code: 'not_changed' }] });
  });
});
