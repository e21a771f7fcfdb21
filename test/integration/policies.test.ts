import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { policiesTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { createPolicyStore } from '../../functions/policies/store.ts';
import { importLines, newOwner, tables } from '../support/carrier-records.ts';
import { runs } from '../support/extent.ts';
import { transaction } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { firstId, list, reads, secondId, store } from '../support/policies-tests.ts';
import { databaseCalls, dynamoSettings } from '../support/tables.ts';
import { upstreamRequest } from '../support/upstream-request.ts';

describe('reads of policies', () => {
  it('take one database call each', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      { type: 'policy', _id: firstId, policyNumber: 'Q-1', riskStateCode: 'TX' },
      transaction('Q-1', { _id: secondId }),
    ]);
    const ofPolicy = { policyId: firstId };
    const operations = reads();
    const calls = [
      () => list(owner),
      () => list(owner, { policyNumber: 'Q-1', currentStatus: 'bound', riskStateCode: 'TX' }),
      () => list(owner, { entityMatchStatus: 'unmatched', riskStateCode: 'TX' }),
      async () => operations.getPolicy(upstreamRequest(owner, ofPolicy, {})),
      async () => operations.listPolicyTransactions(upstreamRequest(owner, ofPolicy, { page: 1, limit: 50 })),
      async () =>
        operations.getPolicyTransaction(upstreamRequest(owner, { ...ofPolicy, transactionId: secondId }, {})),
    ];
    for (const read of calls) expect(await databaseCalls(read)).toMatchObject({ inSequence: 1 });
  });

  it('go on to the last page of the database', async () => {
    const owner = await newOwner();
    await importLines(
      owner,
      ['P-1', 'P-2', 'P-3'].map((number) => transaction(number)),
    );
    const client = new DynamoDBClient(dynamoSettings());
    client.middlewareStack.add((next) => (args) => next({ ...args, input: { ...args.input, Limit: 1 } }), {
      step: 'initialize',
      name: 'small pages',
    });
    const policies = createPolicyStore(tableOf(policiesTable, client, tables.policies));
    expect(await collect(policies.list(owner, {}))).toHaveLength(3);
    client.destroy();
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
    const read = async () => reads().getPolicyTransaction(upstreamRequest(owner, ids, {}));
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

  it('show nothing of another owner, and a transaction under its own policy only', async () => {
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
    await importLines(owner, [transaction('F-2')]);
    const [{ _id: policyId = '' } = {}] = await list(owner, { policyNumber: 'F-2' });
    const asked = upstreamRequest(owner, { policyId, transactionId: secondId }, {});
    await expect(reads().getPolicyTransaction(asked)).rejects.toMatchObject({ errorType: 'not_found' });
  });
});

describe('import of policies', () => {
  it('creates a policy from its first transaction and counts later ones', async () => {
    const owner = await newOwner();
    const outcome = await importLines(owner, [
      transaction('A-1', { uniqueTransactionId: 't1' }),
      transaction('A-1', { uniqueTransactionId: 't2', policyTransactionType: 'Endorsement' }),
    ]);
    expect(outcome).toMatchObject({ imported: 2, rejected: [] });
    const [policy] = await list(owner);
    expect(policy).toMatchObject({
      policyNumber: 'A-1',
      currentStatus: 'bound',
      productMatchStatus: 'unmatched',
      entityMatchStatus: 'unmatched',
      transactionCount: 2,
      riskStateCode: 'TX',
    });
  });

  it('sets the policy by its newest transaction, in any order', async () => {
    const records = [
      transaction('N-1', {
        uniqueTransactionId: 'new',
        policyTransactionDate: '2026-06-01',
        agencyName: 'Newest',
      }),
      transaction('N-1', {
        uniqueTransactionId: 'old',
        policyTransactionDate: '2026-01-01',
        agencyName: 'Oldest',
        npn: '1',
      }),
      {
        type: 'policy',
        policyNumber: 'N-1',
        currentStatus: 'active',
        agencyName: 'Of the record',
        productName: 'GL',
      },
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(records, { minLength: 3 }), async (order) => {
        const owner = await newOwner();
        await importLines(owner, order);
        const [policy] = await list(owner);
        expect(policy).toMatchObject({ agencyName: 'Newest', productName: 'GL', currentStatus: 'active' });
        expect(policy).not.toHaveProperty('npn');
      }),
      runs(3, 60),
    );
  });

  it('finds the newest transaction again when it is amended', async () => {
    const owner = await newOwner();
    const newest = { uniqueTransactionId: 'b', agencyName: 'B' };
    await importLines(owner, [
      transaction('M-1', { uniqueTransactionId: 'a', policyTransactionDate: '2026-03-01', agencyName: 'A' }),
      transaction('M-1', { ...newest, policyTransactionDate: '2026-06-01' }),
    ]);
    await importLines(owner, [transaction('M-1', { ...newest, policyTransactionDate: '2026-02-01' })]);
    expect(await list(owner)).toMatchObject([{ agencyName: 'A', transactionCount: 2 }]);
  });

  it('amends a transaction by its id, whatever else it says of itself', async () => {
    const owner = await newOwner();
    const [one, other] = ['65f0c1d2e3a4b5c6d7e8f911', '65f0c1d2e3a4b5c6d7e8f912'];
    const lines = [
      transaction('I-1', { _id: one, uniqueTransactionId: 'a', policyTransactionDate: '2026-03-01' }),
      transaction('I-1', { _id: other, uniqueTransactionId: 'b', policyTransactionDate: '2026-06-01' }),
    ];
    await importLines(owner, lines);
    await importLines(owner, [{ ...lines[0], uniqueTransactionId: 'c' }]);
    const [policy] = await list(owner);
    expect(policy).toMatchObject({ transactionCount: 2 });
    expect(await store().findTransaction(owner, policy?._id ?? '', one)).toMatchObject({
      uniqueTransactionId: 'c',
    });
  });

  it('changes nothing when the same lines are imported again', async () => {
    const owner = await newOwner();
    const lines = [
      { type: 'policy', _id: firstId, policyNumber: 'S-1', riskStateCode: 'CA', agencyName: 'Own' },
      transaction('S-1', { agencyName: 'Transaction' }),
      transaction('S-1', { agencyName: 'Transaction', policyTransactionDate: '2026-02-01' }),
      transaction('S-2'),
    ];
    expect(await importLines(owner, lines)).toMatchObject({ imported: 4, rejected: [] });
    const before = await list(owner);
    expect(await importLines(owner, lines)).toMatchObject({ imported: 4, rejected: [] });
    expect(await list(owner)).toEqual(before);
    expect(before).toMatchObject([{ _id: firstId, transactionCount: 2 }, { transactionCount: 1 }]);
  });

  it('names the rejected lines and imports the others', async () => {
    const owner = await newOwner();
    const outcome = await importInto(tables)({
      organizationId: owner,
      firstLine: 11,
      lines: [
        JSON.stringify(transaction('G-1')),
        'not json',
        '',
        JSON.stringify(transaction('G-2', { riskStateCode: 'XX' })),
        JSON.stringify({ type: 'policy', policyNumber: 'G-3' }),
        JSON.stringify({ type: 'boat' }),
        JSON.stringify(transaction('G-4', { misspelled: 1 })),
        JSON.stringify({ ...transaction('G-5'), upstreamEntityId: secondId }),
        JSON.stringify(transaction('G-6')).replace('"G-6"', '"G-6","policyNumber":"G-7"'),
      ],
    });
    expect(outcome.imported).toBe(1);
    expect(outcome.rejected).toMatchObject([
      { line: 12, issues: [{ path: '', message: expect.stringMatching(/^is not valid JSON/) }] },
      { line: 14, issues: [{ path: 'riskStateCode' }] },
      { line: 15, issues: [{ path: 'riskStateCode' }] },
      { line: 16, issues: [{ path: 'type' }] },
      { line: 17, issues: [{ path: 'misspelled' }] },
      { line: 18, issues: [{ path: 'upstreamEntityId' }] },
      { line: 19, issues: [{ path: 'policyNumber', message: 'is given more than once' }] },
    ]);
    expect(await list(owner)).toMatchObject([{ policyNumber: 'G-1' }]);
  });

  it('rejects the ID of another policy, and a number that has another ID', async () => {
    const owner = await newOwner();
    await importLines(owner, [{ type: 'policy', _id: firstId, policyNumber: 'I-1', riskStateCode: 'TX' }]);
    const clash = await importLines(owner, [
      { type: 'policy', _id: firstId, policyNumber: 'I-2', riskStateCode: 'TX' },
    ]);
    expect(clash).toMatchObject({ imported: 0, rejected: [{ line: 1, issues: [{ path: '_id' }] }] });
    const other = await importLines(owner, [
      { type: 'policy', _id: secondId, policyNumber: 'I-1', riskStateCode: 'TX' },
    ]);
    expect(other).toMatchObject({ imported: 0, rejected: [{ line: 1, issues: [{ path: '_id' }] }] });
  });

  it('loses no transaction in concurrent imports of one policy', async () => {
    const owner = await newOwner();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        importLines(owner, [transaction('C-1', { uniqueTransactionId: `t${index}` })]),
      ),
    );
    expect(outcomes).toMatchObject(Array.from({ length: 5 }, () => ({ imported: 1, rejected: [] })));
    const [policy] = await list(owner);
    expect(policy).toMatchObject({ transactionCount: 5 });
    const all = await store().transactions(owner, policy?._id ?? '', 1, 100);
    expect(all.map((one) => one.uniqueTransactionId).sort()).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  it('imports more transactions of one policy than fit a database transaction', async () => {
    const owner = await newOwner();
    const lines = Array.from({ length: 110 }, (_, index) =>
      transaction('L-1', { uniqueTransactionId: `t${index}` }),
    );
    expect(await importLines(owner, lines)).toMatchObject({ imported: 110, rejected: [] });
    const [policy] = await list(owner);
    expect(policy?.transactionCount).toBe(110);
    const page = await store().transactions(owner, policy?._id ?? '', 51, 50);
    expect(page.map((one) => one.uniqueTransactionId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `t${index + 50}`),
    );
  });
});
