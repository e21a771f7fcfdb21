import { importLines, newOwner } from '../support/carrier-records.ts';
import { transaction } from '../support/import-lines.ts';
import { agent, createCarrier, daniel, gulf, gulfMain, id, owner } from '../support/matched-carrier.ts';
import { policyOf, transactionsOf } from '../support/policies-tests.ts';

beforeAll(createCarrier);

describe('the id of a transaction', () => {
  it('is its own: a line that gives it to another one is rejected, and the lines beside it are imported', async () => {
    const [first, second, _id] = [await newOwner(), await newOwner(), id()];
    const line = transaction('I-1', { uniqueTransactionId: 'a', _id });
    expect(await importLines(first, [line])).toMatchObject({ imported: 1 });
    const refused = {
      line: 2,
      issues: [{ path: '_id', message: `${_id} is the id of another policy's transaction` }],
    };
    for (const [owner, policyNumber] of [
      [second, 'I-1'],
      [first, 'I-2'],
    ] as const) {
      const beside = (uniqueTransactionId: string) => transaction(policyNumber, { uniqueTransactionId });
      const lines = [beside('b'), { ...line, policyNumber }, beside('c')];
      expect(await importLines(owner, lines)).toMatchObject({ imported: 2, rejected: [refused] });
      expect(await transactionsOf(owner, policyNumber)).toHaveLength(2);
    }
    expect(await importLines(first, [{ ...line, premiumAmountInUSD: 7 }])).toMatchObject({ imported: 1 });
    expect(await transactionsOf(first, 'I-1')).toMatchObject([{ _id, premiumAmountInUSD: 7 }]);
  });
});

describe('a transaction that was received before', () => {
  it('is a duplicate: nothing is written', async () => {
    const carrier = await newOwner();
    const line = transaction('D-1', { uniqueTransactionId: 'a', premiumAmountInUSD: 5 });
    await importLines(carrier, [line]);
    const [before, policy] = [await transactionsOf(carrier, 'D-1'), await policyOf(carrier, 'D-1')];
    await importLines(carrier, [line, { ...line, updatedAt: '2026-12-01T00:00:00.000Z' }]);
    expect(await transactionsOf(carrier, 'D-1')).toEqual(before);
    expect(await policyOf(carrier, 'D-1')).toEqual(policy);
    expect(before).toMatchObject([{ dedupResult: 'new' }]);
  });

  it('is amended by another fingerprint, and keeps its ID', async () => {
    const carrier = await newOwner();
    const line = transaction('D-2', { uniqueTransactionId: 'a', premiumAmountInUSD: 5 });
    await importLines(carrier, [line]);
    const [before] = await transactionsOf(carrier, 'D-2');
    await importLines(carrier, [{ ...line, premiumAmountInUSD: 6 }]);
    const after = await transactionsOf(carrier, 'D-2');
    expect(after).toMatchObject([{ _id: before?._id, dedupResult: 'amended', premiumAmountInUSD: 6 }]);
    expect(after[0]?.transactionFingerprint).not.toBe(before?.transactionFingerprint);
  });

  it('is identified by its fingerprint where it has no ID of its source', async () => {
    const carrier = await newOwner();
    const line = transaction('D-3', { premiumAmountInUSD: 5 });
    await importLines(carrier, [
      line,
      { ...line, upstreamEntityId: carrier },
      { ...line, premiumAmountInUSD: 6 },
    ]);
    expect(await transactionsOf(carrier, 'D-3')).toMatchObject([
      { premiumAmountInUSD: 5, dedupResult: 'new' },
      { premiumAmountInUSD: 6, dedupResult: 'new' },
    ]);
  });

  it('is found by the ID of its source also when it has an ID of its own', async () => {
    const [carrier, _id] = [await newOwner(), id()];
    const line = transaction('D-4', { uniqueTransactionId: 'a' });
    await importLines(carrier, [{ ...line, _id }]);
    await importLines(carrier, [{ ...line, premiumAmountInUSD: 7 }]);
    expect(await transactionsOf(carrier, 'D-4')).toMatchObject([{ _id, premiumAmountInUSD: 7 }]);
  });

  it.each([
    ['its source', { uniqueTransactionId: 'a' }],
    ['its fingerprint', {}],
  ])('is a duplicate by the ID of %s, whatever ID of its own the line carries', async (_what, fields) => {
    const carrier = await newOwner();
    const [_id, another] = [id(), id()];
    const line = transaction('D-7', { ...fields, premiumAmountInUSD: 5 });
    await importLines(carrier, [{ ...line, _id }]);
    const [before, policy] = [await transactionsOf(carrier, 'D-7'), await policyOf(carrier, 'D-7')];
    const { ids } = await importLines(carrier, [{ ...line, _id: another }, line]);
    expect(ids).toMatchObject([{ _id }, { _id }]);
    expect(await transactionsOf(carrier, 'D-7')).toEqual(before);
    expect(await policyOf(carrier, 'D-7')).toEqual(policy);
    expect(policy.transactionCount).toBe(1);
  });

  it('is a duplicate also within one file', async () => {
    const carrier = await newOwner();
    const line = transaction('D-8', { uniqueTransactionId: 'a' });
    await importLines(carrier, [
      { ...line, _id: id() },
      { ...line, _id: id() },
    ]);
    expect(await policyOf(carrier, 'D-8')).toMatchObject({ transactionCount: 1 });
  });

  it('keeps its ID when a line with another one amends it', async () => {
    const [carrier, _id] = [await newOwner(), id()];
    const line = transaction('D-9', { uniqueTransactionId: 'a' });
    await importLines(carrier, [{ ...line, _id }]);
    await importLines(carrier, [{ ...line, _id: id(), premiumAmountInUSD: 7 }]);
    expect(await transactionsOf(carrier, 'D-9')).toMatchObject([
      { _id, premiumAmountInUSD: 7, dedupResult: 'amended' },
    ]);
  });

  it('is another one under another ID, once what identified it was corrected', async () => {
    const [carrier, _id, another] = [await newOwner(), id(), id()];
    const line = transaction('D-10', { premiumAmountInUSD: 5 });
    await importLines(carrier, [{ ...line, _id }]);
    await importLines(carrier, [{ ...line, _id, premiumAmountInUSD: 6 }]);
    await importLines(carrier, [{ ...line, _id: another }]);
    expect(await transactionsOf(carrier, 'D-10')).toMatchObject([
      { _id, premiumAmountInUSD: 6 },
      { _id: another, premiumAmountInUSD: 5 },
    ]);
  });

  it('has a fingerprint that leaves out the ID of its source', async () => {
    const carrier = await newOwner();
    await importLines(carrier, [
      transaction('D-5', { uniqueTransactionId: 'a' }),
      transaction('D-5', { uniqueTransactionId: 'b' }),
    ]);
    const [first, second] = await transactionsOf(carrier, 'D-5');
    expect(first?.transactionFingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(second?.transactionFingerprint).toBe(first?.transactionFingerprint);
  });

  it('keeps what a person confirmed when it is amended', async () => {
    const line = transaction('D-6', { uniqueTransactionId: 'a', agencyNpn: '17654321', agentNpn: '8123456' });
    const confirmed = {
      entityMatchStatus: 'user confirmed',
      downstreamEntityId: gulf,
      upstreamDownstreamAssociationId: gulfMain,
      agentMatchStatus: 'user confirmed',
      matchedAgents: [agent(daniel, 'user', 1)],
    };
    await importLines(owner, [
      { ...line, ...confirmed },
      { ...line, premiumAmountInUSD: 9 },
    ]);
    expect(await transactionsOf(owner, 'D-6')).toMatchObject([
      { ...confirmed, premiumAmountInUSD: 9, dedupResult: 'amended' },
    ]);
  });
});
