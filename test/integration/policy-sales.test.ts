import type { BookRow, SaleRow, SalesSummary } from '#domain/policy-compliance/resource.ts';
import { ask, given, newOwner, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  daniel,
  generalLiability,
  gulf,
  loneMain,
  maria,
  routes,
  sold,
} from '../support/compliance-tests.ts';
import { agent, appointment, associationOf, license, product } from '../support/import-lines.ts';
import { organizationsIn } from '../support/organizations.ts';
import { databaseCalls } from '../support/tables.ts';

// Maria and Lone Star are licensed in Texas since 2020; Daniel is not, and Gulf Shore was until May 2026.

const ofLone = { upstreamDownstreamAssociationId: loneMain, agentNpn: '8123456' };
const ofGulf = { upstreamDownstreamAssociationId: gulf, agentNpn: '9034417' };
const [binding, nina] = ['51'.padStart(24, '0'), '35'.padStart(24, '0')];
const renewal = {
  policyTransactionType: 'Renewal',
  policyTransactionDate: '2026-06-20',
  effectiveDate: '2026-06-25',
};
const onBinding = product(binding, {
  productName: 'BIND',
  productCode: 'BIND',
  validFrom: '2020-01-01',
  states: ['TX', 'OK', 'LA'].map((stateCode) => ({
    stateCode,
    linesOfAuthority: [],
    licenseOf: 'agent',
    appointment: 'on binding',
    appointmentOf: 'agent',
    appointWithinDays: 15,
  })),
});
const bound = (policyNumber: string, riskStateCode: string, policyTransactionDate: string) =>
  sold(policyNumber, {
    ...ofLone,
    productCode: 'BIND',
    riskStateCode,
    policyTransactionDate,
    effectiveDate: undefined,
  });
const inState = (stateCode: string, licenseNumber: string) =>
  license({
    npn: '8123456',
    stateCode,
    licenseNumber,
    residencyStatus: 'non-resident',
    issueDate: '2020-01-01',
  });

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await given(
    owner,
    ...carrierLines,
    onBinding,
    inState('OK', '201'),
    inState('LA', '202'),
    agent({ _id: nina, npn: '5551234', downstreamEntityAssociationIds: [loneMain] }),
    license({ npn: '5551234', licenseNumber: '103', issueDate: '2026-05-25' }),
    sold('LICENSED', { ...ofLone, insuredEntityName: 'Acme Roofing LLC' }),
    sold('UNLICENSED', ofGulf),
    sold('UNLICENSED', {
      ...ofLone,
      policyTransactionType: 'Endorsement',
      policyTransactionDate: '2026-05-01',
    }),
    sold('UNLICENSED', renewal),
    sold('REINSTATED', ofGulf),
    sold('REINSTATED', {
      ...ofLone,
      policyTransactionType: 'Reinstatement',
      policyTransactionDate: '2026-06-01',
    }),
    sold('UNKNOWN', { ...ofLone, agentNpn: '79999999' }),
    sold('STRANGER', { ...ofLone, agentName: 'Quentin Zimmermann' }),
    sold('NOBODY', { ...ofLone, agentNpn: undefined }),
    sold('NO-AGENCY', { agentNpn: '8123456', agencyName: 'Nobody' }),
    sold('NO-AGENCY-UNLICENSED', { agentNpn: '9034417', agencyName: 'Nobody' }),
    sold('NO-PRODUCT', { ...ofLone, productCode: 'NONE' }),
    sold('TOO-SOON', {
      ...ofLone,
      agentNpn: '5551234',
      policyTransactionDate: '2026-05-20',
      effectiveDate: '2026-06-01',
    }),
    sold('BACKDATED', {
      ...ofLone,
      agentNpn: '5551234',
      policyTransactionDate: '2026-06-20',
      effectiveDate: '2026-05-01',
    }),
    bound('NEVER', 'TX', '2026-01-19'),
    bound('AGAIN', 'TX', '2026-07-01'),
    bound('LATE', 'OK', '2026-05-01'),
    bound('IN-TIME', 'LA', '2026-05-01'),
    appointment({ stateCode: 'OK', statusChangeDate: '2026-06-01' }),
    appointment({ stateCode: 'LA', statusChangeDate: '2026-05-16' }),
  );
});

const sales = async (query = {}, of = owner): Promise<SaleRow[]> => {
  const { data, status, ...refusal } = await ask(of, routes.listPolicySales, { query });
  if (status !== 200) throw new Error(JSON.stringify(refusal));
  return data as SaleRow[];
};
const salesOf = async (number: string, query = {}) =>
  (await sales(query))
    .filter(({ policyNumber }) => policyNumber === number)
    .sort((one, other) => one.soldOn.localeCompare(other.soldOn));

const book = async (query = {}, of = owner) =>
  (await ask(of, routes.listPolicyComplianceStatuses, { query })).data as BookRow[];

it('is in the book as the latest sale of its policy, whoever services that now', async () => {
  const rows = await book();
  const latest = new Map(
    (await sales())
      .sort((one, other) => one.soldOn.localeCompare(other.soldOn))
      .map(({ policyNumber, soldOn, agents, complianceStatus, basis, configBasis, ...sale }) => {
        const { licenseStatus, appointmentStatus } = sale;
        const statuses = { complianceStatus, licenseStatus, appointmentStatus, basis, configBasis, agents };
        return [policyNumber, { soldOn, ...statuses }] as const;
      }),
  );
  expect(rows.length).toBe(latest.size);
  // The list of sales also says what its agents are known by.
  expect(Object.fromEntries(latest)).toMatchObject(
    Object.fromEntries(rows.map(({ policyNumber, atSale }) => [policyNumber, atSale])),
  );
  expect(rows.map(({ soldOn }) => soldOn)).toEqual(rows.map(({ atSale }) => atSale?.soldOn));
  for (const [atSale, complianceStatus] of [
    ['COMPLIANT', 'COMPLIANT'],
    ['NOT_COMPLIANT', 'NOT_COMPLIANT'],
    ['NOT_KNOWN', null],
  ] as const) {
    const expected = rows.filter((row) => row.atSale?.complianceStatus === complianceStatus);
    expect(await book({ atSale })).toEqual(expected);
    expect(expected).not.toEqual([]);
  }
  expect(rows.find(({ policyNumber }) => policyNumber === 'REINSTATED')).toMatchObject({
    complianceStatus: 'COMPLIANT',
    agents: [{ agentId: maria }],
    atEffectiveDate: { complianceStatus: 'NOT_COMPLIANT', agents: [{ agentId: daniel }] },
    atSale: { complianceStatus: 'NOT_COMPLIANT', agents: [{ agentId: daniel }] },
  });
  expect(rows.find(({ policyNumber }) => policyNumber === 'NOBODY')).toMatchObject({
    complianceStatus: null,
    licenseStatus: { statusMessages: [expect.stringContaining('name one in the transaction')] },
  });
});

it('has everything that is to be known of a sale', async () => {
  expect(await salesOf('LICENSED')).toEqual([
    {
      transactionId: expect.stringMatching(/^[0-9a-f]{24}$/),
      policyId: expect.stringMatching(/^[0-9a-f]{24}$/),
      policyNumber: 'LICENSED',
      insuredName: 'Acme Roofing LLC',
      policyTransactionType: 'New',
      soldOn: '2026-02-20',
      effectiveDate: '2026-03-01',
      stateCode: 'TX',
      productId: '41'.padStart(24, '0'),
      productName: 'General Liability',
      carrierNaicCode: null,
      premiumAmountInUSD: 1_000,
      upstreamDownstreamAssociationId: loneMain,
      downstreamEntityId: '1'.padStart(24, '0'),
      agents: [
        {
          agentId: maria,
          npn: '8123456',
          firstName: 'Maria',
          lastName: 'Delgado',
          licenseNumber: '101',
          complianceStatus: 'COMPLIANT',
          licenseStatus: { statusName: 'Licensed' },
          appointmentStatus: { statusName: 'Not Required' },
          basis: 'registry dates',
        },
      ],
      complianceStatus: 'COMPLIANT',
      licenseStatus: { statusName: 'Licensed' },
      appointmentStatus: { statusName: 'Not Required' },
      reasons: [],
      warnings: [],
      appointmentDueOn: null,
      appointedOn: null,
      basis: 'registry dates',
      configBasis: 'version',
    },
  ]);
});

it('warns of an agent whom the agency does not have, and of an association that is not active, and judges no other agency', async () => {
  const other = await newOwner();
  const [here, there] = ['c'.repeat(24), 'd'.repeat(24)];
  await given(
    other,
    generalLiability,
    ...[here, there].map((_id) =>
      associationOf(_id, { legalName: _id, category: 'agency' }, { externalId: _id }),
    ),
    agent({ _id: 'e'.repeat(24), downstreamEntityAssociationIds: [here] }),
    license({ npn: '8123456', issueDate: '2020-01-01' }),
    sold('LENT', { ...ofLone, upstreamDownstreamAssociationId: there }),
    sold('PAUSED', {
      ...ofLone,
      upstreamDownstreamAssociationId: here,
      entityMatchStatus: 'user confirmed',
    }),
  );
  const paused = { type: 'association', _id: here, externalId: here, status: 'inactive' };
  await given(other, { ...paused, downstreamEntity: { legalName: here, category: 'agency' } });
  const warned = {
    LENT: [saying('association_of_today')],
    PAUSED: [saying('association_of_today', 'agency')],
  };
  for (const rows of [await sales({}, other), await book({}, other)]) {
    expect(Object.fromEntries(rows.map(({ policyNumber, warnings }) => [policyNumber, warnings]))).toEqual(
      warned,
    );
  }
  await given(other, associationOf(here, { legalName: 'Other', category: 'agency' }, { externalId: here }));
  const ofAnotherAgency = { policyNumber: 'PAUSED', complianceStatus: null, downstreamEntityId: null };
  expect(await sales({}, other)).toContainEqual(expect.objectContaining(ofAnotherAgency));
});

const saying = (code: string, party = 'seller') => expect.objectContaining({ code, party });

it.each([
  [
    'an endorsement and a renewal by others',
    'UNLICENSED',
    ['NOT_COMPLIANT', 'COMPLIANT'],
    ['license_missing'],
  ],
  ['a reinstatement by others', 'REINSTATED', ['NOT_COMPLIANT'], ['license_missing']],
  ['an NPN that nobody has', 'UNKNOWN', [null], ['seller_unknown']],
  ['an NPN with a stranger’s name', 'STRANGER', [null], ['seller_unknown']],
  ['no agent', 'NOBODY', [null], ['seller_not_named']],
  ['no product', 'NO-PRODUCT', [null], ['product_unknown']],
  [
    'a license that began after the sale and before its effect',
    'TOO-SOON',
    ['NOT_COMPLIANT'],
    ['license_not_begun'],
  ],
  ['an effective date before the license began', 'BACKDATED', ['NOT_COMPLIANT'], ['license_not_begun']],
  ['an appointment that was never made', 'NEVER', ['NOT_COMPLIANT'], ['appointment_late']],
  ['an appointment that was overdue', 'AGAIN', ['NOT_COMPLIANT'], ['appointment_overdue']],
  ['an appointment that was made late', 'LATE', ['NOT_COMPLIANT'], ['appointment_late']],
  ['an appointment that was made in time', 'IN-TIME', ['COMPLIANT'], []],
])('judges each sale on its day: %s', async (_what, number, statuses, codes) => {
  const rows = await salesOf(number);
  expect(rows.map(({ complianceStatus }) => complianceStatus)).toEqual(statuses);
  expect(rows[0]?.reasons.map(({ code }) => code)).toEqual(codes);
});

it('says by when an appointment was due, and when it was made', async () => {
  const dates = async (number: string) =>
    (await salesOf(number)).map(({ appointmentDueOn, appointedOn }) => [appointmentDueOn, appointedOn]);
  expect(await dates('NEVER')).toEqual([['2026-02-03', null]]);
  expect(await dates('LATE')).toEqual([['2026-05-16', '2026-06-01']]);
  expect(await dates('IN-TIME')).toEqual([['2026-05-16', '2026-05-16']]);
  const notYet = await salesOf('LATE', { knownAt: '2026-05-10T12:00:00Z' });
  expect(notYet).toMatchObject([{ appointmentDueOn: '2026-05-16', appointedOn: null }]);
});

it.each([
  [{ complianceStatus: 'COMPLIANT' }, (row: SaleRow) => row.complianceStatus === 'COMPLIANT'],
  [{ complianceStatus: 'NOT_COMPLIANT' }, (row: SaleRow) => row.complianceStatus === 'NOT_COMPLIANT'],
  [{ complianceStatus: 'NOT_KNOWN' }, (row: SaleRow) => row.complianceStatus === null],
  [{ soldFrom: '2026-05-20' }, (row: SaleRow) => row.soldOn >= '2026-05-20'],
  [{ soldUntil: '2026-05-20' }, (row: SaleRow) => row.soldOn <= '2026-05-20'],
  [{ soldFrom: '2026-05-20', soldUntil: '2026-05-20' }, (row: SaleRow) => row.soldOn === '2026-05-20'],
  [{ stateCode: 'OK' }, (row: SaleRow) => row.stateCode === 'OK'],
  [{ productId: binding }, (row: SaleRow) => row.productId === binding],
  [{ agentId: nina }, (row: SaleRow) => row.agents.some(({ agentId }) => agentId === nina)],
  [
    { downstreamEntityAssociationId: gulf, soldFrom: '2026-01-01' },
    (row: SaleRow) => row.upstreamDownstreamAssociationId === gulf,
  ],
] as const satisfies [Record<string, string>, (row: SaleRow) => boolean][])(
  'lists those that are asked for, and adds them up: %j',
  async (query: Record<string, string>, isAskedFor) => {
    const rows = await sales(query);
    const expected = (await sales()).filter(isAskedFor);
    expect(expected).not.toEqual([]);
    expect(rows).toEqual(expected);
    const { data } = await ask(owner, routes.getPolicySalesSummary, { query });
    const summary = data as SalesSummary;
    expect(summary.sales).toBe(expected.length);
    expect(summary.groups.reduce((sum, group) => sum + group.sales, 0)).toBe(expected.length);
    expect(summary.premiumAmountInUSD).toBe(expected.length * 1_000);
  },
);

it('leaves a sale of an inherited agent who retired to the agency where policies name no agents', async () => {
  const other = await organizationsIn(tables.organizations)('upstreamEntity', { policiesNameAgents: false });
  const own = (id: string): string => id.replace('0000', '9999');
  const lines = JSON.parse(JSON.stringify(carrierLines).replaceAll('"0000', '"9999')) as { type: string }[];
  const seller = (downstreamEntityAssociationIds: string[]) =>
    agent({ _id: own(maria), downstreamEntityAssociationIds });
  await given(
    other,
    ...lines.filter(({ type }) => type !== 'agent'),
    seller([own(loneMain)]),
    sold('P', { ...ofLone, upstreamDownstreamAssociationId: own(loneMain) }),
  );
  await given(other, seller([]));
  await given(other, sold('P', renewal));
  expect(await sales({ soldFrom: renewal.policyTransactionDate }, other)).toMatchObject([
    { complianceStatus: 'COMPLIANT', agents: [], reasons: [] },
  ]);
});

it('refuses a moment to come, and days that are none', async () => {
  for (const query of [
    { knownAt: '2026-07-02T00:00:00Z' },
    { soldFrom: '2026-13-01' },
    { asOf: '2026-01-01' },
  ]) {
    expect((await ask(owner, routes.listPolicySales, { query })).status).toBe(400);
  }
});

it('reads each holder once, and nobody of another organization', async () => {
  const { queries } = await databaseCalls(() => sales());
  const holders = queries.filter(({ table }) => table === tables.registryRecords).map(({ values }) => values);
  expect(new Set(holders).size).toBe(holders.length);
  expect(await sales({}, await newOwner())).toEqual([]);
});

it('is judged in its own state, also where the book is asked about that of its policy now', async () => {
  const bindInOklahoma = { ...ofLone, riskStateCode: 'OK', productCode: 'BIND' };
  const moved = { ...ofLone, policyTransactionType: 'Endorsement', policyTransactionDate: '2026-05-01' };
  await given(owner, sold('MOVED', bindInOklahoma), sold('MOVED', moved));
  const [row, ...others] = (await book({ stateCode: 'TX' })).filter(
    ({ policyNumber }) => policyNumber === 'MOVED',
  );
  expect(others).toEqual([]);
  expect(row).toMatchObject({ stateCode: 'TX', atSale: { licenseStatus: { statusName: 'Licensed' } } });
  expect(await book()).toContainEqual(row);
});
