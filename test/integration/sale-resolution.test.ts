import { storedSale } from '../../shared/domain/policies/sale.ts';
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
import { everyItem } from '../support/every-item.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { dynamo } from '../support/tables.ts';

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
const dated = (day: string) => ({ policyTransactionDate: day, effectiveDate: day, uniqueTransactionId: day });
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
  await transactions(renewed, { ...renewed, ...dated('2028-02-20'), upstreamDownstreamAssociationId: gulf });
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

it('resolves more sales again than one transaction takes', async () => {
  const months = Array.from({ length: 120 }, (_, month) => ({
    ...renewal,
    policyTransactionDate: new Date(Date.UTC(2027, month, 1)).toISOString(),
    uniqueTransactionId: `R-${month}`,
  }));
  const first = { ...ofGulf, uniqueTransactionId: 'N' };
  await transactions(first, ...months);
  await transactions({ ...first, ...ofLone });
  const sales = await salesOf(number);
  expect(sales).toHaveLength(121);
  expect(new Set(sales.map(({ agency }) => agency))).toEqual(new Set([loneMain]));
});
