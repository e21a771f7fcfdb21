import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import type { StoredDownstreamEntity } from '../../shared/downstream-entities/stored.ts';
import type { Identity } from '../../shared/identity/identity.ts';
import { agencyFunction } from '../support/agency.ts';
import {
  appointmentOf,
  configOf,
  entityOf,
  licenseOf,
  marketOf,
  producerOf,
  registrationOf,
} from '../support/agency-records.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { category, checklistItem, escalation, filingOf, newId } from '../support/filings.ts';
import { databaseCalls } from '../support/tables.ts';

const { routes } = agencyRoutes;

/** The day on which everything happens: 4 a.m. UTC, when it still is the day before in New York. */
let now = new Date('2026-11-21T04:00:00.000Z');
const today = '2026-11-20';

let agency: Awaited<ReturnType<typeof agencyFunction>>;
beforeAll(async () => {
  agency = await agencyFunction(() => now);
});
beforeEach(() => {
  now = new Date('2026-11-21T04:00:00.000Z');
});

const identityOf = (organizationId: string): Identity => ({
  organizationId,
  category: 'downstreamEntity',
  // Each caller has a credential of its own, or the tests would meet the limit of writes.
  credentialId: randomUUID(),
});

interface Asked {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

async function ask(
  organizationId: string,
  route: Parameters<typeof apiEvent>[0],
  options: Parameters<typeof apiEvent>[1] = {},
): Promise<Asked> {
  const event = apiEvent(route, { identity: identityOf(organizationId), ...options });
  const { status, body } = await agency.pipeline(event, lambdaContext);
  const json = JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;
  const data = (json['data'] ?? {}) as Record<string, unknown>;
  return { status, json, data, items: (data['items'] ?? []) as Record<string, unknown>[] };
}

const lists = Object.entries(routes).filter(([, { answer }]) => 'page' in answer);

/** An organization with one entity. */
async function organization(
  fields: Partial<StoredDownstreamEntity> = {},
): Promise<{ readonly owner: string; readonly entity: StoredDownstreamEntity }> {
  const owner = newId();
  const entity = entityOf(owner, fields);
  await agency.put.entities(entity);
  return { owner, entity };
}

/** A filing of the agency's that waits for it, or does not. */
const filingFor = (owner: string, downstreamEntityId: string, waits: boolean) =>
  filingOf(newId(), {
    downstreamEntityId,
    downstreamOrganizationId: owner,
    checklist: [
      category('signatures', [
        checklistItem('affidavit', {
          escalation: escalation({ status: waits ? 'waiting customer input' : 'resolved' }),
        }),
      ]),
    ],
  });

describe('every list of the agency', () => {
  it.each(lists)('%s refuses a limit above 100 and a sort', async (_, route) => {
    const { owner } = await organization();
    for (const query of [{ limit: '101' }, { limit: '0' }, { page: '0' }, { sort: 'name' }]) {
      expect(await ask(owner, route, { query })).toMatchObject({ status: 400 });
    }
  });

  it.each(lists)(
    '%s answers 404 for an entity outside the organization, the same as for one that nobody has',
    async (_, route) => {
      const [{ owner, entity: own }, { entity: foreign }] = await Promise.all([
        organization(),
        organization(),
      ]);
      const gone = entityOf(owner, { isDeleted: true });
      await agency.put.entities(gone);
      for (const { _id } of [foreign, gone, { _id: newId() }]) {
        const { status, json } = await ask(owner, route, { query: { downstreamEntityId: _id } });
        expect(status).toBe(404);
        expect(json).toMatchObject({ errorType: 'not_found' });
      }
      expect(await ask(owner, route, { query: { downstreamEntityId: own._id } })).toMatchObject({
        status: 200,
        data: { page: 1, limit: 50 },
      });
    },
  );

  it.each(lists)('%s is an empty page for an organization without records', async (_, route) => {
    const { status, data } = await ask(newId(), route);
    expect(status).toBe(200);
    expect(data).toMatchObject({ items: [], total: 0, page: 1, limit: 50, totalPages: 0 });
  });
});

describe('entities', () => {
  it('come by legal name, then id, a page at a time, without deleted and foreign ones', async () => {
    const owner = newId();
    const entities = ['Bravo', 'alpha', 'Ålesund', 'Bravo'].map((legalName) =>
      entityOf(owner, { legalName, npn: null }),
    );
    await agency.put.entities(...entities, entityOf(owner, { isDeleted: true }), entityOf(newId()));
    const [bravo, alpha, alesund, other] = entities;
    const ids = [alesund?._id, alpha?._id, ...[bravo?._id, other?._id].sort()];
    const one = await ask(owner, routes.listEntities, { query: { limit: '3' } });
    const two = await ask(owner, routes.listEntities, { query: { limit: '3', page: '2' } });
    expect([...one.items, ...two.items].map(({ _id }) => _id)).toEqual(ids);
    expect(two.data).toMatchObject({ total: 4, page: 2, limit: 3, totalPages: 2 });
    expect(one.items[0]).not.toHaveProperty('downstreamOrganizationId');
    expect(one.items[0]).not.toHaveProperty('isDeleted');
  });

  it('narrowed to one show that one', async () => {
    const { owner, entity } = await organization();
    await agency.put.entities(entityOf(owner));
    const query = { downstreamEntityId: entity._id };
    const { data } = await ask(owner, routes.listEntities, { query });
    expect(data).toMatchObject({ items: [{ _id: entity._id }], total: 1 });
    expect((await ask(owner, routes.listEntities, { query: { ...query, page: '2' } })).data).toMatchObject({
      items: [],
      total: 1,
    });
  });

  it('one is read by its id; a foreign or deleted one is not found', async () => {
    const { owner, entity } = await organization();
    const params = { downstreamEntityId: entity._id };
    expect(await ask(owner, routes.getEntity, { params })).toMatchObject({
      status: 200,
      data: { _id: entity._id, legalName: entity.legalName },
    });
    expect(await ask(newId(), routes.getEntity, { params })).toMatchObject({ status: 404 });
    await agency.put.entities({ ...entity, isDeleted: true });
    expect(await ask(owner, routes.getEntity, { params })).toMatchObject({ status: 404 });
  });
});

describe('producers', () => {
  it('come by name, of all entities or of one', async () => {
    const { owner, entity } = await organization();
    const here = producerOf({ lastName: 'Young', npn: '1', downstreamEntityIds: [entity._id] });
    const elsewhere = producerOf({ lastName: 'Abel', npn: '2' });
    await agency.put.producers(owner, here, elsewhere);
    await agency.put.producers(newId(), producerOf());
    const all = await ask(owner, routes.listProducers);
    expect(all.items.map(({ npn }) => npn)).toEqual(['2', '1']);
    const ofEntity = await ask(owner, routes.listProducers, { query: { downstreamEntityId: entity._id } });
    expect(ofEntity.data).toMatchObject({
      items: [{ _id: here._id, downstreamEntityIds: [entity._id] }],
      total: 1,
    });
    expect(ofEntity.items[0]).not.toHaveProperty('labeledEmails');
  });
});

describe('markets and what they ask', () => {
  it('show by carrier name, of all entities or of one, without telling who owns the association', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner);
    await agency.put.entities(other);
    const carrier = newId();
    const beacon = marketOf(entity._id, { upstreamEntityId: carrier });
    const acme = marketOf(other._id, { upstreamEntityName: 'Acme', marketType: 'wholesaler' });
    await agency.put.markets(owner, beacon, acme);
    const all = await ask(owner, routes.listMarkets);
    expect(all.items).toMatchObject([
      { upstreamEntityName: 'Acme', isOnPlatform: false, marketType: 'wholesaler' },
      { upstreamEntityName: 'Beacon Specialty', isOnPlatform: true },
    ]);
    expect(JSON.stringify(all.json)).not.toContain(carrier);
    const one = await ask(owner, routes.listMarkets, { query: { downstreamEntityId: entity._id } });
    expect(one.items.map((item) => item['upstreamDownstreamAssociationId'])).toEqual([
      beacon.upstreamDownstreamAssociationId,
    ]);
  });

  it('compliance configs are those of the carriers on the platform, once for each market, paged exactly', async () => {
    const { owner, entity } = await organization();
    const branch = entityOf(owner, { legalName: 'Branch', npn: '17654322' });
    await agency.put.entities(branch);
    const carrier = newId();
    const [main, second] = [entity, branch].map(({ _id }) => marketOf(_id, { upstreamEntityId: carrier }));
    await agency.put.markets(
      owner,
      ...[main, second].filter((market) => market !== undefined),
      marketOf(entity._id, { upstreamEntityId: newId(), status: 'inactive', upstreamEntityName: 'Left' }),
      marketOf(entity._id, { upstreamEntityName: 'Off platform' }),
    );
    const configs = [configOf(), configOf({ productName: 'Cyber Secure' })];
    await agency.put.configs(carrier, ...configs);
    await agency.put.configs(newId(), configOf());
    const all = await ask(owner, routes.listMarketComplianceConfigs);
    expect(all.data['total']).toBe(4);
    expect(new Set(all.items.map(({ productId }) => productId))).toEqual(
      new Set(configs.map(({ productId }) => productId)),
    );
    const pages = await Promise.all(
      ['1', '2'].map((page) =>
        ask(owner, routes.listMarketComplianceConfigs, { query: { limit: '3', page } }),
      ),
    );
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items);
    const one = await ask(owner, routes.listMarketComplianceConfigs, {
      query: { downstreamEntityId: branch._id },
    });
    expect(one.data).toMatchObject({
      total: 2,
      items: [
        {
          upstreamDownstreamAssociationId: second?.upstreamDownstreamAssociationId,
          downstreamEntityId: branch._id,
          upstreamEntityName: 'Beacon Specialty',
        },
        {},
      ],
    });
  });
});

describe('licenses and appointments', () => {
  it('licenses come by renewal date, and filters combine', async () => {
    const { owner, entity } = await organization();
    const held = [
      licenseOf({ stateCode: 'TX', nextRenewalDate: '2027-03-31' }),
      licenseOf({ stateCode: 'OK', nextRenewalDate: '2026-12-31' }),
      licenseOf({ stateCode: 'OK', nextRenewalDate: null, status: 'inactive', licenseNumber: 'X' }),
      licenseOf({ npn: '8123456', stateCode: 'OK', nextRenewalDate: '2026-11-30', licenseNumber: 'Y' }),
    ];
    await agency.put.licenses(owner, ...held);
    await agency.put.licenses(newId(), licenseOf());
    const numbers = async (query: Record<string, string>) => {
      const { items, data } = await ask(owner, routes.listAgencyLicenses, { query });
      expect(data['total']).toBe(items.length);
      return items.map(({ stateCode, nextRenewalDate }) => `${stateCode} ${nextRenewalDate}`);
    };
    expect(await numbers({})).toEqual(['OK 2026-11-30', 'OK 2026-12-31', 'TX 2027-03-31', 'OK null']);
    expect(await numbers({ stateCode: 'OK' })).toEqual(['OK 2026-11-30', 'OK 2026-12-31', 'OK null']);
    expect(await numbers({ stateCode: 'OK', status: 'active' })).toEqual(['OK 2026-11-30', 'OK 2026-12-31']);
    expect(await numbers({ stateCode: 'OK', status: 'active', downstreamEntityId: entity._id })).toEqual([
      'OK 2026-12-31',
    ]);
    expect(await numbers({ status: 'unknown' })).toEqual([]);
  });

  it('appointments come by state and carrier, and filters combine', async () => {
    const { owner, entity } = await organization();
    await agency.put.appointments(
      owner,
      appointmentOf({ carrierName: 'Meridian', companyCode: '2' }),
      appointmentOf(),
      appointmentOf({ stateCode: 'LA', status: 'terminated' }),
      appointmentOf({ npn: '8123456' }),
    );
    const carriers = async (query: Record<string, string>) => {
      const { items } = await ask(owner, routes.listAgencyAppointments, { query });
      return items.map(({ stateCode, npn }) => `${stateCode} ${npn}`);
    };
    expect(await carriers({})).toEqual(['LA 17654321', 'TX 17654321', 'TX 8123456', 'TX 17654321']);
    expect(await carriers({ status: 'active', downstreamEntityId: entity._id, stateCode: 'TX' })).toEqual([
      'TX 17654321',
      'TX 17654321',
    ]);
  });

  it('an entity without an NPN has none, though the organization has', async () => {
    const { owner, entity } = await organization({ npn: null });
    await agency.put.licenses(owner, licenseOf());
    await agency.put.appointments(owner, appointmentOf());
    for (const route of [
      routes.listAgencyLicenses,
      routes.listAgencyAppointments,
      routes.getLicenseOverview,
    ]) {
      const { data } = await ask(owner, route, { query: { downstreamEntityId: entity._id } });
      expect(data).toMatchObject({ items: [], total: 0 });
      expect((await ask(owner, route)).data).toMatchObject({ total: 1 });
    }
  });

  it('however records, pages and filters fall, pages show each match once, in order (property)', async () => {
    const states = ['TX', 'OK', 'LA'] as const;
    const record = fc.record({
      npn: fc.constantFrom('17654321', '2', '3'),
      stateCode: fc.constantFrom(...states),
      status: fc.constantFrom('active', 'inactive'),
      nextRenewalDate: fc.constantFrom('2026-01-31', '2026-12-31', null),
      licenseNumber: fc.string({ unit: fc.constantFrom('1', '2', '#', 'A'), minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(record, {
          maxLength: 12,
          selector: ({ npn, stateCode, licenseNumber }) => `${npn} ${stateCode} ${licenseNumber}`,
        }),
        fc.record({
          stateCode: fc.option(fc.constantFrom(...states), { nil: undefined }),
          status: fc.option(fc.constantFrom('active', 'inactive'), { nil: undefined }),
        }),
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        async (records, { stateCode, status }, ofEntity, limit) => {
          const { owner, entity } = await organization();
          await agency.put.licenses(owner, ...records.map(licenseOf));
          const expected = records.filter(
            (one) =>
              (stateCode ?? one.stateCode) === one.stateCode &&
              (status ?? one.status) === one.status &&
              (!ofEntity || one.npn === entity.npn),
          );
          const shown: unknown[] = [];
          for (let page = 1; ; page += 1) {
            const { items, data } = await ask(owner, routes.listAgencyLicenses, {
              query: {
                limit: String(limit),
                page: String(page),
                ...(stateCode === undefined ? {} : { stateCode }),
                ...(status === undefined ? {} : { status }),
                ...(ofEntity ? { downstreamEntityId: entity._id } : {}),
              },
            });
            expect(data['total']).toBe(expected.length);
            expect(items.length).toBe(Math.max(0, Math.min(limit, expected.length - (page - 1) * limit)));
            if (items.length === 0) break;
            shown.push(...items);
          }
          const key = (one: object): string => JSON.stringify(one, ['npn', 'stateCode', 'licenseNumber']);
          const dates = shown.map(
            (one) => (one as { nextRenewalDate: string | null }).nextRenewalDate ?? '~',
          );
          expect(dates).toEqual(dates.toSorted());
          expect(shown.map((one) => key(Object(one))).sort()).toEqual(expected.map(key).sort());
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('the license overview', () => {
  it('tells each state by its most pressing license; the date decides, not the registry’s status', async () => {
    const { owner } = await organization();
    await agency.put.licenses(
      owner,
      // In New York it is still the 20th, so this one runs for another moment.
      licenseOf({ stateCode: 'TX', nextRenewalDate: today }),
      licenseOf({ stateCode: 'TX', npn: '2', nextRenewalDate: '2028-01-31', licenseNumber: 'T2' }),
      licenseOf({
        stateCode: 'TX',
        npn: '2',
        status: 'inactive',
        nextRenewalDate: '2020-01-31',
        licenseNumber: 'T3',
      }),
      licenseOf({ stateCode: 'OK', nextRenewalDate: '2026-11-19', licenseNumber: 'O1' }),
      licenseOf({ stateCode: 'OK', npn: '2', nextRenewalDate: '2027-01-19', licenseNumber: 'O2' }),
      licenseOf({
        stateCode: 'LA',
        npn: '3',
        nextRenewalDate: '2027-01-20T00:00:00.000Z',
        licenseNumber: 'L1',
      }),
      licenseOf({ stateCode: 'NM', nextRenewalDate: null, licenseNumber: 'N1' }),
      licenseOf({ stateCode: 'AL', status: 'surrendered', licenseNumber: 'A1' }),
    );
    await agency.put.licenses(newId(), licenseOf({ stateCode: 'CA' }));
    const { data, items } = await ask(owner, routes.getLicenseOverview);
    expect(data['counts']).toEqual({ total: 8, active: 3, expiring: 2, expired: 1, inactive: 2 });
    const row = { active: 0, expiring: 0, expired: 0, inactive: 0, entities: 0, producers: 0 };
    expect(items).toEqual([
      {
        ...row,
        stateCode: 'AL',
        status: 'inactive',
        licenses: 1,
        inactive: 1,
        nextRenewalDate: null,
        daysLeft: null,
      },
      {
        ...row,
        stateCode: 'LA',
        status: 'active',
        licenses: 1,
        active: 1,
        producers: 1,
        nextRenewalDate: '2027-01-20',
        daysLeft: 61,
      },
      {
        ...row,
        stateCode: 'NM',
        status: 'active',
        licenses: 1,
        active: 1,
        entities: 1,
        nextRenewalDate: null,
        daysLeft: null,
      },
      {
        ...row,
        stateCode: 'OK',
        status: 'expired',
        licenses: 2,
        expiring: 1,
        expired: 1,
        producers: 1,
        nextRenewalDate: '2026-11-19',
        daysLeft: -1,
      },
      {
        ...row,
        stateCode: 'TX',
        status: 'expiring',
        licenses: 3,
        active: 1,
        expiring: 1,
        inactive: 1,
        entities: 1,
        producers: 1,
        nextRenewalDate: today,
        daysLeft: 0,
      },
    ]);
  });

  it('pages its rows and keeps the counts whole; an entity’s are those of its NPN', async () => {
    const { owner, entity } = await organization();
    await agency.put.licenses(
      owner,
      ...(['TX', 'OK', 'LA'] as const).map((stateCode) => licenseOf({ stateCode })),
      licenseOf({ npn: '2', stateCode: 'NM' }),
    );
    const two = await ask(owner, routes.getLicenseOverview, { query: { limit: '3', page: '2' } });
    expect(two.data).toMatchObject({ items: [{ stateCode: 'TX' }], total: 4, counts: { total: 4 } });
    const own = await ask(owner, routes.getLicenseOverview, { query: { downstreamEntityId: entity._id } });
    expect(own.data).toMatchObject({ total: 3, counts: { total: 3, active: 3 } });
  });

  it('reads keys alone, whatever number of licenses there are', async () => {
    const { owner } = await organization();
    await agency.put.licenses(
      owner,
      ...Array.from({ length: 120 }, (_, index) => licenseOf({ licenseNumber: String(index) })),
    );
    const { calls, inSequence } = await databaseCalls(() => ask(owner, routes.getLicenseOverview));
    expect(calls.sort()).toEqual(['BatchGetItemCommand', 'QueryCommand', 'QueryCommand']);
    expect(inSequence).toBeLessThanOrEqual(2);
  });
});

describe('corporate registrations', () => {
  it('come by state, of all entities or of one', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner);
    await agency.put.entities(other);
    await agency.put.registrations(
      owner,
      registrationOf(entity._id),
      registrationOf(other._id, { stateCode: 'FL', registrationType: 'foreign' }),
    );
    await agency.put.registrations(newId(), registrationOf(newId()));
    const all = await ask(owner, routes.listCorporateRegistrations);
    expect(all.items.map(({ stateCode }) => stateCode)).toEqual(['FL', 'TX']);
    const one = await ask(owner, routes.listCorporateRegistrations, {
      query: { downstreamEntityId: entity._id },
    });
    expect(one.data).toMatchObject({ items: [{ stateCode: 'TX', registrationType: 'domestic' }], total: 1 });
  });
});

describe('license requests', () => {
  const create = (owner: string, body: object, headers: Record<string, string> = {}) =>
    ask(owner, routes.createLicenseRequest, { body, headers });

  it('a new license is asked for under the entity’s NPN, then read and listed', async () => {
    const { owner, entity } = await organization();
    const created = await create(owner, { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' });
    expect(created.status).toBe(201);
    expect(created.data).toMatchObject({
      npn: entity.npn,
      licenseNumber: null,
      linesOfAuthority: [],
      notes: null,
      status: 'submitted',
      statusHistory: [{ status: 'submitted' }],
    });
    const params = { licenseRequestId: String(created.data['_id']) };
    expect((await ask(owner, routes.getLicenseRequest, { params })).data).toEqual(created.data);
    expect((await ask(owner, routes.listLicenseRequests)).items).toEqual([created.data]);
    expect(await ask(newId(), routes.getLicenseRequest, { params })).toMatchObject({ status: 404 });
    expect(await ask(newId(), routes.cancelLicenseRequest, { params })).toMatchObject({ status: 404 });
  });

  it('lists come oldest first, of all entities or of one', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner, { npn: '2' });
    await agency.put.entities(other);
    const ids: unknown[] = [];
    for (const [index, { _id }] of [other, entity, other].entries()) {
      now = new Date(now.getTime() + 1_000);
      const stateCode = ['TX', 'OK', 'LA'][index];
      ids.push((await create(owner, { downstreamEntityId: _id, type: 'new', stateCode })).data['_id']);
    }
    expect((await ask(owner, routes.listLicenseRequests)).items.map(({ _id }) => _id)).toEqual(ids);
    const query = { downstreamEntityId: entity._id };
    expect((await ask(owner, routes.listLicenseRequests, { query })).items.map(({ _id }) => _id)).toEqual([
      ids[1],
    ]);
  });

  it('a producer’s NPN is taken for an entity that the producer works for, and no other NPN', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner, { npn: '2' });
    await agency.put.entities(other);
    await agency.put.producers(owner, producerOf({ npn: '77', downstreamEntityIds: [entity._id] }));
    await agency.put.producers(newId(), producerOf({ npn: '78', downstreamEntityIds: [entity._id] }));
    const request = { type: 'new', stateCode: 'OK', npn: '77' };
    expect(await create(owner, { ...request, downstreamEntityId: entity._id })).toMatchObject({
      status: 201,
    });
    for (const body of [
      { ...request, downstreamEntityId: other._id },
      { ...request, downstreamEntityId: entity._id, npn: '78' },
      { ...request, downstreamEntityId: other._id, npn: entity.npn },
    ]) {
      const { status, json } = await create(owner, body);
      expect(status).toBe(400);
      expect(json).toMatchObject({ errorType: 'validation_error', details: { issues: [{ path: 'npn' }] } });
    }
  });

  it('an entity without an NPN needs one given', async () => {
    const { owner, entity } = await organization({ npn: null });
    const { status, json } = await create(owner, {
      downstreamEntityId: entity._id,
      type: 'new',
      stateCode: 'OK',
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: 'npn' }] } });
  });

  it('a renewal names a license held for that NPN in that state; a new license names none', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'renewal', stateCode: 'TX' };
    await agency.put.licenses(
      owner,
      licenseOf({ licenseNumber: 'A#1' }),
      licenseOf({ npn: '2', licenseNumber: 'B' }),
    );
    await agency.put.licenses(newId(), licenseOf({ licenseNumber: 'C' }));
    for (const wrong of [
      body,
      { ...body, licenseNumber: 'B' },
      { ...body, licenseNumber: 'C' },
      { ...body, licenseNumber: 'A#1', stateCode: 'OK' },
      { ...body, licenseNumber: 'A#1', type: 'new' },
    ]) {
      const { status, json } = await create(owner, wrong);
      expect(status).toBe(400);
      expect(json).toMatchObject({ details: { issues: [{ path: 'licenseNumber' }] } });
    }
    expect(await create(owner, { ...body, licenseNumber: 'A#1' })).toMatchObject({ status: 201 });
    // The renewal holds the place of its own license, and of no new one.
    expect(await create(owner, { ...body, licenseNumber: 'A#1' })).toMatchObject({ status: 409 });
    expect(await create(owner, { ...body, type: 'new' })).toMatchObject({ status: 201 });
  });

  it('an entity outside the organization is not found', async () => {
    const [{ owner }, { entity }] = await Promise.all([organization(), organization()]);
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    expect(await create(owner, body)).toMatchObject({ status: 404 });
  });

  it('ten equal requests at once make one; the others say conflict', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(owner, body)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(9);
    for (const { status, json } of refused) {
      expect(status).toBe(409);
      expect(json).toMatchObject({ errorType: 'conflict' });
    }
    expect((await ask(owner, routes.listLicenseRequests)).data).toMatchObject({ total: 1 });
  });

  it('ten requests under one idempotency key make one and answer it, or say that it is under way', async () => {
    const { owner, entity } = await organization();
    const identity = identityOf(owner);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const send = () => ask(owner, routes.createLicenseRequest, { body, headers, identity });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const again = await send();
    expect(again.json).toEqual(created[0]?.json);
    expect((await ask(owner, routes.listLicenseRequests)).data).toMatchObject({ total: 1 });
  });

  it('is cancelled from submitted and in review alone, once, which frees its license', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const cancel = (licenseRequestId: string) =>
      ask(owner, routes.cancelLicenseRequest, { params: { licenseRequestId } });
    const move = (id: string, status: 'in review' | 'approved' | 'rejected') =>
      agency.requests.move(owner, id, status, now, () => []);

    const first = String((await create(owner, body)).data['_id']);
    expect(await cancel(first)).toMatchObject({
      status: 200,
      data: { status: 'cancelled', statusHistory: [{ status: 'submitted' }, { status: 'cancelled' }] },
    });
    expect(await cancel(first)).toMatchObject({ status: 409, json: { errorType: 'conflict' } });

    const second = String((await create(owner, body)).data['_id']);
    await expect(move(second, 'approved')).rejects.toMatchObject({ errorType: 'conflict' });
    await move(second, 'in review');
    expect(await create(owner, body)).toMatchObject({ status: 409 });
    expect(await cancel(second)).toMatchObject({ status: 200 });

    for (const end of ['approved', 'rejected'] as const) {
      const id = String((await create(owner, body)).data['_id']);
      await move(id, 'in review');
      await move(id, end);
      expect(await cancel(id)).toMatchObject({ status: 409 });
    }
    expect(await create(owner, body)).toMatchObject({ status: 201 });
  });

  it('of a cancellation and an approval at once, one holds and the other says conflict', async () => {
    const { owner, entity } = await organization();
    for (let round = 0; round < 5; round += 1) {
      const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
      const licenseRequestId = String((await create(owner, body)).data['_id']);
      await agency.requests.move(owner, licenseRequestId, 'in review', now, () => []);
      const [cancelled, approved] = await Promise.all([
        ask(owner, routes.cancelLicenseRequest, { params: { licenseRequestId } }),
        agency.requests
          .move(owner, licenseRequestId, 'approved', now, () => [])
          .then(
            () => true,
            () => false,
          ),
      ]);
      expect([200, 409]).toContain(cancelled.status);
      expect(approved).toBe(cancelled.status === 409);
      const found = await agency.requests.find(owner, licenseRequestId);
      expect(found?.status).toBe(approved ? 'approved' : 'cancelled');
    }
  });

  it('under a key takes at most four calls for an entity’s new license, and for a cancellation', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const headers = { 'idempotency-key': randomUUID() };
    const written = await databaseCalls(() => create(owner, body, headers));
    expect(written.calls).toHaveLength(4);
    const { items } = await ask(owner, routes.listLicenseRequests);
    const params = { licenseRequestId: String(items[0]?.['_id']) };
    const cancelled = await databaseCalls(() =>
      ask(owner, routes.cancelLicenseRequest, { params, headers: { 'idempotency-key': randomUUID() } }),
    );
    expect(cancelled.calls).toHaveLength(4);
  });
});

describe('actions required', () => {
  it('tell of escalations, licenses and appointments, by due date, then id', async () => {
    const { owner, entity } = await organization();
    const carrier = newId();
    const market = marketOf(entity._id, { upstreamEntityId: carrier });
    const waiting = filingFor(owner, entity._id, true);
    await Promise.all([
      agency.put.markets(owner, market, marketOf(entity._id, { upstreamEntityName: 'Off platform' })),
      agency.put.filing(waiting),
      agency.put.filing(filingFor(owner, entity._id, false)),
      agency.put.configs(
        carrier,
        configOf({
          states: [
            { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' },
            { stateCode: 'OK', linesOfAuthority: ['16'], appointment: 'required' },
            { stateCode: 'LA', linesOfAuthority: ['16'], appointment: 'required' },
            { stateCode: 'NM', linesOfAuthority: [], appointment: 'on binding' },
          ],
        }),
      ),
      agency.put.licenses(
        owner,
        licenseOf({ licenseNumber: 'late', nextRenewalDate: '2026-11-19', stateCode: 'LA' }),
        licenseOf({ licenseNumber: 'soon', nextRenewalDate: '2027-01-19', stateCode: 'TX' }),
        licenseOf({ licenseNumber: 'fine', nextRenewalDate: '2027-01-20', stateCode: 'OK' }),
        licenseOf({ licenseNumber: 'none', nextRenewalDate: null, stateCode: 'NM' }),
        licenseOf({ licenseNumber: 'gone', nextRenewalDate: '2026-01-01', status: 'inactive' }),
        licenseOf({ licenseNumber: 'hers', nextRenewalDate: today, npn: '8123456' }),
      ),
      // The carrier's own records say that the entity is appointed in TX.
      agency.put.appointments(carrier, appointmentOf({ stateCode: 'TX' })),
    ]);
    const { items, data } = await ask(owner, routes.listActionsRequired);
    expect(data['total']).toBe(5);
    expect(items.slice(0, 3)).toMatchObject([
      {
        type: 'license expired',
        dueDate: '2026-11-19',
        licenseNumber: 'late',
        stateCode: 'LA',
        downstreamEntityId: entity._id,
      },
      { type: 'license expiring', dueDate: today, licenseNumber: 'hers', downstreamEntityId: null },
      { type: 'license expiring', dueDate: '2027-01-19', licenseNumber: 'soon' },
    ]);
    const undated = items.slice(3);
    expect(undated.map(({ _id }) => _id)).toEqual(undated.map(({ _id }) => _id).toSorted());
    expect(undated.toSorted((a, b) => String(a['type']).localeCompare(String(b['type'])))).toMatchObject([
      {
        type: 'missing appointment',
        stateCode: 'OK',
        dueDate: null,
        upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
        products: [{ productName: 'Contractors General Liability' }],
      },
      { type: 'open escalation', filingId: waiting._id, downstreamEntityId: entity._id, dueDate: null },
    ]);
    expect((await ask(owner, routes.listActionsRequired)).items).toEqual(items);

    const pages = await Promise.all(
      ['1', '2', '3'].map((page) => ask(owner, routes.listActionsRequired, { query: { limit: '2', page } })),
    );
    expect(pages.flatMap((one) => one.items)).toEqual(items);

    const one = await ask(owner, routes.listActionsRequired, { query: { downstreamEntityId: entity._id } });
    expect(one.data['total']).toBe(4);
    expect(one.items).toEqual(items.filter(({ downstreamEntityId }) => downstreamEntityId !== null));
  });

  it('an appointment in the agency’s own records that names the carrier is one', async () => {
    const { owner, entity } = await organization();
    const carrier = newId();
    await Promise.all([
      agency.put.markets(owner, marketOf(entity._id, { upstreamEntityId: carrier })),
      agency.put.configs(carrier, configOf()),
      agency.put.licenses(owner, licenseOf()),
      agency.put.appointments(
        owner,
        appointmentOf({ carrierName: 'Beacon Specialty Life', status: 'terminated' }),
      ),
    ]);
    const types = async () => (await ask(owner, routes.listActionsRequired)).items.map(({ type }) => type);
    expect(await types()).toEqual(['missing appointment']);
    await agency.put.appointments(owner, appointmentOf({ carrierName: 'Beaconsfield', companyCode: '1' }));
    expect(await types()).toEqual(['missing appointment']);
    await agency.put.appointments(
      owner,
      appointmentOf({ carrierName: 'BEACON SPECIALTY INSURANCE COMPANY' }),
    );
    expect(await types()).toEqual([]);
  });

  it('are gone when the escalation is answered or the license renewed', async () => {
    const { owner, entity } = await organization();
    const filing = filingFor(owner, entity._id, true);
    const due = licenseOf({ nextRenewalDate: today });
    await agency.put.filing(filing);
    await agency.put.licenses(owner, due);
    expect((await ask(owner, routes.listActionsRequired)).data).toMatchObject({ total: 2 });
    await agency.put.licenses(owner, { ...due, nextRenewalDate: '2028-11-20' });
    expect((await ask(owner, routes.listActionsRequired)).items).toMatchObject([{ type: 'open escalation' }]);
  });

  it('wait for the database five times in sequence, however many there are', async () => {
    const { owner, entity } = await organization();
    const carriers = Array.from({ length: 6 }, newId);
    await Promise.all([
      ...carriers.map((carrier) => agency.put.configs(carrier, configOf())),
      agency.put.markets(
        owner,
        ...carriers.map((upstreamEntityId) => marketOf(entity._id, { upstreamEntityId })),
      ),
      agency.put.licenses(owner, licenseOf({ nextRenewalDate: today })),
    ]);
    const { inSequence } = await databaseCalls(() => ask(owner, routes.listActionsRequired));
    expect(inSequence).toBeLessThanOrEqual(5);
  });
});

describe('two agencies and two carriers that share one of them', () => {
  it('nothing of another organization ever shows, but a carrier’s name and what its products ask', async () => {
    const [ours, theirs] = await Promise.all([
      organization({ legalName: 'Ours' }),
      organization({ legalName: 'Theirs', npn: '99' }),
    ]);
    const [carrier, rival] = [newId(), newId()];
    const secrets = new Set<string>();
    for (const { owner, entity } of [ours, theirs]) {
      const secret = owner === theirs.owner;
      const named = (text: string): string => {
        const marked = `${text} ${owner.slice(0, 8)}`;
        if (secret) secrets.add(marked);
        return marked;
      };
      const npn = entity.npn ?? '';
      await Promise.all([
        agency.put.producers(
          owner,
          producerOf({
            npn: secret ? '501' : '500',
            lastName: named('Producer'),
            downstreamEntityIds: [entity._id],
          }),
        ),
        agency.put.licenses(
          owner,
          licenseOf({ npn, licenseNumber: named('L'), nextRenewalDate: today }),
          licenseOf({ npn: secret ? '501' : '500', licenseNumber: named('P'), nextRenewalDate: today }),
        ),
        agency.put.appointments(owner, appointmentOf({ npn, countyName: named('County') })),
        agency.put.registrations(owner, registrationOf(entity._id, { registrationNumber: named('R') })),
        agency.put.markets(
          owner,
          marketOf(entity._id, { upstreamEntityId: carrier, producerCode: named('Code') }),
          marketOf(entity._id, { upstreamEntityName: named('Off platform') }),
        ),
        agency.put.filing({ ...filingFor(owner, entity._id, true), policyNumber: named('SL') }),
        ask(owner, routes.createLicenseRequest, {
          body: { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK', notes: named('Note') },
        }),
      ]);
    }
    // What the carriers themselves hold of the agency, and the products of one that it does not work with.
    await Promise.all([
      agency.put.configs(carrier, configOf({ productName: 'Shared product' })),
      agency.put.configs(rival, configOf({ productName: 'Rival product' })),
      agency.put.licenses(carrier, licenseOf({ licenseNumber: 'Carrier’s copy', nextRenewalDate: today })),
      agency.put.licenses(rival, licenseOf({ licenseNumber: 'Rival’s copy', nextRenewalDate: today })),
      agency.put.appointments(rival, appointmentOf({ countyName: 'Rival’s copy' })),
      agency.put.producers(carrier, producerOf({ lastName: 'Carrier’s agent' })),
    ]);
    const forbidden = [
      ...secrets,
      theirs.owner,
      theirs.entity._id,
      carrier,
      rival,
      'Rival product',
      'Carrier’s copy',
      'Rival’s copy',
      'Carrier’s agent',
      '"99"',
      '"501"',
    ];
    for (const [name, route] of lists) {
      for (const query of [{}, { downstreamEntityId: ours.entity._id }]) {
        const { status, json, items } = await ask(ours.owner, route, { query });
        expect(status).toBe(200);
        expect(`${name}: ${items.length > 0}`).toBe(`${name}: true`);
        const text = JSON.stringify(json);
        expect(forbidden.filter((one) => text.includes(one))).toEqual([]);
      }
    }
  });
});
