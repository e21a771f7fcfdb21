import { importLines, newOwner } from '../support/carrier-records.ts';
import { transaction } from '../support/import-lines.ts';
import {
  agency,
  agent,
  association,
  austin,
  auto,
  createCarrier,
  dallas,
  daniel,
  gulf,
  gulfMain,
  hudson,
  id,
  liability,
  lone,
  main,
  other,
  otherMain,
  owner,
  review,
} from '../support/matched-carrier.ts';
import { imported, policyOf, transactionsOf } from '../support/policies-tests.ts';

beforeAll(createCarrier);

describe('matching', () => {
  const ofAgency =
    /^(entityMatchStatus|entityMatchConfidence|downstreamEntityId|upstreamDownstreamAssociationId)$/;
  /** What a transaction says of its agency. */
  const agencyPart = (one: Awaited<ReturnType<typeof imported>>) =>
    Object.fromEntries(
      Object.entries(one).filter(([name, value]) => ofAgency.test(name) && value !== undefined),
    );

  const npn = { agencyNpn: '17654321' };
  const npnOfGulf = { agencyNpn: '19001763' };
  const name = { agencyName: 'Lone Star Brokerage' };
  const fein = { agencyFein: '757654321' };
  const ofNobody = { agencyFein: '11-1111111' };
  const license = { agencyLicenseNumber: '1456789', agencyLicensedStateCode: 'tx' };
  const licenseOfGulf = { agencyLicenseNumber: '0c12345', agencyLicensedStateCode: 'CA' };
  const [isLone, isGulf] = [auto(1, lone, main), auto(1, gulf, gulfMain)];
  const producerCode = 'P-3';
  const unmatched = { entityMatchStatus: 'unmatched' };
  const inReview = { entityMatchStatus: 'manual review' };
  const ofTwo = { upstreamDownstreamAssociationId: dallas, downstreamEntityId: gulf };
  const unknown = { upstreamDownstreamAssociationId: liability };

  it('an import counts the transactions whose agency, agents, and product are matched, wait for a review, or are unmatched', async () => {
    const lines = [
      transaction('COUNT-1', { producerCode: 'P-3' }),
      transaction('COUNT-2', { entityMatchStatus: 'user confirmed', upstreamDownstreamAssociationId: main }),
      transaction('COUNT-3', { agencyName: 'Lone Star Brokerage', productCode: 'cgl' }),
      transaction('COUNT-4', { agencyName: 'Nobody’s Agency' }),
      transaction('COUNT-5'),
      transaction('COUNT-6', { premiumAmountInUSD: 'much' }),
      { type: 'policy', policyNumber: 'COUNT-7', riskStateCode: 'TX' },
    ];
    const counts = {
      imported: 6,
      importedByType: { 'policy-transaction': 5, policy: 1 },
      matched: { agencies: 2, agents: 0, products: 1 },
      review: { agencies: 1, agents: 0, products: 0 },
      unmatched: { agencies: 2, agents: 5, products: 4 },
    };
    expect(await importLines(owner, lines)).toMatchObject(counts);
    expect(await importLines(owner, lines)).toMatchObject(counts);
  });

  describe('the agency of a transaction', () => {
    it.each<[what: string, fields: object, expected: object]>([
      ['a producer code is certain', { producerCode }, isGulf],
      ['an NPN is certain', npn, isLone],
      ['an NPN that a file fills up with zeros', { agencyNpn: '0017654321' }, isLone],
      ['a producer code in lower case', { producerCode: 'p-3' }, isGulf],
      ['a FEIN, with or without the hyphen', fein, auto(0.95, lone, main)],
      ['a license with its state', license, auto(0.95, lone, main)],
      ['a license number in lower case', licenseOfGulf, auto(0.95, gulf, gulfMain)],
      [
        'a name with what it does business as',
        { agencyName: 'Smith LLC d/b/a Lone Star Brokerage' },
        review(0.8),
      ],
      ['a name without its hyphen', { agencyName: 'Lonestar Brokerage' }, review(0.8)],
      [
        'an NPN, and as the name what it does business as',
        { ...npn, agencyName: 'Coastal Partners (d/b/a Lone Star Brokerage)' },
        isLone,
      ],
      ['an NPN of nobody beside a producer code', { producerCode, agencyNpn: '99999999' }, review(1)],
      ['a FEIN of nobody beside a producer code', { producerCode, ...ofNobody }, review(1)],
      [
        'a FEIN beside the NPN of an agency whose FEIN is unknown',
        { agencyNpn: '19001765', ...ofNobody },
        auto(1, other, otherMain),
      ],
      ['an NPN of zeros, which says nothing', { producerCode, agencyNpn: '0000000000' }, isGulf],
      [
        'evidence that agrees has the confidence of the best',
        { ...fein, ...license, ...name, ...npn },
        isLone,
      ],
      ['no evidence', {}, unmatched],
      [
        'evidence that fits nobody',
        { agencyNpn: '1', producerCode: 'P-9', ...ofNobody, agencyName: 'Nobody' },
        unmatched,
      ],
      ['several agencies that are equally good', { agencyFein: '65-1112223' }, review(0.95)],
      ['further evidence tells them apart', { agencyFein: '65-1112223', producerCode }, isGulf],
      ['evidence of different agencies', { ...npn, producerCode }, review(1)],
      ['an NPN whose agency has another name', { ...npn, agencyName: 'Pacific Crest' }, review(1)],
      [
        'words of the trade are not in common',
        { ...npnOfGulf, agencyName: 'Meridian Insurance Agency' },
        review(1),
      ],
      ['a misspelled name does not dispute an NPN', { ...npn, agencyName: 'Loen Str Brokrage' }, isLone],
      ['an NPN that fits no agency beside a matching name', { agencyNpn: '17654312', ...name }, review(0.8)],
      ['the name of another agency disputes a producer code', { producerCode: 'P-5', ...name }, review(1)],
      ['the branch of its producer code', { ...npn, producerCode: 'P-2' }, auto(1, lone, austin)],
      ['the branch that it names', { ...npn, branchName: 'dallas' }, auto(1, lone, dallas)],
      [
        'a branch that the agency does not have',
        { ...npn, branchName: 'Houston' },
        { ...review(1), downstreamEntityId: lone },
      ],
      ['a branch of an agency without branches', { ...npnOfGulf, branchName: 'Houston' }, isGulf],
      [
        'an agency with branches only',
        { agencyNpn: '18233410' },
        { ...review(1), downstreamEntityId: hudson },
      ],
      [
        'the association that the record names',
        { upstreamDownstreamAssociationId: dallas, ...npnOfGulf },
        auto(1, lone, dallas),
      ],
      ['the agency that the record names', { downstreamEntityId: lone, ...npnOfGulf }, isLone],
      ['an association of another agency than the record names', ofTwo, { ...inReview, ...ofTwo }],
      ['an association that is unknown', unknown, { ...inReview, ...unknown }],
      ['the status that the record has', { ...unmatched, ...npn }, unmatched],
    ])('%s', async (_what, fields, expected) => {
      expect(agencyPart(await imported(owner, fields))).toEqual(expected);
    });

    it('is not found among those of another carrier', async () => {
      const stranger = await newOwner();
      expect(agencyPart(await imported(stranger, { ...npn, producerCode: 'P-1' }))).toEqual(unmatched);
    });

    it('is not found by the digits of a number of another kind', async () => {
      const [carrier, entity, relation] = [await newOwner(), id(), id()];
      const digits = '751234567';
      await importLines(carrier, [agency(entity, 'Digits', digits, null), association(relation, entity)]);
      expect(await imported(carrier, { agencyFein: digits })).toMatchObject(unmatched);
      expect(await imported(carrier, { agencyNpn: digits })).toMatchObject(auto(1, entity, relation));
    });

    it('is found by what it is called now, and no longer once it is deleted', async () => {
      const [carrier, entity, relation] = [await newOwner(), id(), id()];
      const ein = '12-3456789';
      await importLines(carrier, [agency(entity, 'Old Name', '55', ein), association(relation, entity)]);
      await importLines(carrier, [agency(entity, 'New Name', '66', ein)]);
      expect(await imported(carrier, { agencyNpn: '55' })).toMatchObject(unmatched);
      expect(await imported(carrier, { agencyNpn: '66' })).toMatchObject(auto(1, entity, relation));
      expect(await imported(carrier, { agencyName: 'new name, llc' })).toMatchObject(review(0.8));
      await importLines(carrier, [association(relation, entity, { isDeleted: true })]);
      expect(await imported(carrier, { agencyNpn: '66' })).toMatchObject(unmatched);
    });
  });

  it('decides alike in concurrent imports, and loses none of them', async () => {
    const carrier = await newOwner();
    const [entity, relation] = [id(), id()];
    await importLines(carrier, [agency(entity, 'Busy Agency', '77', null), association(relation, entity)]);
    const lines = Array.from({ length: 20 }, (_, index) =>
      transaction('C-1', { uniqueTransactionId: `t${index % 10}`, agencyNpn: '77' }),
    );
    await Promise.all([importLines(carrier, lines), importLines(carrier, [...lines].reverse())]);
    const all = await transactionsOf(carrier, 'C-1');
    expect(all).toHaveLength(10);
    for (const one of all) expect(one).toMatchObject({ ...auto(1, entity, relation), dedupResult: 'new' });
  });
});

describe('deduplication', () => {
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
      const line = transaction('D-6', {
        uniqueTransactionId: 'a',
        agencyNpn: '17654321',
        agentNpn: '8123456',
      });
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
});
