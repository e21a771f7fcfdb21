import * as fc from 'fast-check';
import { agencySort } from '#domain/policies/stored.ts';
import type { BookRow, BookSummary } from '#domain/policy-compliance/resource.ts';
import { createPoliciesByAgency } from '#domain/policy-compliance/statuses.ts';
import { policiesTable } from '#domain/tables.ts';
import { largestAmount } from '#platform/contract/primitives.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { ask, given, importLines, newOwner, tables } from '../support/carrier-records.ts';
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
import { runs } from '../support/extent.ts';
import { transaction } from '../support/import-lines.ts';
import { createCarrier, gulfMain, id, main, owner } from '../support/matched-carrier.ts';
import { policyOf, reads, store, transactionsOf } from '../support/policies-tests.ts';
import { dynamo } from '../support/tables.ts';
import { upstreamRequest } from '../support/upstream-request.ts';

describe('policy fields', () => {
  beforeAll(createCarrier);

  const importAll = async (...records: object[]): Promise<void> => {
    const { rejected } = await importLines(owner, records);
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  };

  const isListed = async (policyNumber: string): Promise<boolean> => {
    for await (const page of store().list(owner, { policyNumber })) if (page.length > 0) return true;
    return false;
  };

  describe('a deleted transaction', () => {
    const first = (policyNumber: string, fields: object = {}) =>
      transaction(policyNumber, { uniqueTransactionId: 'a', premiumAmountInUSD: 100, ...fields });
    const second = (policyNumber: string, fields: object = {}) =>
      transaction(policyNumber, {
        uniqueTransactionId: 'b',
        policyTransactionType: 'Renewal',
        policyTransactionDate: '2026-06-01',
        premiumAmountInUSD: 900,
        effectiveDate: '2026-06-01',
        expiryDate: '2027-06-01',
        riskStateCode: 'CA',
        ...fields,
      });

    it('sets nothing of its policy, though it is the newest', async () => {
      await importAll(first('X-1'), second('X-1', { isDeleted: true }));
      const policy = await policyOf(owner, 'X-1');
      expect(policy).toMatchObject({ premiumAmountInUSD: 100, riskStateCode: 'TX', transactionCount: 1 });
      expect(policy).not.toHaveProperty('effectiveDate');
      expect(policy).not.toHaveProperty('expiryDate');
    });

    it('gives the policy back what the remaining ones say, and takes it again once restored', async () => {
      await importAll(first('X-2'));
      const before = await policyOf(owner, 'X-2');
      await importAll(second('X-2'));
      const after = await policyOf(owner, 'X-2');
      expect(after).toMatchObject({ premiumAmountInUSD: 900, riskStateCode: 'CA', transactionCount: 2 });
      await importAll(second('X-2', { isDeleted: true }));
      expect(await policyOf(owner, 'X-2')).toEqual(before);
      await importAll(second('X-2'));
      expect(await policyOf(owner, 'X-2')).toEqual(after);
    });

    it('is listed all the same, with an ordinal of its own', async () => {
      await importAll(first('X-3', { isDeleted: true }), second('X-3'));
      await importAll(transaction('X-3', { uniqueTransactionId: 'c', policyTransactionType: 'Audit' }));
      const all = await transactionsOf(owner, 'X-3');
      expect(all.map(({ uniqueTransactionId }) => uniqueTransactionId)).toEqual(['a', 'b', 'c']);
      const { _id, transactionCount } = await policyOf(owner, 'X-3');
      expect(transactionCount).toBe(2);
      const request = upstreamRequest(owner, { policyId: _id }, { page: 1, limit: 2 });
      const page = await reads().listPolicyTransactions(request);
      expect(page).toMatchObject({ total: 3, items: [{ isDeleted: true }, { isDeleted: false }] });
    });

    it('takes its policy with it if nothing else says where the risk is, until another one comes', async () => {
      await importAll(first('X-4'));
      const { _id } = await policyOf(owner, 'X-4');
      await importAll(first('X-4', { isDeleted: true }));
      expect(await isListed('X-4')).toBe(false);
      expect(await store().find(owner, _id)).toBeUndefined();
      await importAll({ type: 'policy', policyNumber: 'X-4', currentStatus: 'active' });
      expect(await isListed('X-4')).toBe(false);
      await importAll(second('X-4'));
      expect(await policyOf(owner, 'X-4')).toMatchObject({
        _id,
        transactionCount: 1,
        currentStatus: 'active',
      });
    });

    it('makes no policy, if it is the first', async () => {
      await importAll(first('X-5', { isDeleted: true }));
      expect(await isListed('X-5')).toBe(false);
      await importAll(first('X-5'));
      expect(await policyOf(owner, 'X-5')).toMatchObject({ premiumAmountInUSD: 100, transactionCount: 1 });
    });

    it('leaves a policy with what its own record says', async () => {
      const record = { type: 'policy', policyNumber: 'X-6', riskStateCode: 'NY', insuredEntityName: 'Acme' };
      await importAll(record, first('X-6'));
      await importAll(first('X-6', { isDeleted: true }));
      const policy = await policyOf(owner, 'X-6');
      expect(policy).toMatchObject({ riskStateCode: 'NY', insuredEntityName: 'Acme', transactionCount: 0 });
      expect(policy).not.toHaveProperty('premiumAmountInUSD');
    });

    it('does not restore a policy whose own record is deleted', async () => {
      const record = { type: 'policy', policyNumber: 'X-7', isDeleted: true };
      await importAll(first('X-7'), record);
      await importAll(first('X-7', { isDeleted: true }));
      await importAll(first('X-7'));
      expect(await isListed('X-7')).toBe(false);
      await importAll({ ...record, isDeleted: false });
      expect(await policyOf(owner, 'X-7')).toMatchObject({ transactionCount: 1 });
    });
  });

  describe('a later transaction that names neither agency, agent, product, nor company', () => {
    const agencyFields = { agencyName: 'Lone Star Brokerage', agencyNpn: '17654321' };
    const agentFields = { agentName: 'Maria Delgado', agentNpn: '8123456' };
    const productFields = { productName: 'Contractors GL', productCode: 'CGL', carrierNaicCode: '19437' };
    const written = (policyNumber: string, fields: object = {}) =>
      transaction(policyNumber, {
        uniqueTransactionId: 'new',
        ...agencyFields,
        ...agentFields,
        ...productFields,
        effectiveDate: '2026-01-15',
        premiumAmountInUSD: 100,
        ...fields,
      });
    const later = (policyNumber: string, fields: object = {}) =>
      transaction(policyNumber, {
        uniqueTransactionId: 'later',
        policyTransactionType: 'Endorsement',
        policyTransactionDate: '2026-03-01',
        effectiveDate: '2026-03-01',
        premiumAmountInUSD: 200,
        ...fields,
      });
    const matched = { entityMatchStatus: 'auto matched', productMatchStatus: 'auto matched' };

    async function policiesOf(associationId: string): Promise<string[]> {
      const numbers: string[] = [];
      const policies = createPoliciesByAgency(tableOf(policiesTable, dynamo, tables.policies));
      for await (const page of policies.ofAgency(owner, { associationId, npn: null })) {
        numbers.push(...page.map(({ policyNumber }) => policyNumber));
      }
      return numbers;
    }

    it.each(['Endorsement', 'Cancellation', 'Reinstatement', 'Audit'])(
      'leaves the policy with them: %s',
      async (type) => {
        const number = `Y-${type}`;
        await importAll(written(number), later(number, { policyTransactionType: type }));
        expect(await policyOf(owner, number)).toMatchObject({
          ...matched,
          ...agencyFields,
          ...agentFields,
          ...productFields,
          effectiveDate: '2026-01-15',
          premiumAmountInUSD: 200,
        });
        expect(await policiesOf(main)).toContain(number);
      },
    );

    it('leaves them also in later imports, when it is amended, and when it comes first', async () => {
      const expected = {
        ...matched,
        ...agencyFields,
        ...agentFields,
        ...productFields,
        premiumAmountInUSD: 300,
      };
      await importAll(later('Y-1'));
      expect(await policyOf(owner, 'Y-1')).not.toHaveProperty('effectiveDate');
      await importAll(written('Y-1'));
      await importAll(later('Y-1', { premiumAmountInUSD: 300 }));
      expect(await policyOf(owner, 'Y-1')).toMatchObject({ ...expected, effectiveDate: '2026-01-15' });
      await importAll(written('Y-1', { agencyFein: '75-7654321', effectiveDate: '2026-01-16' }));
      expect(await policyOf(owner, 'Y-1')).toMatchObject({
        ...expected,
        agencyFein: '75-7654321',
        effectiveDate: '2026-01-16',
      });
    });

    it('mixes no two agencies: the one that a later transaction names comes with its own fields only', async () => {
      await importAll(written('Y-2'), later('Y-2', { producerCode: 'P-3' }));
      await importAll(later('Y-2', { uniqueTransactionId: 'last', policyTransactionDate: '2026-04-01' }));
      const policy = await policyOf(owner, 'Y-2');
      expect(policy).toMatchObject({ ...matched, ...agentFields, ...productFields, producerCode: 'P-3' });
      expect(policy).not.toHaveProperty('agencyNpn');
      expect(await policiesOf(gulfMain)).toContain('Y-2');
      expect(await policiesOf(main)).not.toContain('Y-2');
      await importAll(later('Y-2', { producerCode: 'P-3', isDeleted: true }));
      expect(await policiesOf(main)).toContain('Y-2');
    });

    it('has its effective date from the latest renewal, not from what came after', async () => {
      const renewal = { uniqueTransactionId: 'renewal', policyTransactionType: 'Renewal' };
      await importAll(written('Y-3'));
      await importAll(
        later('Y-3', { ...renewal, policyTransactionDate: '2026-02-20', effectiveDate: '2027-01-15' }),
        later('Y-3', { policyTransactionType: 'Cancellation' }),
      );
      expect(await policyOf(owner, 'Y-3')).toMatchObject({ effectiveDate: '2027-01-15' });
    });

    it('leaves one in review with the agency of its NPN, also of one that a file fills up with zeros', async () => {
      await importAll(
        written('Y-6', { agencyNpn: '0017654321', agencyFein: '11-1111111', producerCode: 'P-3' }),
      );
      expect(await policyOf(owner, 'Y-6')).toMatchObject({ entityMatchStatus: 'manual review' });
      const numbers: string[] = [];
      const policies = createPoliciesByAgency(tableOf(policiesTable, dynamo, tables.policies));
      for await (const page of policies.ofAgency(owner, { associationId: id(), npn: '17654321' })) {
        numbers.push(...page.map(({ policyNumber }) => policyNumber));
      }
      expect(numbers).toContain('Y-6');
    });

    it('moves the policy when it names only the id of an association', async () => {
      await importAll(written('Y-4'), later('Y-4', { upstreamDownstreamAssociationId: gulfMain }));
      expect(await policiesOf(gulfMain)).toContain('Y-4');
    });
  });
});

describe('policy book sums', () => {
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
    termPremiumInUSD: premium.filter((one) => one === undefined || one === 0 || Math.abs(one) > 1e-9),
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
      runs(4, 120),
    );
  });

  it('has nothing to add up for another organization', async () => {
    expect(await summary({}, await newOwner())).toEqual({ policies: 0, premiumAmountInUSD: 0, groups: [] });
  });
});
