import { agencySort } from '#domain/policies/stored.ts';
import type { Appointment, License } from '#domain/registry/resources.ts';
import { added, at, context, routes } from '../support/associations-tests.ts';
import { newConfigItems } from '../support/config-items.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { databaseCalls } from '../support/tables.ts';

const npn = '17654321';
const now = () => new Date('2026-07-01T12:00:00.000Z');

beforeEach(() => {
  context.controls.now = now;
});

/** Brings the carrier's records of the agency up to date with a report. */
async function synchronize(
  owner: string,
  time: string,
  { license, appointment }: { license: Partial<License>; appointment: Partial<Appointment> },
): Promise<void> {
  const report = reportOf({ licenses: [license], appointments: [appointment] });
  await holdersIn(context.tables.registryRecords).poll(owner, npn, time, report);
}

const policy = (owner: string, number: string, fields: object = {}) =>
  context.put('policies', {
    pk: `${owner}#POLICY`,
    sk: number,
    _id: number.padStart(24, '0'),
    policyNumber: number,
    currentStatus: 'active',
    riskStateCode: 'TX',
    entityMatchStatus: 'unmatched',
    productMatchStatus: 'unmatched',
    transactionCount: 1,
    createdAt: now().toISOString(),
    updatedAt: now().toISOString(),
    productName: 'GL',
    listKey: owner,
    agencySort: agencySort({ npn }, number),
    ...fields,
  });

/** A carrier whose agency's license lapsed in April and was renewed in June, and whose appointment ended in May. */
async function story(): Promise<{ owner: string; id: string }> {
  const owner = await context.carrier(100, 'upstreamEntity', { policiesNameAgents: false });
  const id = await added(owner, { downstreamEntityNpn: npn });
  const states = [{ stateCode: 'TX' as const, linesOfAuthority: ['16'], appointment: 'required' as const }];
  const items = newConfigItems(owner, {
    productId: '9'.padStart(24, '0'),
    productName: 'GL',
    states,
    validFrom: '2020-01-01',
    recordedAt: '2025-01-01T12:00:00.000Z',
    isSilent: false,
  });
  for (const item of items) await context.put('compliance', item);
  await synchronize(owner, '2026-01-05T09:00:00Z', { license: {}, appointment: {} });
  await synchronize(owner, '2026-04-05T09:00:00Z', { license: { status: 'lapsed' }, appointment: {} });
  const ended = { terminationReason: 'Terminated by carrier', statusChangeDate: '2026-05-10' };
  await synchronize(owner, '2026-06-01T09:00:00Z', {
    license: { nextRenewalDate: '2028-03-31' },
    appointment: ended,
  });
  await policy(owner, '1', { effectiveDate: '2026-03-01' });
  await policy(owner, '2', { effectiveDate: '2026-04-20' });
  await policy(owner, '3', { effectiveDate: '2026-06-15T03:00:00Z' });
  await policy(owner, '4', { effectiveDate: '2025-12-31' });
  await policy(owner, '5', { effectiveDate: '2026-08-01' });
  await policy(owner, '6');
  return { owner, id };
}

interface Status {
  complianceStatus: string;
  licenseStatus: { statusName: string };
  appointmentStatus: { statusName: string };
  basis: string;
}
type Row = Status & { policyNumber: string; atEffectiveDate: (Status & { effectiveDate: string }) | null };

const names = ({ complianceStatus, licenseStatus, appointmentStatus, basis }: Status) => [
  complianceStatus,
  licenseStatus.statusName,
  appointmentStatus.statusName,
  basis,
];

const rowsOf = async (owner: string, id: string, query: Record<string, string> = {}): Promise<Row[]> => {
  const route = routes.listAssociationPolicyComplianceStatuses;
  const { data, json } = await context.ask(owner, route, { ...at(id), query });
  if (!Array.isArray(data)) throw new Error(JSON.stringify(json));
  return data as Row[];
};

it('answers beside the present status that on the day on which each policy took effect', async () => {
  const { owner, id } = await story();
  const rows = await rowsOf(owner, id);
  const present = ['NOT_COMPLIANT', 'Licensed', 'Not Appointed', 'current'];
  expect(rows.map(names)).toEqual(Array(6).fill(present));
  expect(rows.map(({ atEffectiveDate }) => atEffectiveDate && names(atEffectiveDate))).toEqual([
    ['COMPLIANT', 'Licensed', 'Appointed', 'history'],
    // It had lapsed by then, whatever its last day.
    ['NOT_COMPLIANT', 'Expired License', 'Appointed', 'history'],
    ['NOT_COMPLIANT', 'Licensed', 'Not Appointed', 'history'],
    ['COMPLIANT', 'Licensed', 'Appointed', 'registry dates'],
    // Of a day in the future nothing is recorded yet.
    ['NOT_COMPLIANT', 'Licensed', 'Not Appointed', 'current'],
    null,
  ]);
  expect(rows[2]?.atEffectiveDate?.effectiveDate).toBe('2026-06-15T03:00:00Z');
});

it('refuses a day in the future on every list, and knows no day in v1', async () => {
  const { owner, id } = await story();
  const product = { stateCode: 'TX', productId: '9'.padStart(24, '0') };
  for (const [name, query] of [
    ['listAssociationLicenses', {}],
    ['listAssociationAppointments', {}],
    ['listAssociationLicenseComplianceStatuses', product],
    ['listAssociationPolicyComplianceStatuses', {}],
  ] as const) {
    const asked = async (route: (typeof routes)[typeof name | `${typeof name}V1`], asOf: string) =>
      (await context.ask(owner, route, { ...at(id), query: { ...query, asOf } })).status;
    expect([name, await asked(routes[name], '2026-07-02')]).toEqual([name, 400]);
    expect([name, await asked(routes[name], '2026-07-01')]).toEqual([name, 200]);
    expect([name, await asked(routes[`${name}V1`], '2026-06-30')]).toEqual([name, 400]);
  }
});

it('answers v1 as before: neither a basis nor a status of another day', async () => {
  const { owner, id } = await story();
  const route = routes.listAssociationPolicyComplianceStatusesV1;
  const { data } = await context.ask(owner, route, at(id));
  const members = [
    'policyId',
    'policyNumber',
    'stateCode',
    'productId',
    'productName',
    'complianceStatus',
    'licenseStatus',
    'appointmentStatus',
  ];
  for (const row of data as unknown as object[]) expect(Object.keys(row)).toEqual(members);
});

it('takes the calls of the present for a day, however many policies ask for theirs', async () => {
  const { owner, id } = await story();
  const route = routes.listAssociationPolicyComplianceStatuses;
  const present = await databaseCalls(() => context.ask(owner, route, at(id)));
  const query = { asOf: '2026-05-09' };
  expect(await databaseCalls(() => context.ask(owner, route, { ...at(id), query }))).toEqual(present);
  // The second page takes a place of an open list; the last ones read who is judged, and what is recorded of them.
  expect(present.inSequence).toBe(8);
});
