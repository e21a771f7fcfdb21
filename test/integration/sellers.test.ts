import type { SaleCheck } from '#domain/sale-checks/resource.ts';
import { callerOf } from '../support/api-event.ts';
import { ask, given, id, newOwner } from '../support/carrier-records.ts';
import { newId } from '../support/filings.ts';
import { agent, associationWith, namedAgency } from '../support/import-lines.ts';
import {
  agencyNpn,
  answersOf,
  appointed,
  association,
  associationId,
  config,
  licensed,
  newCarrier,
  producerNpn,
  productId,
  routes,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { databaseCalls } from '../support/tables.ts';

type Query = Record<string, string>;

const where = { productId, stateCode: 'TX' };

/** What the list of sellers answers a carrier. */
async function sellersOf(owner: string, query: Query) {
  const { status, data } = await ask(owner, routes.listSellers, { query });
  expect(status).toBe(200);
  return data as SaleCheck[];
}

/** What sale checks answer of the same names. */
async function checksOf(owner: string, agentIds: readonly string[], query: Query) {
  const { downstreamEntityAssociationId, stateCode, date, ...product } = query;
  const agency = { downstreamEntityAssociationId };
  const checks = agentIds.map((agentId) => ({ seller: { agentId }, agency, product, stateCode, date }));
  return (await answersOf(owner, checks)).checks;
}

const worksHere = (fields: object) => agent({ downstreamEntityAssociationIds: [associationId], ...fields });

/** Agents of all kinds: beside one who may sell and one without a license, these. */
const others = (productIds = [productId]) => [
  worksHere({ _id: id(3), npn: '103', isArchived: true }),
  worksHere({
    _id: id(4),
    npn: '104',
    authority: productIds.map((upstreamEntityProductId) => ({
      upstreamEntityProductId,
      approvedStates: ['OK'],
      requestedStates: [],
    })),
  }),
  // Her own agency: one NPN for both.
  worksHere({ _id: id(5), npn: agencyNpn }),
  worksHere({ _id: id(6), npn: '106' }),
  worksHere({ _id: id(7), npn: '107', isDeleted: true }),
  agent({ _id: id(8), npn: '108' }),
  ...['103', '104', '108'].flatMap((npn) => [licensed(npn), appointed(npn)]),
  licensed('106', { issueDate: '2026-03-01', nextRenewalDate: '2026-08-31' }),
  appointed('106', { statusChangeDate: '2026-03-02' }),
];

const working = [1, 2, 3, 4, 5, 6].map(id);

describe('the list of sellers', () => {
  describe('equals the sale checks of the same names', () => {
    const rules = [
      ['required of both', {}],
      ['required of either', { appointmentOf: 'either', linesOfAuthority: ['16'] }],
      ['allowed on binding', { appointment: 'on binding', appointWithinDays: 15 }],
      ['not required of the agency', { licenseOf: 'agent', appointmentOf: 'agent' }],
      ['beside a further license', { furtherLicenses: [{ licenseClasses: ['Surplus Lines Broker'] }] }],
      ['required until another config begins', {}],
    ] as const;
    let carrier: { readonly owner: string; readonly agency: string };
    beforeAll(async () => {
      const products = rules.map(([appointment, rule], index) =>
        config({
          productId: id(20 + index),
          productCode: `P${index}`,
          productName: appointment,
          states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required', ...rule }],
        }),
      );
      const laterConfigs = products.slice(-1).map((one) => ({ ...one, validFrom: '2027-01-15', states: [] }));
      carrier = {
        owner: await newCarrier(
          ...others(products.map((one) => one.productId)),
          ...products,
          ...laterConfigs,
        ),
        agency: associationId,
      };
    });

    it.each(rules.map(([appointment], index) => [appointment, index] as const))(
      'with an appointment that is %s',
      async (_, index) => {
        const where = { productId: id(20 + index), stateCode: 'TX' };
        for (const query of [
          where,
          { productCode: `p${index}`, stateCode: 'TX' },
          { ...where, stateCode: 'OK' },
          { ...where, date: '2026-02-01' },
          { ...where, date: '2027-06-30' },
          { ...where, productId: id(99) },
        ]) {
          const asked = { downstreamEntityAssociationId: carrier.agency, ...query };
          const sellers = await sellersOf(carrier.owner, asked);
          expect(sellers).toEqual(await checksOf(carrier.owner, working, asked));
        }
      },
    );
  });

  it('has agents of whom this is the answer, where one is asked for', async () => {
    const owner = await newCarrier(...others());
    const query = { ...where, downstreamEntityAssociationId: associationId };
    const all = await sellersOf(owner, query);
    expect(all.map((check) => check.answer)).toEqual(['yes', 'no', 'no', 'no', 'yes', 'yes']);
    for (const answer of ['yes', 'no', 'unknown'])
      expect(await sellersOf(owner, { ...query, answer })).toEqual(
        all.filter((check) => check.answer === answer),
      );
    const unknown = { ...query, productId: id(99), answer: 'unknown' };
    expect(await sellersOf(owner, unknown)).toHaveLength(working.length);
  });

  it('reads the agency once, and each agent once', async () => {
    const npns = Array.from({ length: 10 }, (_, index) => String(2_000 + index));
    const owner = await newCarrier(
      ...npns.flatMap((npn, index) => [worksHere({ _id: id(100 + index), npn }), licensed(npn)]),
    );
    const query = { ...where, downstreamEntityAssociationId: associationId };
    const { calls } = await databaseCalls(async () => {
      expect(await sellersOf(owner, query)).toHaveLength(12);
    });
    const holders = 12 + 1;
    // Products, keys, agents, and homes; the association, the carrier, what it says of classes, and the agency's home.
    expect(calls.length).toBeLessThanOrEqual(holders + 3 * 4 + 4);
  });

  it('is empty for another’s association, and says of another’s product what it says of one that nobody has', async () => {
    const foreign = { association: associationId, product: newId() };
    await newCarrier(config({ productId: foreign.product, productCode: 'OTHER' }));
    const owner = await newOwner();
    const own = newId();
    await given(
      owner,
      { ...association(), _id: own },
      agent({ npn: producerNpn, downstreamEntityAssociationIds: [own] }),
    );
    for (const one of [foreign.association, newId()])
      expect(await sellersOf(owner, { ...where, downstreamEntityAssociationId: one })).toEqual([]);
    const query = { downstreamEntityAssociationId: own, stateCode: 'TX' };
    const [of, ...more] = await sellersOf(owner, { ...query, productId: foreign.product });
    expect([of?.reasons.map(({ code }) => code), more]).toEqual([['product_unknown'], []]);
    for (const product of [{ productId: newId() }, { productCode: 'OTHER' }])
      expect(await sellersOf(owner, { ...query, ...product })).toEqual([of]);
  });

  it.each([
    [{ productId: null }, 'productId', 'is required, or productCode'],
    [{ productCode: 'CGL' }, 'productCode', "can't be combined with productId"],
    [{ downstreamEntityAssociationId: null }, 'downstreamEntityAssociationId', 'is required'],
    [{ stateCode: null }, 'stateCode', 'is required'],
    [{ date: '2027-07-02' }, 'date', 'must not be more than a year ahead'],
    [{ answer: 'maybe' }, 'answer', 'must be'],
  ])('refuses %j and names it', async (fields, path, message) => {
    const all = { ...where, downstreamEntityAssociationId: id(1), ...fields };
    const query = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    );
    const { status, details } = await ask(await newOwner(), routes.listSellers, { query });
    expect(status).toBe(400);
    const issue = expect.objectContaining({ path, message: expect.stringContaining(message) });
    expect(details).toMatchObject({ issues: expect.arrayContaining([issue]) });
  });
});

describe('the agency’s list of sellers', () => {
  /** A carrier’s agency that has an organization, which knows some of the same agents. */
  async function newMarket(...more: object[]) {
    const [agency, entityId] = [await newOwner('downstreamEntity'), newId()];
    await given(
      undefined,
      namedAgency(entityId, 'Lone Star Brokerage', { npn: agencyNpn, downstreamOrganizationId: agency }),
    );
    const owner = await newOwner();
    await given(
      owner,
      config(),
      { ...association(), downstreamEntity: undefined, downstreamEntityId: entityId, status: 'active' },
      worksHere({ _id: newId(), npn: producerNpn }),
      worksHere({ _id: newId(), npn: unlicensedNpn }),
      worksHere({ npn: '103' }),
      ...[agencyNpn, producerNpn].flatMap((npn) => [licensed(npn), appointed(npn)]),
      ...more,
    );
    const own = [newId(), newId()];
    await given(
      agency,
      agent({ _id: own[0], npn: producerNpn, lastName: 'Delgado-Reyes', downstreamEntityIds: [entityId] }),
      agent({ _id: own[1], npn: unlicensedNpn, downstreamEntityIds: [entityId] }),
      agent({ npn: '104', downstreamEntityIds: [entityId] }),
    );
    return { agency, entityId, owner, own };
  }

  const askAs = (agency: string, query: Query) =>
    ask(agency, routes.listAgencySellers, { query, identity: callerOf(agency, 'downstreamEntity') });

  const marketQuery = () => ({ ...where, upstreamDownstreamAssociationId: associationId });

  it('equals the carrier’s sale checks of the agents whom both have, under the agency’s names', async () => {
    const { agency, owner, own } = await newMarket();
    const { status, data } = await askAs(agency, marketQuery());
    const agencyOfCheck = { downstreamEntityAssociationId: associationId };
    const checks = [producerNpn, unlicensedNpn].map((npn) => ({
      seller: { npn },
      agency: agencyOfCheck,
      product: { productId },
      stateCode: 'TX',
    }));
    const ofCarrier = await answersOf(owner, checks);
    const items = ofCarrier.checks.map((check, index) => ({
      ...check,
      seller: {
        ...check.seller,
        agentId: own[index],
        lastName: index === 0 ? 'Delgado-Reyes' : 'Delgado',
      },
    }));
    expect(items.map(({ answer }) => answer)).toEqual(['yes', 'no']);
    const paging = { page: 1, limit: 50, totalPages: 1 };
    expect({ status, data }).toEqual({ status: 200, data: { items, total: 2, ...paging } });
    const second = await askAs(agency, { ...marketQuery(), page: '2', limit: '1' });
    expect(second.data).toMatchObject({ items: [items[1]], total: 2, page: 2, totalPages: 2 });
  });

  it('is not found, the same for all, unless the market is the agency’s own, active, and of a carrier here', async () => {
    const { agency, owner, entityId } = await newMarket();
    const answers = [await askAs(agency, { ...marketQuery(), upstreamDownstreamAssociationId: newId() })];
    answers.push(await askAs(await newOwner('downstreamEntity'), marketQuery()));
    const named = {
      legalName: 'Lone Star Brokerage',
      downstreamOrganizationId: await newOwner('downstreamEntity'),
    };
    const elsewhere = { type: 'market', _id: newId(), downstreamEntityId: entityId };
    await given(agency, { ...elsewhere, upstreamEntityName: 'Elsewhere Mutual', marketType: 'direct' });
    answers.push(await askAs(agency, { ...marketQuery(), upstreamDownstreamAssociationId: elsewhere._id }));
    for (const status of ['invited', 'inactive']) {
      await given(owner, associationWith(associationId, entityId, { status }));
      answers.push(await askAs(agency, marketQuery()));
    }
    await given(owner, associationWith(associationId, entityId, { status: 'active' }));
    expect((await askAs(agency, marketQuery())).status).toBe(200);
    // The agency moves to another organization.
    await given(undefined, { type: 'downstream-entity', _id: entityId, ...named });
    answers.push(await askAs(agency, marketQuery()));
    expect(answers.map((one) => ({ status: one.status, details: one.details }))).toEqual(
      answers.map(() => ({ status: 404, details: undefined })),
    );
    expect((await askAs(named.downstreamOrganizationId, marketQuery())).data).toMatchObject({
      items: [],
      total: 0,
    });
  });
});
