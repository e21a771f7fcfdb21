import * as fc from 'fast-check';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { getPolicy } from '../../functions/policies/get-policy.ts';
import { getPolicyTransaction } from '../../functions/policies/get-policy-transaction.ts';
import { listPolicyTransactions } from '../../functions/policies/list-policy-transactions.ts';
import { createPolicyStore, type PolicyFilters } from '../../functions/policies/store.ts';
import { features } from '../../shared/contract/access.ts';
import { organizationsTable, policiesTable } from '../../shared/data/tables.ts';
import type { Policy } from '../../shared/resources/policy.ts';
import { importInto } from '../support/imports.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

let organizationsName: string;
let policiesName: string;
let organizations: ReturnType<typeof createOrganizationAdministration>;

beforeAll(async () => {
  [organizationsName, policiesName] = await Promise.all([
    createTable(organizationsTable),
    createTable(policiesTable),
  ]);
  organizations = createOrganizationAdministration(dynamo, organizationsName, () => new Date());
});

const newOwner = async (): Promise<string> =>
  (
    await organizations.create({
      name: 'Carrier',
      category: 'upstreamEntity',
      features: [...features],
      subscription: 'active',
      planCeiling: 100,
    })
  ).organizationId;

const importLines = (organizationId: string, records: readonly object[]): Promise<ImportOutcome> =>
  importInto(
    { policies: policiesName, organizations: organizationsName },
    () => new Date('2026-07-01T00:00:00.000Z'),
  )({ organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)) });

const store = () => createPolicyStore(dynamo, policiesName);

async function list(owner: string, filters: PolicyFilters = {}): Promise<Policy[]> {
  const found: Policy[] = [];
  for await (const page of store().list(owner, filters)) found.push(...page);
  return found;
}

const transaction = (policyNumber: string, fields: object = {}) => ({
  type: 'policy-transaction',
  policyNumber,
  policyTransactionType: 'New',
  policyTransactionDate: '2026-01-01',
  riskStateCode: 'TX',
  ...fields,
});

const firstId = '65f0c1d2e3a4b5c6d7e8f901';
const secondId = '65f0c1d2e3a4b5c6d7e8f902';

describe('import of policies', () => {
  it('makes a policy of its first transaction and counts the later ones', async () => {
    const owner = await newOwner();
    const outcome = await importLines(owner, [
      transaction('A-1', { uniqueTransactionId: 't1' }),
      transaction('A-1', { uniqueTransactionId: 't2', policyTransactionType: 'Endorsement' }),
    ]);
    expect(outcome).toEqual({ imported: 2, rejected: [] });
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

  it('lets the policy follow its newest transaction, in whatever order they come', async () => {
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
      { numRuns: 6 },
    );
  });

  it('looks for the newest transaction again when the newest one is amended', async () => {
    const owner = await newOwner();
    const newest = { uniqueTransactionId: 'b', agencyName: 'B' };
    await importLines(owner, [
      transaction('M-1', { uniqueTransactionId: 'a', policyTransactionDate: '2026-03-01', agencyName: 'A' }),
      transaction('M-1', { ...newest, policyTransactionDate: '2026-06-01' }),
    ]);
    await importLines(owner, [transaction('M-1', { ...newest, policyTransactionDate: '2026-02-01' })]);
    expect(await list(owner)).toMatchObject([{ agencyName: 'A', transactionCount: 2 }]);
  });

  it('changes nothing when the same lines come again', async () => {
    const owner = await newOwner();
    const lines = [
      { type: 'policy', _id: firstId, policyNumber: 'S-1', riskStateCode: 'CA', agencyName: 'Own' },
      transaction('S-1', { agencyName: 'Transaction' }),
      transaction('S-1', { agencyName: 'Transaction', policyTransactionDate: '2026-02-01' }),
      transaction('S-2'),
    ];
    expect(await importLines(owner, lines)).toEqual({ imported: 4, rejected: [] });
    const before = await list(owner);
    expect(await importLines(owner, lines)).toEqual({ imported: 4, rejected: [] });
    expect(await list(owner)).toEqual(before);
    expect(before).toMatchObject([{ _id: firstId, transactionCount: 2 }, { transactionCount: 1 }]);
  });

  it('names the bad lines and takes in the good ones', async () => {
    const owner = await newOwner();
    const outcome = await importInto({ policies: policiesName, organizations: organizationsName })({
      organizationId: owner,
      firstLine: 11,
      lines: [
        JSON.stringify(transaction('G-1')),
        'not json',
        '',
        JSON.stringify(transaction('G-2', { riskStateCode: 'XX' })),
        JSON.stringify({ type: 'policy', policyNumber: 'G-3' }),
        JSON.stringify({ type: 'boat' }),
        JSON.stringify(transaction('G-4', { misspelt: 1 })),
        JSON.stringify({ ...transaction('G-5'), upstreamEntityId: secondId }),
      ],
    });
    expect(outcome.imported).toBe(1);
    expect(outcome.rejected).toMatchObject([
      { line: 12, issues: [{ path: '', message: 'is not valid JSON' }] },
      { line: 14, issues: [{ path: 'riskStateCode' }] },
      { line: 15, issues: [{ path: 'riskStateCode' }] },
      { line: 16, issues: [{ path: 'type' }] },
      { line: 17, issues: [{ path: 'misspelt' }] },
      { line: 18, issues: [{ path: 'organizationId' }] },
    ]);
    expect(await list(owner)).toMatchObject([{ policyNumber: 'G-1' }]);
  });

  it('refuses an id that another policy has, and a number that has another id', async () => {
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

  it('loses no transaction when imports of one policy meet', async () => {
    const owner = await newOwner();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        importLines(owner, [transaction('C-1', { uniqueTransactionId: `t${index}` })]),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => ({ imported: 1, rejected: [] })));
    const [policy] = await list(owner);
    expect(policy).toMatchObject({ transactionCount: 5 });
    const all = await store().transactions(owner, policy?._id ?? '', 1, 100);
    expect(all.map((one) => one.uniqueTransactionId).sort()).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  it('takes in more transactions of one policy than a database transaction holds', async () => {
    const owner = await newOwner();
    const lines = Array.from({ length: 250 }, (_, index) =>
      transaction('L-1', { uniqueTransactionId: `t${index}` }),
    );
    expect(await importLines(owner, lines)).toEqual({ imported: 250, rejected: [] });
    const [policy] = await list(owner);
    expect(policy?.transactionCount).toBe(250);
    const page = await store().transactions(owner, policy?._id ?? '', 101, 50);
    expect(page.map((one) => one.uniqueTransactionId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `t${index + 100}`),
    );
  });
});

describe('reads of policies', () => {
  it('wait for the database once, whatever they read', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      { type: 'policy', _id: firstId, policyNumber: 'Q-1', riskStateCode: 'TX' },
      transaction('Q-1', { _id: secondId }),
    ]);
    const identity = { organizationId: owner, category: 'upstreamEntity', credentialId: 'c' } as const;
    const request = {
      identity,
      requestId: 'r',
      now: new Date(),
      baseUrl: () => 'https://api.example.com',
      body: undefined,
      recordResponse: () => [],
    };
    const deps = { policies: store() };
    const ofPolicy = { ...request, params: { policyId: firstId } };
    const reads = [
      () => list(owner),
      () => list(owner, { policyNumber: 'Q-1', currentStatus: 'bound', riskStateCode: 'TX' }),
      () => Promise.resolve(getPolicy({ ...ofPolicy, query: {} }, deps)),
      () => Promise.resolve(listPolicyTransactions({ ...ofPolicy, query: { page: 1, limit: 50 } }, deps)),
      () =>
        Promise.resolve(
          getPolicyTransaction(
            { ...request, params: { policyId: firstId, transactionId: secondId }, query: {} },
            deps,
          ),
        ),
    ];
    for (const read of reads) expect(await databaseCalls(read)).toMatchObject({ inSequence: 1 });
  });

  it('combine filters, each narrowing the others', async () => {
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

  it('leave out what is soft-deleted, and find it again once restored', async () => {
    const owner = await newOwner();
    const record = { type: 'policy', _id: firstId, policyNumber: 'D-1', riskStateCode: 'TX' };
    await importLines(owner, [record, transaction('D-1')]);
    await importLines(owner, [{ ...record, isDeleted: true }]);
    expect(await list(owner)).toEqual([]);
    expect(await list(owner, { riskStateCode: 'TX' })).toEqual([]);
    expect(await list(owner, { currentStatus: 'bound' })).toEqual([]);
    expect(await store().find(owner, firstId)).toBeUndefined();
    await importLines(owner, [{ ...record, isDeleted: false }]);
    expect(await store().find(owner, firstId)).toMatchObject({ policyNumber: 'D-1', transactionCount: 1 });
  });

  it('see nothing of another owner', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
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
