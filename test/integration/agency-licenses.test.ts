import * as fc from 'fast-check';
import { exampleLicense, type License } from '#domain/registry/resources.ts';
import {
  appointmentOf,
  configOf,
  entityOf,
  licenseOf,
  marketOf,
  producerOf,
  registrationOf,
} from '../support/agency-records.ts';
import { agency, ask, filingFor, organization, routes, today } from '../support/agency-tests.ts';
import { runs } from '../support/extent.ts';
import { newId } from '../support/filings.ts';
import { databaseCalls } from '../support/tables.ts';

const inactiveLines = exampleLicense.linesOfAuthority.map((line) => ({ ...line, status: 'inactive' }));

describe('licenses and appointments', () => {
  it('lists appointments by state, holder, and carrier, with combined filters', async () => {
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
    expect(await carriers({})).toEqual(['LA 17654321', 'TX 17654321', 'TX 17654321', 'TX 8123456']);
    expect(await carriers({ status: 'active', downstreamEntityId: entity._id, stateCode: 'TX' })).toEqual([
      'TX 17654321',
      'TX 17654321',
    ]);
  });

  it('lists nothing for an entity without an NPN, even if the organization has licenses', async () => {
    const { owner, entity } = await organization({ npn: null });
    await agency.put.licenses(owner, licenseOf());
    await agency.put.appointments(owner, appointmentOf());
    for (const route of [
      routes.listAgencyLicenses,
      routes.listAgencyAppointments,
      routes.listAgencyLicenseOverview,
    ]) {
      const { data } = await ask(owner, route, { query: { downstreamEntityId: entity._id } });
      expect(data).toMatchObject({ items: [], total: 0 });
      expect((await ask(owner, route)).data).toMatchObject({ total: 1 });
    }
  });

  it('shows each match once and in order across pages (property)', async () => {
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
      runs(4, 120),
    );
  });
});

describe('the license overview', () => {
  it('shows each state’s most urgent license, by date rather than the registry’s status', async () => {
    const { owner } = await organization();
    await agency.put.licenses(
      owner,
      // In New York it is still the 20th, so this license has not expired yet.
      licenseOf({ stateCode: 'TX', nextRenewalDate: today }),
      licenseOf({ stateCode: 'TX', npn: '2', nextRenewalDate: '2028-01-31', licenseNumber: 'T2' }),
      licenseOf({
        stateCode: 'TX',
        npn: '2',
        status: 'inactive',
        nextRenewalDate: '2028-01-31',
        licenseNumber: 'T3',
      }),
      licenseOf({ stateCode: 'OK', nextRenewalDate: '2026-11-19', licenseNumber: 'O1' }),
      licenseOf({ stateCode: 'OK', npn: '2', nextRenewalDate: '2027-01-19', licenseNumber: 'O2' }),
      licenseOf({
        stateCode: 'LA',
        npn: '3',
        nextRenewalDate: '2027-01-20T05:00:00.000Z',
        licenseNumber: 'L1',
      }),
      licenseOf({ stateCode: 'NM', nextRenewalDate: null, licenseNumber: 'N1' }),
      licenseOf({ stateCode: 'AL', status: 'surrendered', licenseNumber: 'A1' }),
    );
    await agency.put.licenses(newId(), licenseOf({ stateCode: 'CA' }));
    const { data, items } = await ask(owner, routes.listAgencyLicenseOverview);
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

  it('pages the rows but counts all of them; an entity’s rows are those of its NPN', async () => {
    const { owner, entity } = await organization();
    await agency.put.licenses(
      owner,
      ...(['TX', 'OK', 'LA'] as const).map((stateCode) => licenseOf({ stateCode })),
      licenseOf({ npn: '2', stateCode: 'NM' }),
    );
    const two = await ask(owner, routes.listAgencyLicenseOverview, { query: { limit: '3', page: '2' } });
    expect(two.data).toMatchObject({ items: [{ stateCode: 'TX' }], total: 4, counts: { total: 4 } });
    const own = await ask(owner, routes.listAgencyLicenseOverview, {
      query: { downstreamEntityId: entity._id },
    });
    expect(own.data).toMatchObject({ total: 3, counts: { total: 3, active: 3 } });
  });

  it.each<[string, string, ...Partial<License>[]]>([
    ['inactive', 'of which no line is active', { linesOfAuthority: inactiveLines }],
    ['inactive', 'that was suspended', {}, { status: 'Suspended' }],
    [
      'inactive',
      'between two terms',
      { issueDate: '2024-01-01', nextRenewalDate: '2025-10-31' },
      { issueDate: '2027-12-01', nextRenewalDate: '2029-11-30' },
    ],
    ['active', 'that is canceled ahead', { status: 'Canceled', statusDate: '2026-12-31' }],
  ])('has a license as %s %s', async (status, _which, ...rows) => {
    const { owner } = await organization();
    await agency.put.licenses(owner, ...rows.map((row) => licenseOf({ nextRenewalDate: null, ...row })));
    const { items } = await ask(owner, routes.listAgencyLicenseOverview);
    expect(items).toMatchObject([{ status, entities: status === 'active' ? 1 : 0 }]);
    const { items: licenses } = await ask(owner, routes.listAgencyLicenses);
    expect(licenses).toMatchObject([{ isInForce: status === 'active' }]);
  });

  it('reads only keys, however many licenses there are', async () => {
    const { owner } = await organization();
    await agency.put.licenses(
      owner,
      ...Array.from({ length: 120 }, (_, index) => licenseOf({ licenseNumber: String(index) })),
    );
    const { calls, inSequence } = await databaseCalls(() => ask(owner, routes.listAgencyLicenseOverview));
    expect(calls.sort()).toEqual(['BatchGetItemCommand', 'QueryCommand', 'QueryCommand']);
    expect(inSequence).toBeLessThanOrEqual(2);
  });
});

describe('corporate registrations', () => {
  it('are listed by state, for all entities or one', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner);
    await agency.put.entities(other);
    await agency.put.registrations(
      owner,
      registrationOf(entity._id),
      registrationOf(other._id, { stateCode: 'FL', registrationType: 'foreign' }),
    );
    await agency.put.registrations(newId(), registrationOf(newId()));
    const all = await ask(owner, routes.listAgencyCorporateRegistrations);
    expect(all.items.map(({ stateCode }) => stateCode)).toEqual(['FL', 'TX']);
    const one = await ask(owner, routes.listAgencyCorporateRegistrations, {
      query: { downstreamEntityId: entity._id },
    });
    expect(one.data).toMatchObject({ items: [{ stateCode: 'TX', registrationType: 'domestic' }], total: 1 });
  });
});

describe('actions required', () => {
  it('name the entities of a producer’s license, and the open request for it until that is decided', async () => {
    const { owner, entity } = await organization();
    const branch = entityOf(owner, { npn: '2' });
    await Promise.all([
      agency.put.entities(branch),
      agency.put.producers(
        owner,
        producerOf({ npn: '8123456', downstreamEntityIds: [branch._id, entity._id, newId()] }),
      ),
      agency.put.licenses(
        owner,
        licenseOf({ licenseNumber: 'hers', nextRenewalDate: today, npn: '8123456' }),
        licenseOf({ licenseNumber: 'its', nextRenewalDate: today, npn: '2' }),
        licenseOf({ licenseNumber: 'nobodys', nextRenewalDate: today, npn: '999' }),
      ),
    ]);
    const actions = async () => {
      const { items } = await ask(owner, routes.listAgencyActionsRequired);
      return new Map(items.map((item) => [item['licenseNumber'], item]));
    };
    const before = await actions();
    expect(before.get('hers')).toMatchObject({
      downstreamEntityId: null,
      downstreamEntityIds: expect.arrayContaining([branch._id, entity._id]),
      licenseRequestId: null,
    });
    expect(before.get('its')).toMatchObject({
      downstreamEntityId: branch._id,
      downstreamEntityIds: [branch._id],
    });
    expect(before.get('nobodys')).toMatchObject({ downstreamEntityId: null, downstreamEntityIds: [] });
    const { npn, stateCode, licenseNumber } = before.get('hers') ?? {};
    const body = { downstreamEntityId: entity._id, type: 'renewal', npn, stateCode, licenseNumber };
    const { data, status } = await ask(owner, routes.createAgencyLicenseRequest, { body });
    expect(status).toBe(201);
    const after = await actions();
    expect(after.get('hers')).toMatchObject({ licenseRequestId: data['_id'] });
    expect(after.get('its')).toMatchObject({ licenseRequestId: null });
    const params = { licenseRequestId: String(data['_id']) };
    expect((await ask(owner, routes.cancelAgencyLicenseRequest, { params })).status).toBe(200);
    expect((await actions()).get('hers')).toMatchObject({ licenseRequestId: null });
  });

  it('can be filtered by type and due date, and tell two markets of one carrier apart', async () => {
    const { owner, entity } = await organization();
    const carrier = newId();
    await Promise.all([
      agency.put.carriers({ organizationId: carrier, name: 'Beacon', naicCodes: ['19437'], eins: [] }),
      agency.put.markets(
        owner,
        marketOf(entity._id, { upstreamEntityId: carrier }),
        marketOf(entity._id, { upstreamEntityId: carrier, branchName: 'Austin' }),
      ),
      agency.put.filing(filingFor(owner, entity._id, true)),
      agency.put.configs(
        carrier,
        // Of other states nothing is listed: an agency need not want to sell there.
        configOf({ otherStates: { linesOfAuthority: [], appointment: 'required' } }),
      ),
      agency.put.licenses(
        owner,
        licenseOf({ licenseNumber: 'no', nextRenewalDate: null, stateCode: 'OK' }),
        licenseOf({ licenseNumber: 'late', nextRenewalDate: '2026-11-19', stateCode: 'LA' }),
        licenseOf({ licenseNumber: 'soon', nextRenewalDate: '2027-01-10', stateCode: 'TX' }),
      ),
    ]);
    const types = async (query: Record<string, string>) => {
      const { items, data } = await ask(owner, routes.listAgencyActionsRequired, { query });
      expect(data['total']).toBe(items.length);
      return items.map(({ type }) => type);
    };
    const all = await types({});
    expect(all).toHaveLength(5);
    for (const type of new Set(all)) {
      expect(await types({ type: String(type) })).toEqual(all.filter((one) => one === type));
    }
    expect(await types({ dueBefore: '2027-01-10' })).toEqual(['license expired']);
    expect(await types({ dueBefore: '2027-01-11' })).toEqual(['license expired', 'license expiring']);
    expect(await types({ dueBefore: '2027-01-11', type: 'license expiring' })).toEqual(['license expiring']);
    expect(await types({ dueBefore: '2027-01-11', type: 'open escalation' })).toEqual([]);
    const { items } = await ask(owner, routes.listAgencyActionsRequired, {
      query: { type: 'missing appointment' },
    });
    expect(items.map(({ branchName, title }) => [branchName, title])).toEqual(
      expect.arrayContaining([
        [null, 'Obtain an appointment with Beacon Specialty in TX.'],
        ['Austin', 'Obtain an appointment with Beacon Specialty (Austin) in TX.'],
      ]),
    );
  });

  it('list escalations, licenses, and appointments by due date, then by ID', async () => {
    const { owner, entity } = await organization();
    const carrier = newId();
    const market = marketOf(entity._id, { upstreamEntityId: carrier });
    const waiting = filingFor(owner, entity._id, true);
    await Promise.all([
      agency.put.carriers({ organizationId: carrier, name: 'Beacon', naicCodes: ['19437'], eins: [] }),
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
    const { items, data } = await ask(owner, routes.listAgencyActionsRequired);
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
    expect((await ask(owner, routes.listAgencyActionsRequired)).items).toEqual(items);

    const pages = await Promise.all(
      ['1', '2', '3'].map((page) =>
        ask(owner, routes.listAgencyActionsRequired, { query: { limit: '2', page } }),
      ),
    );
    expect(pages.flatMap((one) => one.items)).toEqual(items);

    const one = await ask(owner, routes.listAgencyActionsRequired, {
      query: { downstreamEntityId: entity._id },
    });
    expect(one.data['total']).toBe(4);
    expect(one.items).toEqual(items.filter(({ downstreamEntityId }) => downstreamEntityId !== null));
  });

  it('disappear once the escalation is answered or the license renewed', async () => {
    const { owner, entity } = await organization();
    const filing = filingFor(owner, entity._id, true);
    const due = licenseOf({ nextRenewalDate: today });
    await agency.put.filing(filing);
    await agency.put.licenses(owner, due);
    expect((await ask(owner, routes.listAgencyActionsRequired)).data).toMatchObject({ total: 2 });
    await agency.put.licenses(owner, { ...due, nextRenewalDate: '2028-11-20', expirationDate: '2028-11-20' });
    expect((await ask(owner, routes.listAgencyActionsRequired)).items).toMatchObject([
      { type: 'open escalation' },
    ]);
  });

  it('take six sequential database calls, however many actions there are', async () => {
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
    const { inSequence } = await databaseCalls(() => ask(owner, routes.listAgencyActionsRequired));
    expect(inSequence).toBeLessThanOrEqual(6);
  });
});
