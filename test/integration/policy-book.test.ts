import type { BookRow } from '#domain/policy-compliance/resource.ts';
import { ask, given, newOwner, now, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  cyber,
  daniel,
  generalLiability,
  gulf,
  inTexas,
  liability,
  loneAustin,
  loneMain,
  maria,
  routes,
  sold,
} from '../support/compliance-tests.ts';
import { agent, appointment, associationOf, associationWith, license } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { databaseCalls } from '../support/tables.ts';

const policies = [
  sold('LICENSED', { upstreamDownstreamAssociationId: loneMain, agentNpn: '8123456' }),
  sold('BRANCH', { upstreamDownstreamAssociationId: loneAustin }),
  sold('CYBER', { upstreamDownstreamAssociationId: loneMain, productCode: 'CY' }),
  sold('EXPIRED', { upstreamDownstreamAssociationId: gulf, agentNpn: '9034417' }),
  sold('LATER', { upstreamDownstreamAssociationId: gulf, effectiveDate: '2026-06-15T20:00:00Z' }),
  sold('UNDATED', { upstreamDownstreamAssociationId: gulf, effectiveDate: undefined }),
  sold('OKLAHOMA', { upstreamDownstreamAssociationId: loneMain, riskStateCode: 'OK' }),
  sold('BY-NPN', { agencyNpn: '019001763', agentNpn: '8123456', entityMatchStatus: 'user confirmed' }),
  sold('SEVERAL', { agencyNpn: '17654321', entityMatchStatus: 'user confirmed' }),
  sold('NO-AGENCY', { agencyNpn: 'none', entityMatchStatus: 'user confirmed' }),
  sold('UNKNOWN-ID', { upstreamDownstreamAssociationId: liability, entityMatchStatus: 'user confirmed' }),
  sold('UNMATCHED', { agencyName: 'Nobody & Sons' }),
  sold('REVIEW', { agencyName: 'Gulf Shore Insurance Agency' }),
  sold('DELETED', { upstreamDownstreamAssociationId: gulf }),
  { type: 'policy', policyNumber: 'DELETED', isDeleted: true },
];

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await given(owner, ...carrierLines, ...policies);
});

const route = routes.listPolicyComplianceStatuses;

async function book(query: Record<string, string> = {}, of = owner): Promise<Map<string, BookRow>> {
  const { status, data } = await ask(of, route, { query });
  if (status !== 200) throw new Error(JSON.stringify(data));
  const rows = data as BookRow[];
  const byNumber = new Map(rows.map((row) => [row.policyNumber, row]));
  expect(byNumber.size).toBe(rows.length);
  return byNumber;
}

const numbers = async (query: Record<string, string>) => [...(await book(query)).keys()].sort();

const ofNobody = ['BY-NPN', 'NO-AGENCY', 'REVIEW', 'SEVERAL', 'UNKNOWN-ID', 'UNMATCHED'];
const settled = ['BRANCH', 'CYBER', 'EXPIRED', 'LATER', 'LICENSED', 'OKLAHOMA', 'UNDATED'];

it('has every policy once, with its association, its agents, its premium, and both verdicts', async () => {
  const rows = await book();
  expect([...rows.keys()].sort()).toEqual([...ofNobody, ...settled].sort());
  expect(rows.get('LICENSED')).toMatchObject({
    stateCode: 'TX',
    productId: liability,
    productName: 'General Liability',
    premiumAmountInUSD: 1_000,
    effectiveDate: '2026-03-01',
    upstreamDownstreamAssociationId: loneMain,
    downstreamEntityId: '1'.padStart(24, '0'),
    complianceStatus: 'COMPLIANT',
    agents: [{ agentId: maria, complianceStatus: 'COMPLIANT' }],
    atEffectiveDate: { complianceStatus: 'COMPLIANT', agents: [{ agentId: maria }] },
  });
  expect(rows.get('EXPIRED')).toMatchObject({
    complianceStatus: 'NOT_COMPLIANT',
    licenseStatus: { statusName: 'Missing License' },
    agents: [{ agentId: daniel, complianceStatus: 'NOT_COMPLIANT' }],
    atEffectiveDate: { complianceStatus: 'NOT_COMPLIANT' },
  });
  expect(rows.get('CYBER')).toMatchObject({ appointmentStatus: { statusName: 'Not Appointed' } });
  expect(rows.get('UNDATED')).toMatchObject({ effectiveDate: null, atEffectiveDate: null });
  expect(rows.get('LICENSED')).not.toHaveProperty('statusMessages');
});

it('shows the premium of the latest term and what becomes of it, and has of a day what is in force, as its summary does', async () => {
  const other = await newOwner();
  const term = { expiryDate: '2027-03-01', upstreamDownstreamAssociationId: '9a'.repeat(12) };
  const later = (policyTransactionType: string, premiumAmountInUSD: number) => ({
    ...term,
    policyTransactionType,
    policyTransactionDate: '2026-05-01',
    premiumAmountInUSD,
  });
  await given(
    other,
    generalLiability,
    associationOf(
      term.upstreamDownstreamAssociationId,
      { legalName: 'Lone Star', category: 'agency' },
      { externalId: 'l' },
    ),
    sold('ENDORSED', { ...term, premiumAmountInUSD: 10_000 }),
    sold('ENDORSED', later('Endorsement', 100)),
    sold('CANCELED', term),
    {
      type: 'policy',
      policyNumber: 'OPEN',
      riskStateCode: 'TX',
      currentStatus: 'active',
      effectiveDate: '2026-04-01',
    },
  );
  // What is imported by itself is added to what was there.
  await given(other, sold('CANCELED', later('Cancellation', -650)));
  expect((await book({}, other)).get('ENDORSED')).toMatchObject({
    currentStatus: 'bound',
    effectiveDate: '2026-03-01',
    expiryDate: '2027-03-01',
    premiumAmountInUSD: 10_100,
  });
  expect((await book({}, other)).get('CANCELED')).toMatchObject({ premiumAmountInUSD: 350 });
  const onDays = ['2026-02-28', '2026-03-01', '2026-05-01', '2027-03-01'].map(async (inForceOn) => [
    inForceOn,
    ...[...(await book({ inForceOn }, other)).keys()].sort(),
  ]);
  expect(await Promise.all(onDays)).toEqual([
    ['2026-02-28'],
    ['2026-03-01', 'CANCELED', 'ENDORSED'],
    ['2026-05-01', 'ENDORSED', 'OPEN'],
    ['2027-03-01', 'OPEN'],
  ]);
  const summary = await ask(other, routes.getPolicyComplianceSummary, { query: { inForceOn: '2026-03-01' } });
  expect(summary.data).toMatchObject({ policies: 2, premiumAmountInUSD: 10_450 });
});

it('judges an agency that only its NPN names, where one association has it', async () => {
  const row = (await book()).get('BY-NPN');
  expect(row).toMatchObject({
    upstreamDownstreamAssociationId: gulf,
    complianceStatus: 'NOT_COMPLIANT',
    atEffectiveDate: { complianceStatus: 'COMPLIANT' },
  });
});

it.each([
  ['UNMATCHED', 'The agency was not identified.'],
  ['REVIEW', 'The agency is in manual review.'],
  ['NO-AGENCY', 'There is no association with the agency.'],
  ['UNKNOWN-ID', 'There is no association with the agency.'],
  ['SEVERAL', 'Several associations have the agency’s NPN.'],
])('says nothing of the compliance of %s, and why', async (number, why) => {
  expect((await book()).get(number)).toMatchObject({
    productId: liability,
    premiumAmountInUSD: 1_000,
    upstreamDownstreamAssociationId: null,
    downstreamEntityId: null,
    complianceStatus: null,
    licenseStatus: null,
    appointmentStatus: null,
    basis: null,
    configBasis: null,
    agents: [],
    atEffectiveDate: null,
    statusMessages: [why],
  });
});

it('judges an agent who works for the agency under another of its branches, until that is deleted', async () => {
  const other = await newOwner();
  const [downstreamEntityId, main, branch, elsewhere] = ['c1', 'c2', 'c3', 'c4'].map((id) => id.repeat(12));
  const austin = associationWith(branch, downstreamEntityId, { branchName: 'Austin', externalId: 'a' });
  const producer = (npn: string, associationId: string | undefined) =>
    agent({ _id: npn.padStart(24, '0'), npn, downstreamEntityAssociationIds: [associationId] });
  await given(
    other,
    { type: 'downstream-entity', _id: downstreamEntityId, npn: '17654321', legalName: 'Lone Star Brokerage' },
    { type: 'association', _id: main, downstreamEntityId, externalId: 'main' },
    austin,
    associationOf(elsewhere, { legalName: 'Elsewhere', category: 'agency' }, { externalId: 'e' }),
    license({ npn: '17654321', issueDate: '2020-01-01' }),
    generalLiability,
    producer('20114873', branch),
    producer('20114874', elsewhere),
    sold('OF-BRANCH', { agencyNpn: '17654321', agentNpn: '20114873' }),
    sold('OF-OTHERS', { agencyNpn: '17654321', agentNpn: '20114874' }),
  );
  const unlicensed = { agentId: '20114873'.padStart(24, '0'), complianceStatus: 'NOT_COMPLIANT' };
  const rowOf = async (number: string) => (await book({}, other)).get(number);
  expect(await rowOf('OF-BRANCH')).toMatchObject({
    upstreamDownstreamAssociationId: main,
    complianceStatus: 'NOT_COMPLIANT',
    agents: [unlicensed],
  });
  expect(await rowOf('OF-OTHERS')).toMatchObject({ complianceStatus: null, agents: [] });
  await given(other, { ...austin, isDeleted: true });
  expect(await rowOf('OF-BRANCH')).toMatchObject({
    complianceStatus: null,
    agents: [],
    atEffectiveDate: { complianceStatus: 'NOT_COMPLIANT', agents: [unlicensed] },
  });
});

it('does not know of a policy that an agent may have sold, until matching or a person decides', async () => {
  const other = await newOwner();
  const [downstreamEntityId, association] = ['d1', 'd2'].map((id) => id.repeat(12));
  const producer = (npn: string, fields: object = {}) =>
    agent({ _id: npn.padStart(24, '0'), npn, downstreamEntityAssociationIds: [association], ...fields });
  const found = { matchSource: 'name', matchConfidence: 0.8, matchedAt: '2026-03-01T00:00:00Z' };
  const ofAgency = { agencyNpn: '17654321', uniqueTransactionId: 'only' };
  const review = {
    ...ofAgency,
    agentMatchStatus: 'manual review',
    matchedAgents: [{ agentId: '20114874'.padStart(24, '0'), ...found }],
  };
  await given(
    other,
    { type: 'downstream-entity', _id: downstreamEntityId, npn: '17654321', legalName: 'Lone Star Brokerage' },
    { type: 'association', _id: association, downstreamEntityId, externalId: 'lone' },
    ...['17654321', '8123456'].map((npn) => license({ npn, issueDate: '2020-01-01' })),
    generalLiability,
    ...['8123456', '20114873', '20114874'].map((npn) => producer(npn)),
    sold('NAMESAKES', { ...ofAgency, agentName: 'Maria Delgado' }),
    sold('DISPUTED', { ...ofAgency, agentNpn: '20114873', agentName: 'Nora Bellamy' }),
    sold('STATED', review),
  );
  for (const row of (await book({}, other)).values()) {
    const statusMessages = ['The agent was not identified.'];
    const licenseStatus = { statusName: 'License Not Known', statusMessages };
    const verdict = { complianceStatus: null, licenseStatus, agents: [] };
    expect(row).toMatchObject({ ...verdict, atEffectiveDate: verdict });
  }
  await given(
    other,
    producer('20114873', { firstName: 'Nora', lastName: 'Bellamy' }),
    sold('STATED', { ...review, agentMatchStatus: 'user confirmed' }),
  );
  const rematch = { command: 'rematch', input: { organizationId: other } };
  expect(await importFunctionOf(tables, now)(rematch)).toMatchObject({ ok: true });
  const rows = await book({}, other);
  for (const [number, npn] of [['DISPUTED', '20114873'] as const, ['STATED', '20114874'] as const]) {
    const agents = [{ agentId: npn.padStart(24, '0'), complianceStatus: 'NOT_COMPLIANT' }];
    expect(rows.get(number)).toMatchObject({ complianceStatus: 'NOT_COMPLIANT', agents });
  }
  expect(rows.get('NAMESAKES')).toMatchObject({ complianceStatus: null, agents: [] });
});

it.each([
  [{ complianceStatus: 'COMPLIANT' }, ['LICENSED']],
  // Nobody is judged, or nobody is named who sold it.
  [{ complianceStatus: 'NOT_KNOWN' }, ['BRANCH', ...ofNobody.filter((number) => number !== 'BY-NPN')]],
  [{ atEffectiveDate: 'NOT_KNOWN' }, ['BRANCH']],
  [{ complianceStatus: 'NOT_COMPLIANT' }, ['BY-NPN', 'CYBER', 'EXPIRED', 'LATER', 'OKLAHOMA', 'UNDATED']],
  [{ atEffectiveDate: 'NOT_COMPLIANT' }, ['CYBER', 'EXPIRED', 'LATER', 'OKLAHOMA']],
  [{ stateCode: 'OK' }, ['OKLAHOMA']],
  [{ productId: cyber }, ['CYBER']],
  [{ effectiveFrom: '2026-06-15' }, ['LATER']],
  [{ effectiveFrom: '2026-06-16' }, []],
  [{ effectiveFrom: '2026-03-02', effectiveUntil: '2026-06-15', stateCode: 'TX' }, ['LATER']],
  [{ effectiveFrom: '2026-03-02', effectiveUntil: '2026-06-14' }, []],
  [{ complianceStatus: 'NOT_COMPLIANT', atEffectiveDate: 'COMPLIANT' }, ['BY-NPN']],
  [{ complianceStatus: 'COMPLIANT', asOf: '2026-05-31' }, ['LICENSED']],
  [{ complianceStatus: 'COMPLIANT', knownAt: '2026-01-01T00:00:00Z' }, []],
])('is filtered by %j', async (query, expected) => {
  expect(await numbers(query)).toEqual(expected);
});

it.each([{ asOf: '2026-07-02' }, { knownAt: '2026-07-02T00:00:00Z' }, { complianceStatus: 'LICENSED' }])(
  'refuses %j',
  async (query) => {
    expect(await ask(owner, route, { query })).toMatchObject({ status: 400, errorType: 'validation_error' });
  },
);

it('has nothing of another organization', async () => {
  expect(await book({}, await newOwner())).toEqual(new Map());
});

it('reads nobody’s records for policies that are filtered out', async () => {
  const { readKeys } = await databaseCalls(() => book({ stateCode: 'OK' }));
  const holders = readKeys.filter(({ table }) => table.startsWith('registry-records')).map(({ pk }) => pk);
  expect(new Set(holders).size).toBe(1);
});

it('judges a policy that names its company by name alone by the company that has the name in the catalog of carriers', async () => {
  const writer = await newOwner('upstreamEntity', {
    naicCodes: ['22314', '10847'],
    policiesNameAgents: false,
  });
  const association = { _id: 'c'.repeat(24), downstreamEntity: { legalName: 'Tulsa Risk', npn: '16001' } };
  const carriers = [
    ['22314', 'Keystone Fire & Marine Insurance Company'],
    ['10847', 'Prairie Mutual Insurance Company'],
  ].map(([naicCode, name]) => ({ type: 'carrier', naicCode, name, status: 'active' }));
  const companies = {
    APPOINTED: ['KEYSTONE FIRE AND MARINE INS. CO.', 'Appointed'],
    'NOT-APPOINTED': ['Prairie Mutual', 'Not Appointed'],
    NOBODY: ['Nobody Knows Insurance Company', 'Appointment Not Known'],
  };
  await given(
    writer,
    { type: 'association', ...association },
    ...carriers,
    license({ npn: '16001', licenseNumber: '103', ...inTexas }),
    appointment({
      npn: '16001',
      carrierName: 'Keystone Surety Company',
      companyCode: '022314',
      statusChangeDate: '2020-01-01',
    }),
    {
      ...generalLiability,
      productId: 'd'.repeat(24),
      states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'required' }],
    },
    ...Object.entries(companies).map(([policyNumber, [carrierName]]) =>
      sold(policyNumber, { upstreamDownstreamAssociationId: association._id, carrierName }),
    ),
  );
  const rows = await book({}, writer);
  for (const [number, [, statusName]] of Object.entries(companies))
    expect(rows.get(number)?.appointmentStatus).toMatchObject({ statusName });
});
