import type { CarrierIdentity } from '#domain/decision/carrier.ts';
import { routes } from '../support/agents-tests.ts';
import { ask, id, importLines, newOwner } from '../support/carrier-records.ts';
import { agent, license } from '../support/import-lines.ts';
import { databaseCalls } from '../support/tables.ts';

const productId = id(9);
const beacon = { carrierName: 'Beacon Specialty Insurance Company', companyCode: '19437', ein: '75-1234567' };
const keystone = { carrierName: 'Keystone Surety Company', companyCode: '22314', ein: '23-7654321' };

const appointment = (fields: object) => ({
  type: 'appointment',
  status: 'active',
  npn: '8123456',
  stateCode: 'TX',
  lineOfAuthorityCode: '16',
  ...fields,
});

const config = (fields: object = {}) => ({
  type: 'compliance-config',
  productId,
  productName: 'GL',
  states: [{ stateCode: 'TX', linesOfAuthority: ['16', '17'], appointment: 'required' }],
  ...fields,
});

const licensed = license({
  linesOfAuthority: [{ code: '16' }, { code: '17' }],
  nextRenewalDate: '2027-03-31',
});

/** What the API says of an agent with these records: compliance, license and appointment. */
async function statusOf(identity: Partial<CarrierIdentity>, ...records: object[]): Promise<string[]> {
  const owner = await newOwner('upstreamEntity', identity);
  const outcome = await importLines(owner, [agent({ _id: id(1) }), config(), ...records]);
  expect(outcome).toMatchObject({ rejected: [] });
  const { status, data } = await ask(owner, routes.listAgentLicenseComplianceStatuses, {
    params: { agentId: id(1) },
    query: { stateCode: 'TX', productId },
  });
  expect(status).toBe(200);
  const [found] = data as {
    complianceStatus: string;
    licenseStatus: { statusName: string };
    appointmentStatus: { statusName: string };
  }[];
  return [
    found?.complianceStatus ?? '',
    found?.licenseStatus.statusName ?? '',
    found?.appointmentStatus.statusName ?? '',
  ];
}

const coded = { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['751234567'] };
const named = { name: 'Beacon Specialty' };
const allLines = { ...beacon, lineOfAuthorityCode: null };
const dated = { ...beacon, statusChangeDate: '2025-03-01' };
const both = (fields: object) => [appointment(fields), appointment({ ...fields, lineOfAuthorityCode: '17' })];

it.each<[string, Partial<CarrierIdentity>, object[], string]>([
  ['of another insurer, for a carrier with codes', coded, both(keystone), 'Not Appointed'],
  ['of another insurer, for a carrier known by name', named, both(keystone), 'Not Appointed'],
  ['by NAIC code', coded, both({ companyCode: '19437' }), 'Appointed'],
  ['by NAIC code, with leading zeros', coded, both({ companyCode: '0019437' }), 'Appointed'],
  ['by EIN, in another spelling', coded, both({ ein: '75-1234567' }), 'Appointed'],
  ['by name where the carrier has codes', coded, both({ carrierName: 'Beacon Specialty' }), 'Not Appointed'],
  ['by name where the carrier has none', named, both(beacon), 'Appointed'],
  ['called Appointed', coded, both({ ...beacon, status: 'Appointed' }), 'Appointed'],
  ['called Approved', coded, both({ ...beacon, status: 'Approved' }), 'Appointed'],
  ['called Pending', coded, both({ ...beacon, status: 'Pending' }), 'Not Appointed'],
  [
    'called by no word that is known',
    coded,
    both({ ...beacon, status: 'Nullified' }),
    'Appointment Not Known',
  ],
  ['called Terminated', coded, both({ ...beacon, status: 'Terminated' }), 'Not Appointed'],
  [
    'with a reason for its end',
    coded,
    both({ ...beacon, terminationReason: 'Cancelled at request' }),
    'Not Appointed',
  ],
  [
    'whose reason ends nothing',
    coded,
    both({ ...beacon, terminationReason: 'New Appointment' }),
    'Appointed',
  ],
  ['whose renewal date has passed', coded, both({ ...beacon, renewalDate: '2026-06-30' }), 'Appointed'],
  ['for one of two lines', coded, [appointment(beacon)], 'Not Appointed'],
  ['without a line', coded, [appointment({ ...beacon, lineOfAuthorityCode: null })], 'Appointed'],
  ['for all lines', coded, [appointment({ ...allLines, lineOfAuthorityName: 'All Lines' })], 'Appointed'],
  [
    'stated beside an end without a line',
    coded,
    [...both(dated), appointment({ ...allLines, status: 'Terminated', statusChangeDate: '2026-06-01' })],
    'Appointed',
  ],
  [
    'for one line by another insurer',
    coded,
    [appointment(beacon), appointment({ ...keystone, lineOfAuthorityCode: '17' })],
    'Not Appointed',
  ],
])('an appointment %s', async (_, identity, appointments, expected) => {
  const [compliance, licenseStatus, found] = await statusOf(identity, licensed, ...appointments);
  expect([licenseStatus, found]).toEqual(['Licensed', expected]);
  expect(compliance).toBe(expected === 'Appointed' ? 'COMPLIANT' : 'NOT_COMPLIANT');
});

it('of the insurers that a product names count for it, and no others', async () => {
  const product = config({ carrierNaicCodes: ['22314'] });
  expect(await statusOf(coded, licensed, product, ...both(beacon))).toContain('Not Appointed');
  expect(await statusOf(coded, licensed, product, ...both(keystone))).toContain('Appointed');
});

it.each([
  ['expired', '2026-06-30', 'Expired License'],
  ['inactive', '2026-06-30', 'Expired License'],
  ['active', '2026-06-30', 'Expired License'],
  ['expired', '2026-07-01', 'Missing License'],
  ['inactive', null, 'Missing License'],
  ['ACTIVE', '2026-07-01', 'Licensed'],
  // The written calendar date counts, whatever time follows it.
  ['active', '2026-06-30T23:00:00Z', 'Expired License'],
  ['active', '2026-07-01T00:00:00.000Z', 'Licensed'],
])('a license called %s until %s: %s', async (status, nextRenewalDate, expected) => {
  const [, found] = await statusOf(coded, { ...licensed, status, nextRenewalDate });
  expect(found).toBe(expected);
});

it('takes no further call in sequence to know the carrier', async () => {
  const owner = await newOwner('upstreamEntity', coded);
  await importLines(owner, [agent({ _id: id(1) }), config(), licensed, ...both(beacon)]);
  const read = () =>
    ask(owner, routes.listAgentLicenseComplianceStatuses, {
      params: { agentId: id(1) },
      query: { stateCode: 'TX', productId },
    });
  const { calls, inSequence } = await databaseCalls(read);
  // Agent, config, organization, and kinds of classes; then what the config requires, and what is known of the agent.
  expect(calls).toHaveLength(6);
  expect(inSequence).toBe(2);
});
