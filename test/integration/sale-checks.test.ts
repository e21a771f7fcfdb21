import { reportOf } from '#domain/registry/read-rows.ts';
import type { RegistryReport } from '#domain/registry/registry.ts';
import { mostChecks } from '../../functions/sale-checks/routes.ts';
import { commandsOn } from '../support/admin.ts';
import { ask, clock, given, id, newOwner, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { newId } from '../support/filings.ts';
import { holdersIn } from '../support/holders.ts';
import { agent, associationOf, transaction } from '../support/import-lines.ts';
import {
  agencyNpn,
  answerOf,
  answersOf,
  appointed,
  association,
  associationId,
  config,
  licensed,
  newCarrier,
  producerNpn,
  productId,
  question,
  readsOf,
  routes,
  shortAnswersOf,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

/** A carrier, whose records tests ask of, and to which they add sellers; and its agency. */
let standing: { readonly owner: string; readonly agency: string };

beforeAll(async () => {
  const named = agent({ _id: id(1), externalId: 'AGT-1', downstreamEntityAssociationIds: [associationId] });
  standing = { owner: await newCarrier(named), agency: associationId };
});

/** Adds sellers of the agency with these fields by their NPNs, and what is recorded of them. */
const addSellers = (sellers: Readonly<Record<string, object>>, ...recorded: readonly object[]) =>
  given(
    standing.owner,
    ...Object.entries(sellers).map(([npn, fields]) =>
      agent({ npn, downstreamEntityAssociationIds: [standing.agency], ...fields }),
    ),
    ...recorded,
  );

describe('a check of somebody who may sell', () => {
  it('is answered with yes, and with whom and what was found', async () => {
    const { owner, agency } = standing;
    const check = question({ reference: 'quote-1' });
    expect(await answersOf(owner, [check])).toEqual({
      checks: [
        {
          reference: 'quote-1',
          answer: 'yes',
          complianceStatus: 'COMPLIANT',
          seller: { agentId: id(1), npn: producerNpn, firstName: 'Maria', lastName: 'Delgado' },
          agency: {
            downstreamEntityAssociationId: agency,
            downstreamEntityId: expect.stringMatching(/^[0-9a-f]{24}$/),
            legalName: 'Lone Star Brokerage',
            producerCode: 'P-7731',
            npn: agencyNpn,
          },
          product: { productId, productName: 'General Liability' },
          company: null,
          reasons: [],
          warnings: [],
          date: '2026-07-01',
          goodUntil: '2027-03-31',
          verifiedAt: null,
          basis: 'current',
          configBasis: 'version',
        },
      ],
    });
  });

  it('finds the seller, the agency, and the product by any of their names, and the agency by its seller', async () => {
    const { owner, agency: association } = standing;
    const names = [
      ...[{ agentId: id(1) }, { npn: producerNpn }, { npn: `00${producerNpn}` }, { externalId: 'AGT-1' }].map(
        (seller) => ({ seller }),
      ),
      ...[
        { downstreamEntityAssociationId: association },
        { producerCode: 'p-7731' },
        { externalId: `AG-${owner}` },
        { npn: agencyNpn },
        undefined,
      ].map((agency) => ({ agency })),
      ...[{ productId }, { productCode: 'cgl' }, { productName: 'GENERAL liability' }].map((product) => ({
        product,
      })),
    ];
    const { checks } = await answersOf(owner, names.map(question));
    expect(names.map((name, index) => [name, checks[index]?.answer])).toEqual(
      names.map((name) => [name, 'yes']),
    );
  });
});

describe('a check of somebody who may not sell', () => {
  it('says of each party what is missing and what would mend it', async () => {
    const owner = await newCarrier();
    await given(owner, appointed(agencyNpn, { status: 'terminated', statusChangeDate: '2026-05-01' }));
    const [check] = (await answersOf(owner, [question({ seller: { npn: unlicensedNpn } })])).checks;
    expect(check).toMatchObject({ answer: 'no', complianceStatus: 'NOT_COMPLIANT' });
    expect(check?.reasons).toEqual([
      {
        party: 'seller',
        code: 'license_missing',
        rule: 'missing',
        message: 'No active license in TX.',
        remedy: 'Obtain a license in TX.',
      },
      {
        party: 'seller',
        code: 'appointment_missing',
        rule: 'not-appointed',
        message: 'No active appointment for line of authority 16 in TX.',
        remedy: 'Appoint in TX for line 16.',
      },
      {
        party: 'agency',
        code: 'appointment_ended',
        rule: 'not-appointed',
        message: 'No active appointment for line of authority 16 in TX.',
        remedy: 'Appoint again in TX for line 16.',
      },
    ]);
  });

  it('is no where the producer works elsewhere or nowhere today, and not at another branch', async () => {
    const other = { type: 'association', _id: newId(), downstreamEntity: { legalName: 'Other', npn: '7' } };
    await addSellers(
      { 59: { downstreamEntityAssociationIds: [] } },
      other,
      ...['7', '59'].flatMap((npn) => [licensed(npn), appointed(npn)]),
    );
    const branch = { ...other, _id: newId(), producerCode: 'P-AUSTIN', branchName: 'Austin' };
    await given(standing.owner, { ...branch, downstreamEntity: { legalName: 'Lone Star', npn: agencyNpn } });
    const of = (fields: object) => answerOf(standing.owner, question(fields));
    expect(await of({ agency: { producerCode: 'P-AUSTIN' } })).toEqual(['yes']);
    expect(await of({ agency: { npn: '7' }, date: '2026-06-30' })).toEqual([
      'yes',
      '(agency association_of_today)',
    ]);
    const expected = ['no', 'agency not_associated'];
    expect(await of({ agency: { npn: '7' } })).toEqual(expected);
    expect(await of({ seller: { npn: '59' }, agency: undefined })).toEqual(expected);
  });
});

describe('the carrier’s own word', () => {
  const ofSeller = (fields: object) =>
    agent({
      _id: id(1),
      npn: producerNpn,
      externalId: 'AGT-1',
      downstreamEntityAssociationIds: [associationId],
      ...fields,
    });
  const authority = (approvedStates: readonly string[]) => ({
    authority: [{ upstreamEntityProductId: productId, requestedStates: ['TX'], approvedStates }],
  });

  it.each<[string, string, () => object]>([
    ['an agent who is archived', 'seller seller_archived', () => ofSeller({ isArchived: true })],
    [
      'an agent without authority in the state',
      'seller authority_missing',
      () => ofSeller(authority(['OK'])),
    ],
    [
      'an association that is inactive',
      'agency association_not_active',
      () => ({ ...association(), status: 'inactive' }),
    ],
  ])('of %s is a no from today on; of earlier days, an association is a warning', async (_, reason, line) => {
    const owner = await newCarrier(ofSeller({}), line());
    const checks = [{ npn: producerNpn }, { externalId: 'AGT-1' }].flatMap((seller) =>
      [undefined, '2026-08-01', '2026-06-30'].map((date) => question({ seller, date })),
    );
    const [party] = reason.split(' ');
    const expected = [
      ['no', reason],
      ['no', reason],
      ['yes', ...(party === 'agency' ? ['(agency association_of_today)'] : [])],
    ];
    expect(await shortAnswersOf(owner, checks)).toEqual([...expected, ...expected]);
  });

  it('prefers the active one of a seller’s associations, which is one however often it is named', async () => {
    const invited = associationOf(newId(), { legalName: 'B', npn: '7' }, { status: 'invited' });
    const owner = await newCarrier(
      invited,
      ofSeller({ downstreamEntityAssociationIds: [associationId, associationId, invited._id] }),
    );
    expect(await answerOf(owner, question({ agency: undefined }))).toEqual(['yes']);
    await given(owner, ofSeller({ downstreamEntityAssociationIds: [invited._id] }));
    expect(await answerOf(owner, question({ agency: undefined }))).toContain('agency association_not_active');
  });
});

describe('the writing company', () => {
  const both = () => config({ carrierNaicCodes: ['11111', '22222'] });
  const by = (companyCode: string, npn: string) => appointed(npn, { companyCode });

  it('alone counts where a check names it, and its name is that of the list of carriers', async () => {
    const owner = await newCarrier(both(), ...[agencyNpn, producerNpn].map((npn) => by('22222', npn)), {
      type: 'carrier',
      naicCode: '22222',
      name: 'Second Specialty',
      status: 'active',
    });
    const [named] = (await answersOf(owner, [question({ carrierNaicCode: '22222' })])).checks;
    expect(named).toMatchObject({
      answer: 'yes',
      company: { carrierNaicCode: '22222', name: 'Second Specialty' },
      warnings: [],
    });
    const [other] = (await answersOf(owner, [question({ carrierNaicCode: '11111' })])).checks;
    expect(other).toMatchObject({ answer: 'no', company: { carrierNaicCode: '11111', name: null } });
    expect(other?.reasons.map(({ code }) => code)).toEqual(['appointment_missing', 'appointment_missing']);
    expect(await answerOf(owner, question())).toEqual([
      'yes',
      '(seller company_not_named)',
      '(agency company_not_named)',
    ]);
  });
});

describe('an agency without an NPN', () => {
  it.each([
    [true, ['unknown', 'agency npn_missing']],
    [false, ['yes']],
  ])('whose `isNpnRequired` is %s', async (isNpnRequired, expected) => {
    const owner = await newCarrier({
      ...association(),
      downstreamEntity: { legalName: `Sole Proprietor ${isNpnRequired}`, npn: null, isNpnRequired },
    });
    expect(await answerOf(owner, question())).toEqual(expected);
  });
});

describe('a check that cannot be decided', () => {
  it('is unknown, with a reason for each thing that is not found, and fails no other', async () => {
    const { owner } = standing;
    const checks = [
      question({ seller: { npn: '99' }, agency: { producerCode: 'X' }, product: { productCode: 'X' } }),
      question(),
    ];
    const [unknown, other] = (await answersOf(owner, checks)).checks;
    expect(unknown).toMatchObject({
      answer: 'unknown',
      complianceStatus: null,
      seller: null,
      agency: null,
      product: null,
      basis: null,
      configBasis: null,
    });
    expect(unknown?.reasons.map(({ code }) => code)).toEqual([
      'seller_unknown',
      'agency_unknown',
      'product_unknown',
    ]);
    expect(other?.answer).toBe('yes');
  });

  it('names what several fit', async () => {
    const branch = {
      type: 'association',
      branchName: 'Austin',
      downstreamEntity: { legalName: 'B', npn: '7' },
    };
    const ids = [newId(), newId()];
    const owner = await newCarrier(
      { ...branch, _id: ids[0] },
      { ...branch, _id: ids[1], branchName: 'Dallas' },
      agent({ _id: id(3), npn: '55', downstreamEntityAssociationIds: ids }),
      config({ productId: id(10), productCode: 'OTHER' }),
    );
    const [check] = (
      await answersOf(owner, [
        question({
          seller: { npn: '55' },
          agency: undefined,
          product: { productName: 'General Liability' },
        }),
      ])
    ).checks;
    expect(check?.answer).toBe('unknown');
    expect(check?.reasons.map(({ party, code }) => [party, code])).toEqual([
      ['agency', 'ambiguous'],
      ['product', 'ambiguous'],
    ]);
    for (const one of ids) expect(check?.reasons[0]?.message).toContain(one);
  });

  it('does not find what belongs to another organization, or was deleted', async () => {
    const [owner, other] = [await newCarrier(), await newOwner()];
    const elsewhere = {
      type: 'association',
      externalId: 'AG-OTHER',
      downstreamEntity: { legalName: 'Other' },
    };
    await given(other, elsewhere);
    const foreign = question({ agency: { externalId: 'AG-OTHER' } });
    expect(await answerOf(owner, foreign)).toEqual(['unknown', 'agency agency_unknown']);
    await given(owner, agent({ _id: id(1), npn: producerNpn, isDeleted: true }));
    expect(await answerOf(owner, question())).toEqual(['unknown', 'seller seller_unknown']);
  });
});

describe('what an organization has many of', () => {
  const lines = Array.from({ length: 82 }, (_, index) => String(100 + index));
  const asksFor = (linesOfAuthority: readonly unknown[]) =>
    config({ states: [{ stateCode: 'TX', linesOfAuthority, appointment: 'required' }] });

  it('is named up to ten times in messages, with how many more there are', async () => {
    const branches = Array.from({ length: 12 }, (_, index) =>
      associationOf(newId(), { legalName: 'B', npn: '7' }, { branchName: `Branch ${index}` }),
    );
    const owner = await newCarrier(...branches, asksFor(lines));
    const [missing, several] = (await answersOf(owner, [question(), question({ agency: { npn: '7' } })]))
      .checks;
    const tenLines = `${lines.slice(0, 10).join(', ')}, and 72 more`;
    expect(missing?.reasons[0]).toMatchObject({
      message: `No active line of authority ${tenLines} in TX.`,
      remedy: `Extend the license in TX for lines ${tenLines}.`,
    });
    expect(several?.reasons[0]?.message).toMatch(/^Several fit: ([0-9a-f]{24}, ){10}and 2 more\.$/);
    await given(owner, asksFor([{ anyOf: lines.slice(0, 20) }]));
    const [one] = (await answersOf(owner, [question()])).checks;
    expect(one?.reasons[0]?.message).toContain(` ${lines.slice(0, 10).join(' or ')} or 10 more in TX.`);
  });

  it('is refused in a request that asks more than the most', async () => {
    const body = { checks: Array.from({ length: mostChecks + 1 }, () => question()) };
    expect(await ask(await newOwner(), routes.checkSales, { body })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'checks', message: expect.stringContaining(`${mostChecks}`) }] },
    });
  });
});

describe('the day', () => {
  it('is that of the check, else that of all, and may lie a year ahead', async () => {
    const { owner } = standing;
    const late = question({ date: '2027-04-01' });
    const [one, two] = (await answersOf(owner, [late, question()], { asOf: '2027-03-31' })).checks;
    expect([one?.answer, one?.date, one?.basis]).toEqual(['no', '2027-04-01', 'history']);
    expect([two?.answer, two?.date]).toEqual(['yes', '2027-03-31']);
  });

  it('is refused more than a year ahead, by its path, for all checks', async () => {
    const owner = await newOwner();
    const body = { checks: [question(), question({ date: '2027-07-02' })] };
    expect(await ask(owner, routes.checkSales, { body })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'checks[1].date', message: 'must not be more than a year ahead' }] },
    });
  });

  it('is the last one of an answer where another version of the config begins after it', async () => {
    const until = {
      validFrom: '2026-09-01',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'on binding' }],
    };
    const owner = await newCarrier(config(until), config({ validFrom: '2027-01-15', states: [] }));
    const asked = async (...checks: readonly object[]) =>
      (await answersOf(owner, checks.map(question))).checks.map(({ answer, goodUntil }) => [
        answer,
        goodUntil,
      ]);
    expect(await asked({})).toEqual([['yes', '2027-01-14']]);
    expect(await asked({}, { date: '2027-02-01' })).toEqual([
      ['yes', '2027-01-14'],
      ['no', null],
    ]);
    const { checks, receiptId } = await answersOf(owner, [question()], { receipt: true });
    const { data } = await ask(owner, routes.getSaleReceipt, { params: { receiptId: receiptId ?? '' } });
    expect(data).toMatchObject({ checks: [{ goodUntil: checks[0]?.goodUntil }], reproduced: true });
  });

  it('is judged by what was known at a moment', async () => {
    const { owner } = standing;
    await addSellers({ 64: {} });
    const knownAt = clock.time.toISOString();
    clock.time = new Date('2026-07-03T12:00:00.000Z');
    await given(owner, licensed('64'), appointed('64'));
    const check = question({ seller: { npn: '64' } });
    expect(await answerOf(owner, check)).toEqual(['yes']);
    expect(await answerOf(owner, check, { knownAt })).toEqual([
      'no',
      'seller license_missing',
      'seller appointment_missing',
    ]);
  });
});

it.each([
  [{ seller: {} }, 'checks[0].seller'],
  [{ seller: { npn: '1', agentId: id(1) } }, 'checks[0].seller'],
  [{ agency: { npn: '1', producerCode: 'P' } }, 'checks[0].agency'],
  [{ product: { name: 'GL' } }, 'checks[0].product.name'],
  [{ stateCode: 'XX' }, 'checks[0].stateCode'],
  [{ date: '2026-02-30' }, 'checks[0].date'],
  [{ carrierNaicCode: '000' }, 'checks[0].carrierNaicCode'],
])('refuses %j and names it', async (fields, path) => {
  const owner = await newOwner();
  const { status, details } = await ask(owner, routes.checkSales, { body: { checks: [question(fields)] } });
  expect(status).toBe(400);
  expect(details).toMatchObject({ issues: expect.arrayContaining([expect.objectContaining({ path })]) });
});

describe('a check by query', () => {
  const [seller, product, where] = [{ npn: producerNpn }, { productCode: 'CGL' }, { stateCode: 'TX' }];
  const named = { ...seller, ...product, ...where };
  const get = (owner: string, query: Record<string, string>) => ask(owner, routes.getSaleCheck, { query });

  it('is answered as the same check in a body, by any of the names', async () => {
    const { owner, agency } = standing;
    for (const [query, check] of [
      [named, { agency: undefined }],
      [
        { ...product, ...where, agentId: id(1) },
        { seller: { agentId: id(1) }, agency: undefined },
      ],
      [
        { ...product, ...where, externalId: 'AGT-1' },
        { seller: { externalId: 'AGT-1' }, agency: undefined },
      ],
      [
        { ...seller, ...where, productId },
        { product: { productId }, agency: undefined },
      ],
      [
        { ...seller, ...where, productName: 'General Liability' },
        { product: { productName: 'General Liability' }, agency: undefined },
      ],
      [{ ...named, producerCode: 'p-7731' }, {}],
      [
        { ...named, downstreamEntityAssociationId: agency },
        { agency: { downstreamEntityAssociationId: agency } },
      ],
      [
        { ...named, carrierNaicCode: '19437' },
        { carrierNaicCode: '19437', agency: undefined },
      ],
      [
        { ...named, date: '2027-04-01' },
        { date: '2027-04-01', agency: undefined },
      ],
    ] as const) {
      const { status, data } = await get(owner, query);
      const [expected] = (await answersOf(owner, [question(check)])).checks;
      expect({ status, data }).toEqual({ status: 200, data: expected });
    }
  });

  it('is neither counted nor written nor cached', async () => {
    const { owner } = standing;
    const { calls } = await databaseCalls(async () => {
      const { headers } = await get(owner, named);
      expect(headers).toMatchObject({ 'cache-control': 'no-store' });
      expect(Object.keys(headers).filter((name) => /ratelimit/i.test(name))).toEqual([]);
    });
    expect(calls.filter((call) => !['QueryCommand', 'BatchGetItemCommand'].includes(call))).toEqual([]);
  });

  it.each([
    [{ npn: null }, ['npn'], 'is required, or agentId or externalId'],
    [{ agentId: id(1) }, ['npn', 'agentId'], "can't be combined with"],
    [{ productCode: null }, ['productCode'], 'is required, or productId or productName'],
    [{ productName: 'GL' }, ['productCode', 'productName'], "can't be combined with"],
    [
      { producerCode: 'P', downstreamEntityAssociationId: id(1) },
      ['producerCode', 'downstreamEntityAssociationId'],
      "can't be combined with",
    ],
    [{ stateCode: null }, ['stateCode'], 'is required'],
    [{ stateCode: 'XX' }, ['stateCode'], ''],
    [{ producerCode: '\u00a0' }, ['producerCode'], 'must have at least 1'],
    [{ npn: 'x' }, ['npn'], 'must be 1 to 10 digits'],
    [{ date: '2026-02-30' }, ['date'], 'must be a date'],
    [{ date: '2027-07-02' }, ['date'], 'must not be more than a year ahead'],
    [{ asOf: '2026-07-01' }, ['asOf'], 'is not a parameter'],
  ])('is refused with %j, naming the parameters', async (fields, paths, message) => {
    const given = Object.entries({ ...named, ...fields }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    );
    const { status, details } = await get(await newOwner(), Object.fromEntries(given));
    expect(status).toBe(400);
    const issues = paths.map((path) =>
      expect.objectContaining({ path, message: expect.stringContaining(message) }),
    );
    expect(details).toEqual({ issues });
  });

  it('reads three times in sequence at most, whatever it names, also of a day of another version of the config', async () => {
    const owner = await newCarrier(
      config({ validFrom: '2025-01-01', productName: 'General Liability 2025' }),
    );
    for (const query of [
      named,
      { ...named, producerCode: 'P-7731', carrierNaicCode: '19437' },
      { ...named, date: '2024-07-01' },
      { ...seller, ...where, productId, date: '2027-06-01' },
    ]) {
      const { calls, inSequence } = await databaseCalls(() => get(owner, query));
      expect(inSequence).toBeLessThanOrEqual(3);
      expect(calls.length).toBeLessThanOrEqual(10);
    }
  });
});

describe('database calls', () => {
  /** At most: four, one batch for each hundred heads, and one for each agent and association, beside the write that counts the request. */
  const most = (parties: number): number => 1 + 4 + Math.ceil(parties / 100) + parties;

  it.each([
    { seller: { npn: producerNpn }, agency: { producerCode: 'P-7731' } },
    { seller: { externalId: 'AGT-1' }, agency: { producerCode: 'P-7731' } },
    { seller: { externalId: 'AGT-1' }, agency: { npn: agencyNpn } },
    { seller: { agentId: id(1) }, agency: undefined },
  ])('are few for a check of %j, and one more for a receipt', async (names) => {
    const ask = (others: object) => databaseCalls(() => answersOf(standing.owner, [question(names)], others));
    const { calls } = await ask({});
    expect(calls.length).toBeLessThanOrEqual(most(2));
    expect((await ask({ receipt: true })).calls.length).toBe(calls.length + 1);
  });

  it('are for each agent and association once, of as many checks as a request may ask', async () => {
    const { calls, inSequence } = await readsOf({ sellers: 6, agencies: 2 });
    expect(calls.length).toBeLessThanOrEqual(most(6 + 2));
    // The rate counter, what the checks name, associations, heads.
    expect(inSequence).toBeLessThan(6);
  });
});

describe('the age of what is known', () => {
  const update = (organizationId: string, change: { readonly verifiedWithinDays: number | null }) =>
    commandsOn(tables)('update-organization', { organizationId, ...change });
  const day = (date: string) => `${date}T12:00:00.000Z`;
  const reported = (npn: string) => {
    const { type: _license, npn: _holder, ...license } = licensed(npn);
    const { type: _appointment, npn: _same, ...appointment } = appointed(npn);
    const entity = { kind: 'individual', name: 'Maria Delgado' } as const;
    return reportOf({ ...entity, licenses: [license], appointments: [appointment], regulatoryActions: [] });
  };
  const visit = (owner: string, npn: string, date: string, report: RegistryReport = reported(npn)) =>
    holdersIn(tables.registryRecords).poll(owner, npn, day(date), report);
  const checked = async (owner: string, others: object = {}) => {
    const { checks, receiptId } = await answersOf(owner, [question()], others);
    const [one] = checks;
    const reasons = one?.reasons.map(({ party, code }) => `${party} ${code}`);
    return {
      answer: one?.answer,
      reasons,
      verifiedAt: one?.verifiedAt,
      goodUntil: one?.goodUntil,
      receiptId,
    };
  };

  it('is that of the party confirmed earlier, in the state, and the answer is unknown when it is too old', async () => {
    const owner = await newCarrier();
    await update(owner, { verifiedWithinDays: 7 });
    // A plain import confirms nothing.
    expect(await checked(owner)).toMatchObject({
      answer: 'unknown',
      reasons: ['seller not_verified', 'agency not_verified'],
      verifiedAt: null,
    });
    await visit(owner, producerNpn, '2026-07-02');
    await visit(owner, agencyNpn, '2026-07-04');
    clock.time = new Date('2026-07-04T13:00:00.000Z');
    const then = await checked(owner, { receipt: true });
    expect(then).toMatchObject({ answer: 'yes', reasons: [], goodUntil: '2026-07-09' });
    expect(then.verifiedAt?.slice(0, 10)).toBe('2026-07-02');
    const others = async () => ({
      policies: (await ask(owner, routes.listPolicyComplianceStatuses)).data,
      events: await everyItem(dynamo, tables.outbox),
    });
    await given(owner, {
      ...transaction('P-1'),
      producerCode: 'P-7731',
      agentNpn: producerNpn,
      productCode: 'CGL',
    });
    const before = await others();
    expect(before.policies).toMatchObject([{ complianceStatus: 'COMPLIANT' }]);
    // The registry is down for eight days: lists say what they said, and sale checks that they do not know.
    clock.time = new Date('2026-07-10T13:00:00.000Z');
    expect(await checked(owner)).toMatchObject({ answer: 'unknown', reasons: ['seller not_verified'] });
    expect(await others()).toEqual(before);
    // A receipt keeps when it was.
    await visit(owner, producerNpn, '2026-07-10');
    await visit(owner, agencyNpn, '2026-07-10');
    const { data } = await ask(owner, routes.getSaleReceipt, { params: { receiptId: then.receiptId ?? '' } });
    expect(data).toMatchObject({ reproduced: true });
    await update(owner, { verifiedWithinDays: null });
    expect(await checked(owner)).toMatchObject({ answer: 'yes', goodUntil: '2027-03-31' });
  });
});
