import { agencySort, storedSale } from '#domain/policies/stored.ts';
import type { Appointment, License } from '#domain/registry/resources.ts';
import { writesOf } from '#platform/data/table.ts';
import { producerOf } from '../support/agency-records.ts';
import { added, at, context, routes } from '../support/associations-tests.ts';
import { given, newOwner, now, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  cyber,
  daniel,
  gulf,
  liability,
  loneAustin,
  loneMain,
  maria,
  sold,
} from '../support/compliance-tests.ts';
import { newConfigItems } from '../support/config-items.ts';
import { everyItem } from '../support/every-item.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

const agencyNpn = '17654321';
const product = '9'.padStart(24, '0');

/** Stores what the product requires in Texas. */
async function config(
  owner: string,
  appointment: 'required' | 'not required' = 'not required',
): Promise<void> {
  const items = newConfigItems(owner, {
    productId: product,
    productName: 'GL',
    states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment }],
    validFrom: '2020-01-01',
    recordedAt: '2025-01-01T12:00:00.000Z',
    isSilent: false,
  });
  for (const item of items) await context.put('compliance', item);
}

/** The item of a policy of the agency, as the import leaves it. */
const policyItem = (owner: string, number: string, fields: object = {}) => ({
  pk: `${owner}#POLICY`,
  sk: number,
  _id: number.padStart(24, '0'),
  policyNumber: number,
  currentStatus: 'active',
  riskStateCode: 'TX',
  entityMatchStatus: 'auto matched',
  productMatchStatus: 'unmatched',
  transactionCount: 1,
  createdAt: now().toISOString(),
  updatedAt: now().toISOString(),
  productName: 'GL',
  listKey: owner,
  agencySort: agencySort({ npn: agencyNpn }, number),
  ...fields,
});

const policy = (owner: string, number: string, fields?: object) =>
  context.put('policies', policyItem(owner, number, fields));

describe('policy sellers', () => {
  beforeEach(() => {
    context.controls.now = now;
  });

  /** Has the registry report a license of somebody. */
  async function licensed(owner: string, npn: string, fields: Partial<License> = {}): Promise<void> {
    const {
      registryDataSubscriptionId: _i,
      npn: _n,
      updatedAt: _u,
      ...license
    } = sampleLicense({ nextRenewalDate: '2028-03-31', ...fields });
    await holdersIn(context.tables.registryRecords).poll(owner, npn, '2026-01-05T09:00:00Z', {
      licenses: [license],
      appointments: [],
      actions: [],
    });
  }

  async function agentOf(owner: string, npn: string, associationIds: string[]): Promise<string> {
    const agent = producerOf({ npn, downstreamEntityAssociationIds: associationIds });
    await context.put('agents', { pk: `${owner}#AGENT`, sk: agent._id, ...agent });
    return agent._id;
  }

  interface Status {
    complianceStatus: string | null;
    licenseStatus: { statusName: string; statusMessages?: string[] };
  }
  type Row = Status & {
    productId: string | null;
    agents: (Status & { agentId: string })[];
    atEffectiveDate: (Status & { agents: { agentId: string }[] }) | null;
  };

  const rowsOf = async (owner: string, id: string): Promise<Row[]> => {
    const route = routes.listAssociationPolicyComplianceStatuses;
    const { data, json } = await context.ask(owner, route, at(id));
    if (!Array.isArray(data)) throw new Error(JSON.stringify(json));
    return data as Row[];
  };

  async function agency(settings = {}): Promise<{ owner: string; id: string }> {
    const owner = await context.carrier(100, 'upstreamEntity', settings);
    const id = await added(owner, { downstreamEntityNpn: agencyNpn });
    await licensed(owner, agencyNpn);
    return { owner, id };
  }

  it('does not know where the seller was not identified, or is not named, and says so; v1 says no', async () => {
    const { owner, id } = await agency();
    await config(owner);
    await policy(owner, '1', { sellers: { agentIds: [], isUnknown: true } });
    await policy(owner, '2');
    const notKnown = (...statusMessages: string[]) => ({
      complianceStatus: null as string | null,
      licenseStatus: { statusName: 'License Not Known', statusMessages },
      appointmentStatus: { statusName: 'Not Required' },
    });
    const [unknown, nobody] = [
      notKnown('The agent was not identified.'),
      notKnown(
        'No agent of the agency is named: name one in the transaction, or have it set that your policies name none.',
      ),
    ];
    expect(await rowsOf(owner, id)).toMatchObject([
      { ...unknown, agents: [] },
      { ...nobody, agents: [] },
    ]);
    const { data } = await context.ask(owner, routes.listAssociationPolicyComplianceStatusesV1, at(id));
    const complianceStatus = 'NOT_COMPLIANT';
    expect(data).toMatchObject([
      { ...unknown, complianceStatus },
      { ...nobody, complianceStatus },
    ]);
  });

  it('leaves out the policies whose agency is in manual review, not those that were never matched', async () => {
    const { owner, id } = await agency();
    await policy(owner, '1', { entityMatchStatus: 'unmatched' });
    await policy(owner, '2', { entityMatchStatus: 'manual review' });
    await policy(owner, '3', {
      entityMatchStatus: 'manual review',
      agencySort: agencySort({ associationId: id }, '3'),
    });
    expect(await rowsOf(owner, id)).toMatchObject([{ policyNumber: '1', complianceStatus: null }]);
    const { data } = await context.ask(owner, routes.listAssociationPolicyComplianceStatusesV1, at(id));
    expect(data).toMatchObject([{ policyNumber: '1' }]);
  });

  it('reads what is known of the agency and of each agent once, for a hundred policies', async () => {
    const { owner, id } = await agency();
    await config(owner);
    const agents = Array.from({ length: 10 }, (_, index) => agentOf(owner, String(8_123_456 + index), [id]));
    const agentIds = await Promise.all(agents);
    const policies = Array.from({ length: 100 }, (_, index) => {
      const sellers = [agentIds[index % 10], agentIds[(index * 7) % 10]].filter((one) => one !== undefined);
      return policyItem(owner, String(index), { sellers: { agentIds: sellers, isUnknown: false } });
    });
    await writesOf(dynamo, context.tables.policies).putAll(policies);
    let rows: Row[] = [];
    const { queries, readKeys } = await databaseCalls(async () => {
      rows = await rowsOf(owner, id);
    });
    expect(rows).toHaveLength(100);
    const { compliance, registryRecords } = context.tables;
    const ofRecords = readKeys.filter(({ table }) => table === registryRecords);
    expect(new Set(ofRecords.map(({ pk }) => pk)).size).toBe(11);
    expect(new Set(ofRecords.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(ofRecords.length);
    expect(queries.filter(({ table }) => table === registryRecords)).toEqual([]);
    expect(queries.filter(({ table }) => table === compliance)).toHaveLength(1);
  });
});

describe('sale resolution', () => {
  /** The sales of a policy, by their days; each as it is stored with its transaction. */
  async function salesOf(number: string) {
    const items = await everyItem(dynamo, tables.policies);
    return items
      .filter(({ saleKey, policyNumber }) => saleKey === owner && policyNumber === number)
      .map((item) => {
        const { agencySort, sellers, soldOn, ...sale } = storedSale.parse(item['sale']);
        return { id: String(item['_id']), soldOn, agency: agencySort.split('#')[1], ...sellers, ...sale };
      })
      .sort((one, other) => one.soldOn.localeCompare(other.soldOn));
  }

  const ofLone = { upstreamDownstreamAssociationId: loneMain, agentNpn: '8123456' };
  const ofGulf = { upstreamDownstreamAssociationId: gulf, agentNpn: '9034417' };
  const renewal = {
    policyTransactionType: 'Renewal',
    policyTransactionDate: '2027-02-20',
    effectiveDate: '2027-03-01',
  };
  const ending = (fields: object) => ({
    policyTransactionType: 'Endorsement',
    policyTransactionDate: '2026-06-01',
    ...fields,
  });
  const dated = (day: string) => ({
    policyTransactionDate: day,
    effectiveDate: day,
    uniqueTransactionId: day,
  });
  const byLone = { agency: loneMain, agentIds: [maria], isUnknown: false };
  const byGulf = { agency: gulf, agentIds: [daniel], isUnknown: false };

  let owner: string;
  /** The number of each test's own policy. */
  let number: string;

  beforeAll(async () => {
    owner = await newOwner();
    await given(owner, ...carrierLines);
  });

  let tests = 0;
  beforeEach(() => {
    tests += 1;
    number = `P-${tests}`;
  });

  /** Imports transactions of the test's policy. */
  const transactions = (...all: readonly object[]) =>
    given(owner, ...all.map((fields) => sold(number, fields)));

  it('keeps who sold each New and Renewal, whoever endorses and renews the policy', async () => {
    await transactions(
      { ...ofGulf, carrierNaicCode: '22314' },
      ending(ofLone),
      { ...renewal, productCode: undefined },
      { ...ending(ofGulf), policyTransactionType: 'Reinstatement', policyTransactionDate: '2027-06-01' },
    );
    expect(await salesOf(number)).toMatchObject([
      { soldOn: '2026-02-20', ...byGulf, productCode: 'CGL', carrierNaicCode: '22314' },
      { soldOn: '2027-02-20', ...byLone, productCode: 'CGL', carrierNaicCode: '22314' },
    ]);
  });

  it.each([
    ['2026-05-20', '2026-06-01', '2026-05-20'],
    ['2026-06-01T23:30:00-05:00', '2026-04-01', '2026-04-01'],
    ['2026-06-01T23:30:00-05:00', undefined, '2026-06-01'],
  ])(
    'was sold on the earlier of the written days: %s, effective %s',
    async (policyTransactionDate, effectiveDate, soldOn) => {
      await transactions({ ...ofLone, policyTransactionDate, effectiveDate });
      expect(await salesOf(number)).toMatchObject([{ soldOn }]);
    },
  );

  it('inherits nothing from a later transaction, nor from an earlier one that arrives later', async () => {
    const unnamed = { ...renewal, productCode: undefined, uniqueTransactionId: 'R' };
    await transactions(unnamed, { ...ending(ofLone), policyTransactionDate: '2027-06-01' });
    const nobody = { soldOn: '2027-02-20', agency: '', agentIds: [] };
    expect(await salesOf(number)).toMatchObject([nobody]);
    await transactions(ofGulf);
    expect(await salesOf(number)).toMatchObject([byGulf, nobody]);
    // Not even once it is amended itself.
    await transactions({ ...unnamed, premiumAmountInUSD: 5 });
    const [, second] = await salesOf(number);
    expect(second).toMatchObject(nobody);
    expect(second).not.toHaveProperty('productCode');
  });

  it('is resolved again by a rematch, also by what was imported since, while it is not known who sold it, or what', async () => {
    const rematch = () =>
      importFunctionOf(tables, now)({ command: 'rematch', input: { organizationId: owner } });
    const renewed = { ...renewal, productCode: undefined, uniqueTransactionId: 'R' };
    // The first names nobody, the second its agency alone, which is known.
    await transactions(renewed, {
      ...renewed,
      ...dated('2028-02-20'),
      upstreamDownstreamAssociationId: gulf,
    });
    await transactions({ ...ofGulf, uniqueTransactionId: 'N' }, { ...ofLone, ...dated('2027-06-01') });
    const before = await salesOf(number);
    expect(before.map(({ agentIds }) => agentIds)).toEqual([[daniel], [], [maria], []]);
    await rematch();
    const after = await salesOf(number);
    expect(after).toMatchObject([byGulf, byGulf, byLone, { agency: gulf, agentIds: [] }]);
    expect(after.map(({ productCode }) => productCode)).toEqual(['CGL', 'CGL', 'CGL', 'CGL']);
    const versions = async () =>
      (await everyItem(dynamo, tables.policies)).find(
        ({ policyNumber: of, version }) => of === number && version,
      );
    const known = await versions();
    await rematch();
    expect(await versions()).toEqual(known);
  });

  it('is resolved again when what it inherits from is amended or deleted, and is gone with its own transaction', async () => {
    const first = { ...ofGulf, uniqueTransactionId: 'N' };
    const second = { ...renewal, uniqueTransactionId: 'R' };
    await transactions(first, second);
    expect(await salesOf(number)).toMatchObject([byGulf, byGulf]);
    await transactions({ ...first, ...ofLone });
    expect(await salesOf(number)).toMatchObject([byLone, byLone]);
    await transactions({ ...first, ...ofLone, isDeleted: true });
    expect(await salesOf(number)).toMatchObject([{ soldOn: '2027-02-20', agency: '', agentIds: [] }]);
    await transactions({ ...second, policyTransactionType: 'Audit' });
    expect(await salesOf(number)).toEqual([]);
  });

  it('leaves out the sales of a deleted policy', async () => {
    const record = { type: 'policy', policyNumber: number };
    await transactions(ofLone, renewal);
    await given(owner, { ...record, isDeleted: true });
    expect(await salesOf(number)).toEqual([]);
    await given(owner, { ...record, isDeleted: false });
    expect(await salesOf(number)).toMatchObject([byLone, byLone]);
  });

  it('does not inherit, by a renewal, an agent whom the agency no longer has, and keeps one who leaves later', async () => {
    const _id = '33'.padStart(24, '0');
    const agentAt = (downstreamEntityAssociationIds: string[]) =>
      given(owner, agent({ _id, npn: '5551234', downstreamEntityAssociationIds }));
    const next = (year: number, fields: object = {}) => ({
      ...renewal,
      policyTransactionDate: `${year}-02-20`,
      effectiveDate: `${year}-03-01`,
      uniqueTransactionId: String(year),
      ...fields,
    });
    await agentAt([loneMain]);
    await transactions({ ...ofLone, agentNpn: '5551234' });
    await agentAt([loneAustin]);
    await transactions(next(2027));
    await agentAt([]);
    await transactions(next(2028), next(2027, { premiumAmountInUSD: 5 }));
    const byThem = { agency: loneMain, agentIds: [_id] };
    expect(await salesOf(number)).toMatchObject([
      byThem,
      byThem,
      { soldOn: '2028-02-20', agency: loneMain, agentIds: [], isUnknown: false },
    ]);
  });

  it('follows a person who says whose a transaction is, and what', async () => {
    await transactions({ agentNpn: '79999999', agencyName: 'Nobody' }, renewal);
    expect(await salesOf(number)).toMatchObject([{ isUnknown: true }, { isUnknown: true }]);
    const [first] = await salesOf(number);
    const confirm = importFunctionOf(tables, now);
    const given = { downstreamEntityAssociationId: gulf, agentIds: [daniel], productId: cyber };
    const input = { organizationId: owner, transactionId: first?.id, ...given };
    expect(await confirm({ command: 'confirm-match', input })).toMatchObject({ ok: true });
    const confirmed = { ...byGulf, entityMatchStatus: 'user confirmed' };
    expect(await salesOf(number)).toMatchObject([
      { ...confirmed, productId: cyber },
      { ...confirmed, productId: liability },
    ]);
  });
});

describe('policies as of a day', () => {
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
    await holdersIn(context.tables.registryRecords).poll(owner, agencyNpn, time, report);
  }

  /** A carrier whose agency's license lapsed in April and was renewed in June, and whose appointment ended in May. */
  async function story(): Promise<{ owner: string; id: string }> {
    const owner = await context.carrier(100, 'upstreamEntity', { policiesNameAgents: false });
    const id = await added(owner, { downstreamEntityNpn: agencyNpn });
    await config(owner, 'required');
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
    const inTexas = { stateCode: 'TX', productId: product };
    for (const [name, query] of [
      ['listAssociationLicenses', {}],
      ['listAssociationAppointments', {}],
      ['listAssociationLicenseComplianceStatuses', inTexas],
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
});
