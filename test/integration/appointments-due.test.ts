import type { AppointmentDue } from '#domain/policy-compliance/resource.ts';
import { ask, given, newOwner } from '../support/carrier-records.ts';
import {
  carrierLines,
  generalLiability,
  gulf,
  loneMain,
  maria,
  routes,
  sold,
} from '../support/compliance-tests.ts';
import { appointment, associationOf, product } from '../support/import-lines.ts';
import { databaseCalls } from '../support/tables.ts';

const [binding, unlimited, ofAgency] = ['51', '52', '53'].map((id) => id.padStart(24, '0'));

const states = ['TX', 'OK', 'LA', 'AR', 'NM', 'CO', 'KS', 'MO'];

const onBinding = (productId: string | undefined, productCode: string, fields: object) =>
  product(productId, {
    productName: productCode,
    productCode,
    validFrom: '2020-01-01',
    states: states.map((stateCode) => ({
      stateCode,
      linesOfAuthority: ['16'],
      licenseOf: 'agent',
      appointment: 'on binding',
      ...fields,
    })),
  });

const appointed = (
  npn: string,
  stateCode: string,
  lineOfAuthorityCode: string,
  statusChangeDate = '2020-01-01',
) => appointment({ npn, stateCode, lineOfAuthorityCode, statusChangeDate });

const ofMain = { upstreamDownstreamAssociationId: loneMain, productCode: 'BIND', agentNpn: '8123456' };
const ofGulf = { ...ofMain, upstreamDownstreamAssociationId: gulf, agentNpn: undefined };

/** Sold on its own, in a state of its own. */
const alone = (number: string, riskStateCode: string, policyTransactionDate: string, fields: object = {}) =>
  sold(number, { ...ofGulf, riskStateCode, policyTransactionDate, effectiveDate: undefined, ...fields });

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await given(
    owner,
    ...carrierLines,
    onBinding(binding, 'BIND', { appointWithinDays: 15 }),
    onBinding(unlimited, 'FREE', {}),
    onBinding(ofAgency, 'AGENCY', { appointmentOf: 'agency', appointWithinDays: 0, linesOfAuthority: [] }),
    sold('NEW', {
      ...ofMain,
      policyTransactionDate: '2026-06-20',
      effectiveDate: '2026-07-01',
      carrierName: 'Beacon',
    }),
    alone('OVERDUE', 'OK', '2026-06-01T23:30:00-05:00'),
    alone('TERMS', 'LA', '2026-06-22'),
    alone('TERMS', 'LA', '2026-06-25', { policyTransactionType: 'Renewal' }),
    alone('TERMS', 'LA', '2026-06-30', { policyTransactionType: 'Endorsement' }),
    alone('UNLIMITED', 'AR', '2026-06-30', { productCode: 'FREE' }),
    alone('AGENCY', 'AR', '2026-06-30', { ...ofMain, productCode: 'AGENCY' }),
    alone('TO-COME', 'TX', '2026-07-02'),
    alone('OTHER-PRODUCT', 'TX', '2026-06-20', { productCode: 'CGL' }),
    alone('OTHER-STATE', 'WA', '2026-06-20'),
    alone('IN-TIME', 'NM', '2026-06-01'),
    alone('LATE', 'CO', '2026-06-01'),
    alone('LONG-AGO', 'KS', '2024-06-01'),
    sold('REVIEW', { productCode: 'BIND', agencyName: 'Gulf Shore Insurance Agency' }),
    appointed('19001763', 'NM', '16', '2026-06-16'),
    appointed('19001763', 'CO', '16', '2026-06-17'),
    appointed('19001763', 'KS', '16', '2025-01-01'),
  );
});

const due = async (of = owner, query = {}) =>
  (await ask(of, routes.listAppointmentsDue, { query })).data as AppointmentDue[];
const dueOf = async (number: string) => (await due()).filter(({ policyNumber }) => policyNumber === number);

it('has a row for the agency and one for each agent, with the day by when they are due', async () => {
  const row = {
    dueStatus: 'due',
    policyId: expect.any(String),
    policyNumber: 'NEW',
    downstreamEntityAssociationId: loneMain,
    company: { carrierNaicCode: null, name: 'Beacon' },
    stateCode: 'TX',
    productId: binding,
    linesOfAuthority: ['16'],
    soldOn: '2026-06-20',
    dueOn: '2026-07-05',
    daysLeft: 4,
    appointedOn: null,
  };
  expect(await dueOf('NEW')).toEqual([
    { ...row, party: 'agency', agentId: null },
    { ...row, party: 'agent', agentId: maria },
  ]);
});

it.each([
  [
    'OVERDUE',
    [{ dueStatus: 'overdue', soldOn: '2026-06-01', dueOn: '2026-06-16', daysLeft: -15, company: null }],
  ],
  [
    'TERMS',
    [
      { dueStatus: 'due', soldOn: '2026-06-22', dueOn: '2026-07-07', daysLeft: 6 },
      { dueStatus: 'due', soldOn: '2026-06-25', dueOn: '2026-07-07', daysLeft: 6 },
    ],
  ],
  [
    'UNLIMITED',
    [{ dueStatus: 'due', productId: unlimited, soldOn: '2026-06-30', dueOn: null, daysLeft: null }],
  ],
  [
    'AGENCY',
    [{ dueStatus: 'overdue', party: 'agency', linesOfAuthority: [], dueOn: '2026-06-30', daysLeft: -1 }],
  ],
  ['IN-TIME', []],
  ['LATE', [{ dueStatus: 'late', dueOn: '2026-06-16', appointedOn: '2026-06-17', daysLeft: null }]],
  ['LONG-AGO', []],
])('has what there is to do after %s', async (number, expected) => {
  expect(await dueOf(number)).toMatchObject(expected);
});

it('has nothing of a later day, of other products and states, and of an agency in review', async () => {
  const numbers = new Set((await due()).map(({ policyNumber }) => policyNumber));
  expect([...numbers].sort()).toEqual(['AGENCY', 'LATE', 'NEW', 'OVERDUE', 'TERMS', 'UNLIMITED']);
});

it.each(['due', 'overdue', 'late'])('has those that are %s alone', async (dueStatus) => {
  const rows = await due(owner, { dueStatus });
  expect(rows).toEqual((await due()).filter((row) => row.dueStatus === dueStatus));
  expect(rows).not.toEqual([]);
});

it('reads nobody’s records where no product appoints when it binds', async () => {
  const other = await newOwner();
  const association = associationOf('e1'.repeat(12), { legalName: 'Plain', npn: '555' });
  const sale = sold('PLAIN', { upstreamDownstreamAssociationId: association._id });
  await given(other, generalLiability, association, sale);
  const { readKeys } = await databaseCalls(() => due(other));
  expect(readKeys.some(({ table }) => table.startsWith('registry-records'))).toBe(false);
});
