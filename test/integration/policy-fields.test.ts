import { listPolicyTransactions } from '../../functions/policies/list-policy-transactions.ts';
import { transaction } from '../support/import-lines.ts';
import { createCarrier, owner } from '../support/matched-carrier.ts';
import { importLines, policyOf, store, transactionsOf } from '../support/matching-tests.ts';

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
    const page = await listPolicyTransactions(
      {
        identity: { organizationId: owner, category: 'upstreamEntity', credentialId: 'c' },
        requestId: 'r',
        now: new Date(),
        baseUrl: () => 'https://api.example.com',
        params: { policyId: _id },
        query: { page: 1, limit: 2 },
        body: undefined,
        recordResponse: () => [],
      },
      { policies: store() },
    );
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
    expect(await policyOf(owner, 'X-4')).toMatchObject({ _id, transactionCount: 1, currentStatus: 'active' });
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
