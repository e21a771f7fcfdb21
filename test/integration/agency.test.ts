import { newObjectId } from '#platform/data/keys.ts';
import {
  appointmentOf,
  configOf,
  entityOf,
  licenseOf,
  marketOf,
  producerOf,
  registrationOf,
} from '../support/agency-records.ts';
import { agency, ask, filingFor, lists, organization, routes, today } from '../support/agency-tests.ts';
import { add, agencyOrganization, context, itemOf, list } from '../support/associations-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults, withInterruption, withOtherWriter } from '../support/faults.ts';
import { newId } from '../support/filings.ts';
import { recordsInto } from '../support/imports.ts';
import { dynamo } from '../support/tables.ts';

describe('every list for agencies', () => {
  it.each(lists)(
    '%s answers 404 alike for an unknown entity and another organization’s',
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
  it('are listed by legal name, then ID, without deleted ones and other organizations’', async () => {
    const owner = newId();
    const entities = ['Bravo', 'alpha', 'Ålesund', 'Bravo'].map((legalName) =>
      entityOf(owner, { legalName, npn: null }),
    );
    await agency.put.entities(...entities, entityOf(owner, { isDeleted: true }), entityOf(newId()));
    const [bravo, alpha, alesund, other] = entities;
    const ids = [alesund?._id, alpha?._id, ...[bravo?._id, other?._id].sort()];
    const one = await ask(owner, routes.listAgencyEntities, { query: { limit: '3' } });
    const two = await ask(owner, routes.listAgencyEntities, { query: { limit: '3', page: '2' } });
    expect([...one.items, ...two.items].map(({ _id }) => _id)).toEqual(ids);
    expect(two.data).toMatchObject({ total: 4, page: 2, limit: 3, totalPages: 2 });
    expect(one.items[0]).not.toHaveProperty('downstreamOrganizationId');
    expect(one.items[0]).not.toHaveProperty('isDeleted');
  });

  it('can be narrowed to one', async () => {
    const { owner, entity } = await organization();
    await agency.put.entities(entityOf(owner));
    const query = { downstreamEntityId: entity._id };
    const { data } = await ask(owner, routes.listAgencyEntities, { query });
    expect(data).toMatchObject({ items: [{ _id: entity._id }], total: 1 });
    expect(
      (await ask(owner, routes.listAgencyEntities, { query: { ...query, page: '2' } })).data,
    ).toMatchObject({
      items: [],
      total: 1,
    });
  });

  it('can be read by ID; a deleted entity or another organization’s is not found', async () => {
    const { owner, entity } = await organization();
    const params = { downstreamEntityId: entity._id };
    expect(await ask(owner, routes.getAgencyEntity, { params })).toMatchObject({
      status: 200,
      data: { _id: entity._id, legalName: entity.legalName },
    });
    expect(await ask(newId(), routes.getAgencyEntity, { params })).toMatchObject({ status: 404 });
    await agency.put.entities({ ...entity, isDeleted: true });
    expect(await ask(owner, routes.getAgencyEntity, { params })).toMatchObject({ status: 404 });
  });
});

describe('producers', () => {
  it('are listed by name, for all entities or one', async () => {
    const { owner, entity } = await organization();
    const here = producerOf({ lastName: 'Young', npn: '1', downstreamEntityIds: [entity._id] });
    const elsewhere = producerOf({ lastName: 'Abel', npn: '2' });
    await agency.put.producers(owner, here, elsewhere);
    await agency.put.producers(newId(), producerOf());
    const all = await ask(owner, routes.listAgencyProducers);
    expect(all.items.map(({ npn }) => npn)).toEqual(['2', '1']);
    const ofEntity = await ask(owner, routes.listAgencyProducers, {
      query: { downstreamEntityId: entity._id },
    });
    expect(ofEntity.data).toMatchObject({
      items: [{ _id: here._id, downstreamEntityIds: [entity._id] }],
      total: 1,
    });
    expect(ofEntity.items[0]).not.toHaveProperty('labeledEmails');
  });
});

describe('markets and compliance requirements', () => {
  it('lists markets by carrier name, for all entities or one, without naming their owner', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner);
    await agency.put.entities(other);
    const carrier = newId();
    const beacon = marketOf(entity._id, { upstreamEntityId: carrier });
    const acme = marketOf(other._id, { upstreamEntityName: 'Acme', marketType: 'wholesaler' });
    await agency.put.markets(owner, beacon, acme);
    const all = await ask(owner, routes.listAgencyMarkets);
    expect(all.items).toMatchObject([
      { upstreamEntityName: 'Acme', isOnPlatform: false, marketType: 'wholesaler' },
      { upstreamEntityName: 'Beacon Specialty', isOnPlatform: true },
    ]);
    expect(JSON.stringify(all.json)).not.toContain(carrier);
    const one = await ask(owner, routes.listAgencyMarkets, { query: { downstreamEntityId: entity._id } });
    expect(one.items.map((item) => item['upstreamDownstreamAssociationId'])).toEqual([
      beacon.upstreamDownstreamAssociationId,
    ]);
  });

  it('lists the compliance configs of carriers on the platform, once per market, in exact pages', async () => {
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
    const all = await ask(owner, routes.listAgencyComplianceConfigs);
    expect(all.data['total']).toBe(4);
    expect(new Set(all.items.map(({ productId }) => productId))).toEqual(
      new Set(configs.map(({ productId }) => productId)),
    );
    const pages = await Promise.all(
      ['1', '2'].map((page) =>
        ask(owner, routes.listAgencyComplianceConfigs, { query: { limit: '3', page } }),
      ),
    );
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items);
    const one = await ask(owner, routes.listAgencyComplianceConfigs, {
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

describe('two agencies and two carriers that share one of them', () => {
  it('see only a carrier’s name and its products’ requirements of each other', async () => {
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
        ask(owner, routes.createAgencyLicenseRequest, {
          body: { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK', notes: named('Note') },
        }),
      ]);
    }
    // The carriers' own records of the agency, and products of a carrier that it does not work with.
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

describe('agency appointments', () => {
  const beacon = { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['75-1234567'] };

  /** An agency licensed in Texas, and a market of it whose carrier requires an appointment there. */
  async function market(fields: Parameters<typeof configOf>[0] = {}) {
    const { owner, entity } = await organization();
    const carrier = newId();
    await Promise.all([
      agency.put.carriers({ organizationId: carrier, ...beacon }),
      agency.put.markets(owner, marketOf(entity._id, { upstreamEntityId: carrier })),
      agency.put.configs(carrier, configOf(fields)),
      agency.put.licenses(owner, licenseOf()),
    ]);
    const actions = async () =>
      (await ask(owner, routes.listAgencyActionsRequired)).items.map(({ type }) => type);
    return { owner, carrier, actions };
  }

  it.each([
    ['of another insurer', { companyCode: '22314', carrierName: 'Keystone Surety' }, ['missing appointment']],
    ['by its NAIC code', { companyCode: '19437', carrierName: null }, []],
  ])('an appointment in the market’s carrier’s records %s', async (_, fields, expected) => {
    const { carrier, actions } = await market();
    await agency.put.appointments(carrier, appointmentOf(fields));
    expect(await actions()).toEqual(expected);
  });

  it.each([
    ['of another insurer', { companyCode: '22314' }, ['missing appointment']],
    ['of the carrier', { companyCode: '19437' }, []],
  ])('an appointment in the agency’s own records %s', async (_, fields, expected) => {
    const { owner, actions } = await market();
    await agency.put.appointments(owner, appointmentOf(fields));
    expect(await actions()).toEqual(expected);
  });

  it('a license that was given up requires no action, although its date has passed', async () => {
    const { owner } = await organization();
    await agency.put.licenses(
      owner,
      licenseOf({ licenseNumber: 'gone', status: 'surrendered', nextRenewalDate: '2020-01-01' }),
      licenseOf({ licenseNumber: 'late', status: 'expired', nextRenewalDate: '2026-11-19' }),
    );
    const { items } = await ask(owner, routes.listAgencyActionsRequired);
    expect(items).toMatchObject([{ type: 'license expired', licenseNumber: 'late' }]);
  });
});

describe('agency copies', () => {
  // What associations copy of their agencies, when an agency is imported while somebody writes an association with it.

  let carrier: string;
  let agencyId: string;

  beforeEach(async () => {
    carrier = await context.carrier();
    agencyId = newObjectId(new Date());
  });

  /** Imports the agency with an NPN, for an organization or an operator. */
  const importAgency = (npn: string, fields: object = {}, organizationId?: string) =>
    recordsInto(context.tables)(organizationId, [
      { type: 'downstream-entity', _id: agencyId, legalName: 'Agency', npn, ...fields },
    ]);

  const addAgency = async (branchName = 'Main'): Promise<string> =>
    String((await add(carrier, { downstreamEntityId: agencyId, branchName })).data['_id']);

  const ofNpn = (npn: string) => list(carrier, { downstreamEntityNpn: npn });

  /** NPNs of the carrier for which a first poll of the registry is due. */
  const firstPolls = async (): Promise<unknown[]> =>
    (await everyItem(dynamo, context.tables.registryRecords))
      .filter(({ sk }) => sk === `FIRST#${carrier}`)
      .map(({ npn }) => npn);

  /** Whether a call reads associations by their agency. */
  const readsAssociations = (command: string, input: object): boolean =>
    command === 'QueryCommand' && 'TableName' in input && input.TableName === context.tables.associations;

  it('an agency that is added while an import gives it another NPN has the new one', async () => {
    await importAgency('12');
    let added = '';
    const outcome = await withInterruption(
      readsAssociations,
      async () => {
        added = await addAgency();
      },
      () => importAgency('15'),
    );
    expect(outcome).toMatchObject({ imported: 1, rejected: [] });
    expect(await ofNpn('15')).toEqual([added]);
    expect(await ofNpn('12')).toEqual([]);
    expect(await firstPolls()).toContain('15');
  });

  it('an agency whose import comes while it is added has the new NPN, even if the import leaves its time as it was', async () => {
    const updatedAt = '2026-01-01T00:00:00.000Z';
    await importAgency('12', { updatedAt });
    let added = '';
    await withOtherWriter(
      () => importAgency('15', { updatedAt }),
      async () => {
        added = await addAgency();
      },
    );
    expect(await ofNpn('15')).toEqual([added]);
    expect(await ofNpn('12')).toEqual([]);
  });

  it.each(['12', '15'])(
    'an import of NPN %s repairs what one that broke off left, whichever values it brings',
    async (npn) => {
      await importAgency('12');
      const added = await addAgency();
      let transactions = 0;
      const broken = withFaults(
        (command) => {
          if (command !== 'TransactWriteItemsCommand') return 'none';
          transactions += 1;
          // The first one writes the agency, the next one is to update the association.
          return transactions === 1 ? 'none' : 'before';
        },
        () => importAgency('15'),
      );
      await expect(broken).rejects.toThrow('broke off');
      expect(await ofNpn('12')).toEqual([added]);
      await importAgency(npn);
      expect(await ofNpn('12')).toEqual(npn === '12' ? [added] : []);
      expect(await ofNpn('15')).toEqual(npn === '15' ? [added] : []);
    },
  );

  it('an import that is refused, since the agency got an organization meanwhile, changes no copy', async () => {
    await importAgency('12');
    const added = await addAgency();
    const downstreamOrganizationId = await agencyOrganization();
    const outcome = await withInterruption(
      // Whether others know the agency.
      (command, input) =>
        command === 'BatchGetItemCommand' && JSON.stringify(input).includes(context.tables.associations),
      () => importAgency('12', { downstreamOrganizationId }),
      () => importAgency('15', {}, carrier),
    );
    expect(outcome).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
    expect(await ofNpn('12')).toEqual([added]);
    expect(await firstPolls()).toEqual(['12']);
  });

  it('an association that cannot appear again with its agency is named, and stops no other', async () => {
    await importAgency('12');
    const [hidden, others] = await Promise.all([
      add(carrier, { downstreamEntityId: agencyId, externalId: 'A-1' }),
      Promise.all(['North', 'South'].map(addAgency)),
    ]);
    expect(hidden.status).toBe(201);
    await importAgency('12', { isDeleted: true });
    expect(await ofNpn('12')).toEqual([]);
    const another = newObjectId(new Date());
    await recordsInto(context.tables)(undefined, [
      { type: 'downstream-entity', _id: another, legalName: 'Another', npn: '13' },
    ]);
    expect((await add(carrier, { downstreamEntityId: another, externalId: 'A-1' })).status).toBe(201);
    expect(await importAgency('12')).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
    expect([...(await ofNpn('12'))].sort()).toEqual([...others].sort());
  });

  it('of two imports at once, the copies follow the one whose agency stands', async () => {
    await importAgency('12');
    const added = await addAgency();
    await withInterruption(
      // After the agency is written.
      readsAssociations,
      () => importAgency('16'),
      () => importAgency('15'),
    );
    expect(await ofNpn('16')).toEqual([added]);
    expect(await ofNpn('15')).toEqual([]);
  });

  it('an association with another agency is found by that one alone', async () => {
    await importAgency('12');
    const _id = newObjectId(new Date());
    const importAssociation = (downstreamEntityId: string) =>
      recordsInto(context.tables)(carrier, [{ type: 'association', _id, downstreamEntityId }]);
    await importAssociation(agencyId);
    const former = agencyId;
    agencyId = newObjectId(new Date());
    await importAgency('13');
    await importAssociation(agencyId);
    expect(await itemOf({ pk: `ENTITY_ID#${former}`, sk: `ASSOCIATION#${_id}` })).toBeUndefined();
    await importAgency('14');
    expect(await ofNpn('14')).toEqual([_id]);
  });
});
