import type { AppointmentDue } from '../../shared/domain/policy-compliance/resource.ts';
import {
  ask,
  carrierLines,
  gulf,
  imported,
  loneAustin,
  loneMain,
  maria,
  routes,
  sold,
} from '../support/book-tests.ts';
import { newOwner } from '../support/policies-tests.ts';
import { databaseCalls } from '../support/tables.ts';

const [binding, unlimited, ofAgency, ofLines] = ['51', '52', '53', '54'].map((id) => id.padStart(24, '0'));

const onBinding = (productId: string | undefined, productCode: string, fields: object) => ({
  type: 'compliance-config',
  productId,
  productName: productCode,
  productCode,
  validFrom: '2020-01-01',
  states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'on binding', ...fields }],
});

const appointed = (npn: string, lineOfAuthorityCode: string) => ({
  type: 'appointment',
  status: 'active',
  npn,
  stateCode: 'TX',
  carrierName: 'Beacon Specialty',
  lineOfAuthorityCode,
  statusChangeDate: '2020-01-01',
});

const ofMain = { upstreamDownstreamAssociationId: loneMain, productCode: 'BIND', agentNpn: '8123456' };
const ofGulf = { ...ofMain, upstreamDownstreamAssociationId: gulf, agentNpn: undefined };

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await imported(owner, [
    ...carrierLines,
    onBinding(binding, 'BIND', { appointWithinDays: 15 }),
    onBinding(unlimited, 'FREE', {}),
    onBinding(ofAgency, 'AGENCY', { appointmentOf: 'agency', appointWithinDays: 0, linesOfAuthority: [] }),
    appointed('19001763', '17'),
    sold('NEW', { ...ofMain, policyTransactionDate: '2026-06-20' }),
    sold('OVERDUE', { ...ofGulf, policyTransactionDate: '2026-06-01T23:30:00-05:00' }),
    sold('RENEWED', { ...ofGulf, policyTransactionDate: '2025-06-25' }),
    sold('RENEWED', { ...ofGulf, policyTransactionType: 'Renewal', policyTransactionDate: '2026-06-25' }),
    sold('RENEWED', { ...ofGulf, policyTransactionType: 'Endorsement', policyTransactionDate: '2026-06-30' }),
    sold('UNLIMITED', { ...ofGulf, productCode: 'FREE', policyTransactionDate: '2026-06-30' }),
    sold('AGENCY', { ...ofMain, productCode: 'AGENCY', policyTransactionDate: '2026-06-30' }),
    sold('BY-DATE', {
      ...ofGulf,
      policyTransactionType: 'Endorsement',
      policyTransactionDate: '2026-06-30',
    }),
    { type: 'policy', policyNumber: 'BY-DATE', effectiveDate: '2026-06-16' },
    sold('TO-COME', { ...ofGulf, policyTransactionDate: '2026-07-02' }),
    sold('OTHER-PRODUCT', { ...ofGulf, productCode: 'CGL' }),
    sold('OTHER-STATE', { ...ofGulf, riskStateCode: 'OK' }),
    sold('REVIEW', { productCode: 'BIND', agencyName: 'Gulf Shore Insurance Agency' }),
  ]);
});

const due = async (of = owner) => (await ask(of, routes.listAppointmentsDue)).data as AppointmentDue[];
const dueOf = async (number: string) => (await due()).filter(({ policyNumber }) => policyNumber === number);

it('has a row for the agency and one for each agent, with the day by when they are due', async () => {
  const row = {
    policyId: expect.any(String),
    policyNumber: 'NEW',
    downstreamEntityAssociationId: loneMain,
    stateCode: 'TX',
    productId: binding,
    linesOfAuthority: ['16'],
    boundOn: '2026-06-20',
    dueOn: '2026-07-05',
    daysLeft: 4,
  };
  expect(await dueOf('NEW')).toEqual([
    { ...row, party: 'agency', agentId: null },
    { ...row, party: 'agent', agentId: maria },
  ]);
});

it('has a row for an agent who works for the agency under another of its branches', async () => {
  await imported(owner, [
    sold('BRANCH', {
      ...ofMain,
      upstreamDownstreamAssociationId: loneAustin,
      policyTransactionDate: '2026-06-20',
    }),
  ]);
  expect(await dueOf('BRANCH')).toMatchObject([
    { party: 'agency', downstreamEntityAssociationId: loneAustin },
    { party: 'agent', agentId: maria, downstreamEntityAssociationId: loneAustin },
  ]);
});

it.each([
  ['OVERDUE', { boundOn: '2026-06-01', dueOn: '2026-06-16', daysLeft: -15 }],
  ['RENEWED', { boundOn: '2026-06-25', dueOn: '2026-07-10', daysLeft: 9 }],
  ['UNLIMITED', { productId: unlimited, boundOn: '2026-06-30', dueOn: null, daysLeft: null }],
  ['AGENCY', { party: 'agency', linesOfAuthority: [], dueOn: '2026-06-30', daysLeft: -1 }],
  ['BY-DATE', { boundOn: '2026-06-16', dueOn: '2026-07-01', daysLeft: 0 }],
])('counts the days of %s', async (number, expected) => {
  expect(await dueOf(number)).toMatchObject([expected]);
});

it('has nothing of what is not bound yet, of other products and states, and of an agency in review', async () => {
  const numbers = new Set((await due()).map(({ policyNumber }) => policyNumber));
  expect([...numbers].sort()).toEqual([
    'AGENCY',
    'BRANCH',
    'BY-DATE',
    'NEW',
    'OVERDUE',
    'RENEWED',
    'UNLIMITED',
  ]);
});

it('has nothing of another organization', async () => {
  expect(await due(await newOwner())).toEqual([]);
});

it('shows the limit in the config, and takes none that is no number of days', async () => {
  const states = (appointWithinDays: unknown) => [
    { stateCode: 'TX', linesOfAuthority: [], appointment: 'on binding', appointWithinDays },
  ];
  const put = (days: unknown) =>
    ask(owner, routes.replaceComplianceConfig, {
      params: { productId: ofAgency ?? '' },
      body: { productName: 'AGENCY', productCode: 'AGENCY', states: states(days) },
    });
  for (const days of [-1, 1.5, 367, '15']) expect((await put(days)).status).toBe(400);
  for (const days of [30, null]) {
    expect(await put(days)).toMatchObject({ status: 200, data: { states: states(days) } });
    const { data } = await ask(owner, routes.listComplianceConfigs);
    expect(data).toContainEqual(expect.objectContaining({ productId: ofAgency, states: states(days) }));
  }
});

it('goes once the registry reports the appointment, line by line', async () => {
  const number = { policyTransactionDate: '2026-06-20' };
  await imported(owner, [
    onBinding(ofLines, 'LINES', { linesOfAuthority: ['16', '17'] }),
    sold('LINES', {
      ...number,
      productCode: 'LINES',
      upstreamDownstreamAssociationId: gulf,
    }),
  ]);
  expect(await dueOf('LINES')).toMatchObject([{ party: 'agency', linesOfAuthority: ['16'] }]);
  await imported(owner, [appointed('19001763', '16')]);
  expect(await dueOf('LINES')).toEqual([]);
  expect(await dueOf('OVERDUE')).toEqual([]);
});

it('reads nobody’s records where no product appoints when it binds', async () => {
  const other = await newOwner();
  await imported(other, [sold('PLAIN', { upstreamDownstreamAssociationId: loneAustin })]);
  const { queries } = await databaseCalls(() => due(other));
  expect(queries.some(({ table }) => table.startsWith('registry-records'))).toBe(false);
});
