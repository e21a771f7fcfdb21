import {
  getPolicy,
  getPolicyTransaction,
  listPolicyTransactions,
} from '../../functions/policies/read-policies.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { importLines, newOwner } from '../support/carrier-records.ts';
import { transaction } from '../support/import-lines.ts';
import { firstId, list, secondId, store } from '../support/policies-tests.ts';
import { databaseCalls } from '../support/tables.ts';
import { upstreamRequest } from '../support/upstream-request.ts';

describe('reads of policies', () => {
  it('take one database call each', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      { type: 'policy', _id: firstId, policyNumber: 'Q-1', riskStateCode: 'TX' },
      transaction('Q-1', { _id: secondId }),
    ]);
    const deps = { policies: store() };
    const ofPolicy = { policyId: firstId };
    const reads = [
      () => list(owner),
      () => list(owner, { policyNumber: 'Q-1', currentStatus: 'bound', riskStateCode: 'TX' }),
      () => list(owner, { entityMatchStatus: 'unmatched', riskStateCode: 'TX' }),
      async () => getPolicy(upstreamRequest(owner, ofPolicy, {}), deps),
      async () => listPolicyTransactions(upstreamRequest(owner, ofPolicy, { page: 1, limit: 50 }), deps),
      async () =>
        getPolicyTransaction(upstreamRequest(owner, { ...ofPolicy, transactionId: secondId }, {}), deps),
    ];
    for (const read of reads) expect(await databaseCalls(read)).toMatchObject({ inSequence: 1 });
  });

  it('combine filters', async () => {
    const owner = await newOwner();
    const states = ['TX', 'CA'] as const;
    const statuses = ['bound', 'active', 'non renewed'] as const;
    const all = states.flatMap((riskStateCode) =>
      statuses.flatMap((currentStatus) =>
        [1, 2].map((n) => ({
          policyNumber: `${riskStateCode}-${currentStatus}-${n}`,
          riskStateCode,
          currentStatus,
        })),
      ),
    );
    await importLines(
      owner,
      all.map((fields) => ({ type: 'policy', ...fields })),
    );
    for (const policyNumber of [undefined, 'TX-active-1', 'none']) {
      for (const currentStatus of [undefined, ...statuses]) {
        for (const riskStateCode of [undefined, ...states]) {
          const filters = { policyNumber, currentStatus, riskStateCode };
          const expected = all.filter(
            (one) =>
              (policyNumber === undefined || one.policyNumber === policyNumber) &&
              (currentStatus === undefined || one.currentStatus === currentStatus) &&
              (riskStateCode === undefined || one.riskStateCode === riskStateCode),
          );
          const found = (await list(owner, filters)).map((one) => one.policyNumber);
          expect(found.sort()).toEqual(expected.map((one) => one.policyNumber).sort());
        }
      }
    }
  });

  it('combine filters by match statuses with all others', async () => {
    const owner = await newOwner();
    const entities = ['unmatched', 'manual review', 'auto matched'] as const;
    const products = ['unmatched', 'needs clarification'] as const;
    const statuses = ['bound', 'active'] as const;
    const states = ['TX', 'CA'] as const;
    const all = entities.flatMap((entityMatchStatus) =>
      products.flatMap((productMatchStatus) =>
        statuses.flatMap((currentStatus) =>
          states.map((riskStateCode) => ({
            policyNumber: [entityMatchStatus, productMatchStatus, currentStatus, riskStateCode].join('-'),
            entityMatchStatus,
            productMatchStatus,
            currentStatus,
            riskStateCode,
          })),
        ),
      ),
    );
    await importLines(
      owner,
      all.map((fields) => ({ type: 'policy', ...fields })),
    );
    for (const entityMatchStatus of [undefined, ...entities]) {
      for (const productMatchStatus of [undefined, ...products, 'user confirmed'] as const) {
        for (const currentStatus of [undefined, ...statuses]) {
          for (const riskStateCode of [undefined, ...states]) {
            const filters = { entityMatchStatus, productMatchStatus, currentStatus, riskStateCode };
            // Two of them show what three do.
            if (Object.values(filters).filter((value) => value !== undefined).length === 3) continue;
            const expected = all.filter((one) =>
              Object.entries(filters).every(
                ([name, value]) => value === undefined || one[name as keyof typeof filters] === value,
              ),
            );
            const found = (await list(owner, filters)).map((one) => one.policyNumber);
            expect(found.sort()).toEqual(expected.map((one) => one.policyNumber).sort());
          }
        }
      }
    }
    const [one] = all;
    expect(
      await list(owner, { policyNumber: one?.policyNumber, entityMatchStatus: 'user confirmed' }),
    ).toEqual([]);
    await importLines(owner, [{ type: 'policy', ...one, isDeleted: true }]);
    expect(await list(owner, { entityMatchStatus: 'unmatched' })).toHaveLength(7);
  });

  it('hide soft-deleted records, and show them again once restored', async () => {
    const [owner, secondId] = [await newOwner(), newObjectId(new Date())];
    const record = { type: 'policy', _id: firstId, policyNumber: 'D-1', riskStateCode: 'TX' };
    const ids = { policyId: firstId, transactionId: secondId };
    const read = async () => getPolicyTransaction(upstreamRequest(owner, ids, {}), { policies: store() });
    await importLines(owner, [record, transaction('D-1', { _id: secondId })]);
    expect(await read()).toMatchObject({ _id: secondId });
    await importLines(owner, [{ ...record, isDeleted: true }]);
    await expect(read()).rejects.toMatchObject({ errorType: 'not_found' });
    expect(await list(owner)).toEqual([]);
    expect(await list(owner, { riskStateCode: 'TX' })).toEqual([]);
    expect(await list(owner, { currentStatus: 'bound' })).toEqual([]);
    expect(await store().find(owner, firstId)).toBeUndefined();
    await importLines(owner, [{ ...record, isDeleted: false }]);
    expect(await store().find(owner, firstId)).toMatchObject({ policyNumber: 'D-1', transactionCount: 1 });
  });

  it('show nothing of another owner', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const secondId = newObjectId(new Date());
    await importLines(owner, [
      { type: 'policy', _id: firstId, policyNumber: 'F-1', riskStateCode: 'TX' },
      transaction('F-1', { _id: secondId }),
    ]);
    expect(await list(stranger)).toEqual([]);
    expect(await list(stranger, { policyNumber: 'F-1' })).toEqual([]);
    expect(await store().find(stranger, firstId)).toBeUndefined();
    expect(await store().findTransaction(stranger, firstId, secondId)).toBeUndefined();
    expect(await store().transactions(stranger, firstId, 1, 50)).toEqual([]);
    expect(await store().findTransaction(owner, firstId, secondId)).toMatchObject({
      _id: secondId,
      policyId: firstId,
    });
  });
});
