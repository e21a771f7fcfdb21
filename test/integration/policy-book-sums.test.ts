import * as fc from 'fast-check';
import { agencySort, policyKeys, policyPartitions, saleSort } from '../../shared/domain/policies/keys.ts';
import type {
  BookRow,
  BookSummary,
  SaleRow,
  SalesSummary,
} from '../../shared/domain/policy-compliance/resource.ts';
import { largestAmount } from '../../shared/platform/contract/primitives.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { ask, given, newOwner, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  cyber,
  daniel,
  gulf,
  liability,
  loneAustin,
  loneMain,
  maria,
  policyItem,
  routes,
} from '../support/compliance-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await given(owner, ...carrierLines);
});

const list = async (query = {}) =>
  (await ask(owner, routes.listPolicyComplianceStatuses, { query })).data as BookRow[];
const summary = async (query = {}, of = owner) =>
  (await ask(of, routes.getPolicyComplianceSummary, { query })).data as BookSummary;

/** The cents of an amount, by the digits that it is written with. */
const centsOf = (amount: number | null): bigint => {
  const [whole = '0', fraction = ''] = String(amount ?? 0).split('.');
  return BigInt(`${whole}${fraction.padEnd(2, '0')}`);
};

const premium = fc.oneof(
  fc.constant(undefined),
  fc.double({ min: -largestAmount, max: largestAmount, noNaN: true }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((tenths) => tenths / 1_000),
);
const sellersOf = fc.record({ agentIds: fc.subarray([maria, daniel]), isUnknown: fc.boolean() });
const policy = fc.record({
  premiumAmountInUSD: premium.filter((one) => one === undefined || one === 0 || Math.abs(one) > 1e-9),
  associationId: fc.constantFrom(loneMain, loneAustin, gulf, maria),
  entityMatchStatus: fc.constantFrom('auto matched', 'user confirmed', 'unmatched', 'manual review'),
  riskStateCode: fc.constantFrom('TX', 'TX', 'OK'),
  productId: fc.constantFrom(liability, cyber),
  effectiveDate: fc.constantFrom(undefined, '2026-03-01', '2026-06-15', '2027-01-01'),
  sellers: sellersOf,
  sale: fc.option(
    fc.record({
      associationId: fc.constantFrom(loneMain, gulf, maria),
      entityMatchStatus: fc.constantFrom('auto matched', 'manual review'),
      riskStateCode: fc.constantFrom('TX', 'OK'),
      productId: fc.constantFrom(liability, cyber),
      soldOn: fc.constantFrom('2025-01-01', '2026-06-15'),
      sellers: sellersOf,
    }),
    { nil: undefined },
  ),
});
const query = fc.constantFrom(
  {},
  { complianceStatus: 'NOT_COMPLIANT' },
  { atEffectiveDate: 'COMPLIANT' },
  { complianceStatus: 'NOT_KNOWN' },
  { atSale: 'NOT_COMPLIANT' },
  { atSale: 'NOT_KNOWN', stateCode: 'TX' },
  { stateCode: 'TX', productId: liability },
  { effectiveFrom: '2026-06-01' },
  { asOf: '2026-05-01' },
);

it('adds up to the summary exactly, whatever the premiums and the filters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(policy, { maxLength: 40 }), query, async (policies, filters) => {
      const items = policies.map(({ associationId, sale: sold, ...fields }, index) => {
        const { associationId: soldBy, ...rest } = sold ?? { associationId: loneMain };
        const sale = sold && { ...rest, agencySort: agencySort({ associationId: soldBy }) };
        return policyItem(owner, index, { associationId }, { ...fields, sale });
      });
      await writesOf(dynamo, tables.policies).putAll(items);
      const [rows, found] = [await list(filters), await summary(filters)];
      const keys = items.map(({ pk, sk }) => ({ pk, sk }));
      await writesOf(dynamo, tables.policies).deleteAll(keys);
      const expected = new Map<string, [bigint, number]>();
      for (const { complianceStatus, atEffectiveDate, atSale, stateCode, productId, ...row } of rows) {
        const then = [atEffectiveDate, atSale].map((one) => one?.complianceStatus ?? null);
        for (const group of ['all', JSON.stringify([complianceStatus, ...then, stateCode, productId])]) {
          const [cents, policiesOf] = expected.get(group) ?? [0n, 0];
          expected.set(group, [cents + centsOf(row.premiumAmountInUSD), policiesOf + 1]);
        }
      }
      const { groups, ...total } = found;
      const sums = [
        ...(rows.length === 0 ? [] : [['all', total] as const]),
        ...groups.map(
          (one) =>
            [
              JSON.stringify([
                one.complianceStatus,
                one.atEffectiveDate,
                one.atSale,
                one.stateCode,
                one.productId,
              ]),
              one,
            ] as const,
        ),
      ].map(([name, one]) => [name, [centsOf(one.premiumAmountInUSD), one.policies]] as const);
      expect(new Map(sums)).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});

const sale = fc.record({
  premiumAmountInUSD: policy.map(({ premiumAmountInUSD }) => premiumAmountInUSD),
  associationId: fc.constantFrom(loneMain, gulf, maria),
  entityMatchStatus: fc.constantFrom('auto matched', 'manual review'),
  riskStateCode: fc.constantFrom('TX', 'OK'),
  productId: fc.constantFrom(liability, cyber),
  soldOn: fc.constantFrom('2024-12-31', '2025-01-01', '2026-06-15'),
});
const salesQuery = fc.constantFrom(
  {},
  { complianceStatus: 'NOT_COMPLIANT' },
  { complianceStatus: 'NOT_KNOWN', soldFrom: '2025-01-01' },
  { stateCode: 'TX', productId: liability },
  { downstreamEntityAssociationId: gulf },
);

it('adds up to the summary of sales exactly, whatever the premiums and the filters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { maxLength: 40 }), salesQuery, async (sales, filters) => {
      const items = sales.map(({ associationId, premiumAmountInUSD, ...fields }, index) => {
        const transactionId = String(index).padStart(24, '0');
        const stored = {
          ...fields,
          agencySort: agencySort({ associationId }),
          sellers: { agentIds: [maria], isUnknown: false },
        };
        return {
          ...policyKeys.transaction(owner, transactionId, transactionId),
          policyId: transactionId,
          policyNumber: `P-${index}`,
          policyTransactionType: 'New',
          ...(premiumAmountInUSD === undefined ? {} : { premiumAmountInUSD }),
          sale: stored,
          saleKey: policyPartitions.sales(owner),
          saleSort: saleSort(stored, transactionId),
        };
      });
      await writesOf(dynamo, tables.policies).putAll(items);
      const rows = (await ask(owner, routes.listPolicySales, { query: filters })).data as SaleRow[];
      const { data } = await ask(owner, routes.getPolicySalesSummary, { query: filters });
      await writesOf(dynamo, tables.policies).deleteAll(items.map(({ pk, sk }) => ({ pk, sk })));
      const expected = new Map<string, [bigint, number]>();
      for (const { complianceStatus, stateCode, productId, soldOn, premiumAmountInUSD } of rows) {
        const year = Number(soldOn.slice(0, 4));
        for (const group of ['all', JSON.stringify([complianceStatus, stateCode, productId, year])]) {
          const [cents, found] = expected.get(group) ?? [0n, 0];
          expected.set(group, [cents + centsOf(premiumAmountInUSD), found + 1]);
        }
      }
      const { groups, ...total } = data as SalesSummary;
      const sums = [
        ...(rows.length === 0 ? [] : [['all', total] as const]),
        ...groups.map(
          (one) =>
            [JSON.stringify([one.complianceStatus, one.stateCode, one.productId, one.year]), one] as const,
        ),
      ].map(([name, one]) => [name, [centsOf(one.premiumAmountInUSD), one.sales]] as const);
      expect(new Map(sums)).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});

it('has nothing to add up for another organization', async () => {
  expect(await summary({}, await newOwner())).toEqual({ policies: 0, premiumAmountInUSD: 0, groups: [] });
});

it('reads who sold a long list once, sends its first page at once, and every policy', async () => {
  const agencies = [{ associationId: loneMain }, { associationId: gulf }, { isUnknown: true }] as const;
  const items = Array.from({ length: 1_800 }, (_, index) =>
    policyItem(owner, index, agencies[index % 3] ?? { isUnknown: true }, {
      sellers: { agentIds: [maria], isUnknown: false },
      ...(index % 3 === 2 ? { entityMatchStatus: 'unmatched' } : {}),
    }),
  );
  await writesOf(dynamo, tables.policies).putAll(items);
  let parts: readonly string[] = [];
  let rows: BookRow[] = [];
  const { queries } = await databaseCalls(async () => {
    const answer = await ask(owner, routes.listPolicyComplianceStatuses);
    parts = answer.parts;
    rows = answer.data as BookRow[];
  });
  expect(rows.map(({ policyId }) => policyId).sort()).toEqual(items.map(({ _id }) => _id).sort());
  expect(parts.length).toBeGreaterThan(3);
  const ofHolders = queries.filter(({ table }) => table === tables.registryRecords);
  expect(ofHolders).toHaveLength(3);
  expect(queries.filter(({ table }) => table === tables.policies).length).toBeLessThanOrEqual(5);
});
