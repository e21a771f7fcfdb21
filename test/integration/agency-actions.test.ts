import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import {
  appointmentOf,
  configOf,
  entityOf,
  licenseOf,
  marketOf,
  producerOf,
} from '../support/agency-records.ts';
import { agency, ask, filingFor, organization, routes, today } from '../support/agency-tests.ts';
import { newId } from '../support/filings.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

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
        configOf({ states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }] }),
      ),
      agency.put.licenses(
        owner,
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

  it('leave out a market for whose carrier it cannot be read what kinds the classes of licenses are, and say so', async () => {
    const { owner, entity } = await organization();
    const [carrier, other] = [newId(), newId()];
    await Promise.all([
      agency.put.configs(carrier, configOf()),
      agency.put.configs(other, configOf()),
      agency.put.carriers(
        { organizationId: carrier, name: 'Beacon Specialty', naicCodes: [], eins: [] },
        { organizationId: other, name: 'Keystone Surety', naicCodes: [], eins: [] },
      ),
      agency.put.markets(
        owner,
        ...[carrier, other].map((upstreamEntityId) =>
          marketOf(entity._id, { upstreamEntityId, upstreamDownstreamAssociationId: newId() }),
        ),
      ),
      agency.put.licenses(owner, licenseOf()),
    ]);
    const missing = async () => {
      const { status, items, text } = await ask(owner, routes.listAgencyActionsRequired);
      return { status, count: items.length, text };
    };
    expect(await missing()).toMatchObject({ status: 200, count: 2 });
    await writesOf(dynamo, agency.tables.compliance).putAll([
      { ...complianceKeys.classKinds(other), versions: 'none', revision: 1 },
    ]);
    expect(await missing()).toMatchObject({
      status: 200,
      count: 1,
      text: expect.stringContaining('"recordsUnreadable":1'),
    });
  });

  it('include an appointment from the agency’s own records that names the carrier', async () => {
    const { owner, entity } = await organization();
    const carrier = newId();
    await Promise.all([
      agency.put.carriers({ organizationId: carrier, name: 'Beacon Specialty', naicCodes: [], eins: [] }),
      agency.put.markets(owner, marketOf(entity._id, { upstreamEntityId: carrier })),
      agency.put.configs(carrier, configOf()),
      agency.put.licenses(owner, licenseOf()),
      agency.put.appointments(
        owner,
        appointmentOf({ carrierName: 'Beacon Specialty Life', status: 'terminated' }),
      ),
    ]);
    const types = async () =>
      (await ask(owner, routes.listAgencyActionsRequired)).items.map(({ type }) => type);
    expect(await types()).toEqual(['missing appointment']);
    await agency.put.appointments(owner, appointmentOf({ carrierName: 'Beaconsfield', companyCode: '1' }));
    expect(await types()).toEqual(['missing appointment']);
    await agency.put.appointments(
      owner,
      appointmentOf({ carrierName: 'BEACON SPECIALTY INSURANCE COMPANY' }),
    );
    expect(await types()).toEqual([]);
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
