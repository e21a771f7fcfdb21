import * as fc from 'fast-check';
import type { AgentItem } from '#domain/agents/resource.ts';
import { agentLinks, itemOfAgent } from '#domain/agents/stored.ts';
import type { HeldAppointment } from '#domain/registry/resources.ts';
import { newSubscription, subscriptionItem } from '#domain/registry-records/stored.ts';
import { writesOf } from '#platform/data/table.ts';
import { producerOf } from '../support/agency-records.ts';
import { idsOf, list, routes, store } from '../support/agents-tests.ts';
import { ask, id, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { runs } from '../support/extent.ts';
import {
  agent,
  appointment as appointmentLine,
  association,
  license,
  product,
} from '../support/import-lines.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('lists of agents', () => {
  it('return exactly what the filters match', async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const addresses = ['a@example.com', 'B@example.com', 'c@example.com'] as const;
    const people = Array.from({ length: 12 }, (_, index) => ({
      _id: id(index + 1),
      npn: String(100 + index),
      email: addresses[index % 4] ?? null,
      externalId: ['X-1', 'x-1', null][index % 3] ?? null,
      labeledEmails: index % 3 === 0 ? [{ label: 'work', email: 'C@Example.com' }] : [],
      downstreamEntityAssociationIds: [id(900 + (index % 2)), id(910 + (index % 3))],
    }));
    const licenses = people.slice(0, 6).map(({ npn }, index) => ({
      npn,
      stateCode: index % 2 === 0 ? 'TX' : 'OK',
      licenseNumber: String(1 + (index % 3)),
    }));
    const places = [900, 901, 910, 911, 912].map((one) => association(id(one)));
    await importLines(owner, [...places, ...people.map(agent), ...licenses.map(license)]);
    await importLines(stranger, [agent({ _id: id(50), email: 'a@example.com' })]);
    const associations = fc.option(fc.constantFrom(id(900), id(901), id(910), id(999)), { nil: undefined });
    const selections = fc.oneof(
      fc.constant({}),
      fc.constantFrom('100', '105', '999').map((npn) => ({ npn })),
      fc
        .constantFrom('A@EXAMPLE.COM', 'b@example.com', 'c@example.com', 'd@e.com')
        .map((email) => ({ email })),
      fc.record({ stateCode: fc.constantFrom('TX', 'OK'), licenseNumber: fc.constantFrom('1', '2', '9') }),
      fc.constantFrom('X-1', 'x-1', 'X-2').map((externalId) => ({ externalId })),
    );
    await fc.assert(
      fc.asyncProperty(selections, associations, async (selection, downstreamEntityAssociationId) => {
        const asked: Parameters<typeof list>[1] = { ...selection, downstreamEntityAssociationId };
        const expected = people.filter(
          ({ npn, email, externalId, labeledEmails, downstreamEntityAssociationIds }) =>
            (asked.externalId === undefined || asked.externalId === externalId) &&
            (asked.npn === undefined || asked.npn === npn) &&
            (asked.email === undefined ||
              [email, ...labeledEmails.map((labeled) => labeled.email)].some(
                (address) => address?.toLowerCase() === asked.email?.toLowerCase(),
              )) &&
            (asked.licenseNumber === undefined ||
              licenses.some(
                (one) =>
                  one.npn === npn &&
                  one.stateCode === asked.stateCode &&
                  one.licenseNumber === asked.licenseNumber,
              )) &&
            (downstreamEntityAssociationId === undefined ||
              downstreamEntityAssociationIds.includes(downstreamEntityAssociationId)),
        );
        expect(idsOf(await list(owner, asked))).toEqual(expected.map(({ _id }) => _id).sort());
      }),
      runs(8, 150),
    );
  });

  it('return every agent once across database pages, each with its subscription', async () => {
    const owner = await newOwner();
    // More links than are read at once, and more than a megabyte of agents.
    const count = 110;
    const label = 'l'.repeat(10_000);
    const agents = Array.from({ length: count }, (_, index) =>
      producerOf({
        npn: String(1_000 + index),
        labeledEmails: [{ label, email: 'work@example.com' }],
        downstreamEntityAssociationIds: [id(1)],
      }),
    );
    const items = agents.flatMap((one) => [itemOfAgent(owner, one, now()), ...agentLinks(owner, one)]);
    await writesOf(dynamo, tables.agents).putAll(items);
    const of = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' } as const;
    const subscriptions = agents.map(({ npn }) => newSubscription(of, npn, 'agent'));
    await writesOf(dynamo, tables.registryRecords).putAll(
      subscriptions.map((one) => subscriptionItem(owner, one, now())),
    );
    for (const filters of [{}, { downstreamEntityAssociationId: id(1) }]) {
      const pages: AgentItem[][] = [];
      for await (const page of store().list(owner, filters)) pages.push(page);
      expect(pages).toHaveLength(2);
      const listed = pages.flat();
      expect(listed).toHaveLength(count);
      expect(new Set(listed.map(({ agent: { npn } }) => npn)).size).toBe(count);
      expect(listed.every(({ agent: { npn }, registryDataSubscription: one }) => one?.npn === npn)).toBe(
        true,
      );
    }
  });

  it('take one database call for an NPN, and more where one depends on another', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      association(id(2)),
      agent({
        _id: id(1),
        email: 'a@example.com',
        externalId: 'A-1',
        downstreamEntityAssociationIds: [id(2)],
      }),
      license(),
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
    ]);
    const params = { agentId: id(1) };
    const query = { stateCode: 'TX', productId: id(9) };
    const reads: [number, () => Promise<unknown>][] = [
      [1, () => list(owner, { npn: '8123456' })],
      [2, () => list(owner)],
      [2, () => list(owner, { email: 'a@example.com' })],
      [2, () => list(owner, { externalId: 'A-1' })],
      [2, () => list(owner, { downstreamEntityAssociationId: id(2) })],
      [2, () => list(owner, { stateCode: 'TX', licenseNumber: '100' })],
      [2, () => ask(owner, routes.getAgent, { params })],
      [3, () => ask(owner, routes.listAgentLicenses, { params })],
      [3, () => ask(owner, routes.listAgentAppointments, { params })],
      [3, () => ask(owner, routes.listAgentRegulatoryActions, { params })],
      [2, () => ask(owner, routes.listAgentLicenseComplianceStatuses, { params, query })],
    ];
    for (const [waits, read] of reads) expect(await databaseCalls(read)).toMatchObject({ inSequence: waits });
  });
});

describe('routes of agents', () => {
  it('find agents by external id, as written, until it changes or the agent is gone', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const found = async (externalId: string) => {
      const { data } = await ask(owner, routes.listAgents, { query: { externalId } });
      return idsOf(data as AgentItem[]);
    };
    await importLines(owner, [
      agent({ _id: id(1), npn: '1', externalId: 'A-1' }),
      agent({ _id: id(2), npn: '2', externalId: 'A-1' }),
      agent({ _id: id(3), npn: '3', externalId: 'a-1' }),
      agent({ _id: id(4), npn: '4' }),
    ]);
    await importLines(stranger, [agent({ _id: id(5), externalId: 'A-1' })]);
    expect(await found('A-1')).toEqual([id(1), id(2)]);
    expect(await found(' a-1 ')).toEqual([id(3)]);
    expect(await found('A')).toEqual([]);
    await importLines(owner, [
      agent({ _id: id(1), npn: '1', externalId: 'B-1' }),
      agent({ _id: id(2), npn: '2', externalId: 'A-1', isDeleted: true }),
    ]);
    expect(await found('A-1')).toEqual([]);
    expect(await found('B-1')).toEqual([id(1)]);
  });

  it('reject filters that exclude or require each other, and name them', async () => {
    const owner = await newOwner();
    const refusals: [Record<string, string>, string[]][] = [
      [{ npn: '1', email: 'a@example.com' }, ['npn', 'email']],
      [{ npn: '1', licenseNumber: '1', stateCode: 'TX' }, ['npn', 'licenseNumber']],
      [{ email: 'a@example.com', stateCode: 'TX' }, ['stateCode', 'email']],
      [{ licenseNumber: '1' }, ['stateCode']],
      [{ stateCode: 'TX' }, ['licenseNumber']],
      [{ npn: '1', externalId: 'A' }, ['npn', 'externalId']],
      [{ externalId: ' ' }, ['externalId']],
      [{ npn: 'x' }, ['npn']],
      [{ email: 'x' }, ['email']],
    ];
    for (const [query, paths] of refusals) {
      expect(await ask(owner, routes.listAgents, { query })).toMatchObject({
        status: 400,
        details: { issues: paths.map((path) => ({ path })) },
      });
    }
  });

  it('derive compliance from licenses and appointments, and answer 404 for another owner’s agent', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const config = product(id(9), {
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    });
    await importLines(owner, [
      agent({ _id: id(1) }),
      license({ linesOfAuthority: [{ code: '16' }], nextRenewalDate: '2026-07-01' }),
      license({ stateCode: 'OK', status: 'inactive' }),
      config,
    ]);
    await importLines(stranger, [{ ...config, productId: id(8) }]);
    const route = routes.listAgentLicenseComplianceStatuses;
    const params = { agentId: id(1) };
    const query = { stateCode: 'TX', productId: id(9) };
    expect(await ask(owner, route, { params, query })).toMatchObject({
      status: 200,
      data: [
        {
          npn: '8123456',
          productName: 'GL',
          complianceStatus: 'NOT_COMPLIANT',
          licenseStatus: { statusName: 'Licensed' },
          appointmentStatus: { statusName: 'Not Appointed' },
        },
      ],
    });
    await importLines(owner, [appointmentLine({ carrierName: 'Beacon Specialty, Inc.' })]);
    expect(await ask(owner, route, { params, query })).toMatchObject({
      data: [{ complianceStatus: 'COMPLIANT', appointmentStatus: { statusName: 'Appointed' } }],
    });
    expect(await ask(owner, route, { params, query: { stateCode: 'OK', productId: id(9) } })).toMatchObject({
      data: [{ licenseStatus: { statusName: 'State Not Configured' } }],
    });
    expect(await ask(owner, route, { params, query: { productId: id(9) } })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'stateCode' }] },
    });
    for (const answer of [
      await ask(owner, route, { params, query: { stateCode: 'TX', productId: id(8) } }),
      await ask(stranger, route, { params, query: { stateCode: 'TX', productId: id(8) } }),
      await ask(stranger, routes.getAgent, { params }),
      await ask(stranger, routes.listAgentLicenses, { params }),
      await ask(stranger, routes.listAgentAppointments, { params }),
      await ask(stranger, routes.listAgentRegulatoryActions, { params }),
    ]) {
      expect(answer).toMatchObject({ status: 404 });
    }
    await importLines(owner, [{ ...config, isDeleted: true }]);
    expect(await ask(owner, route, { params, query })).toMatchObject({ status: 404 });
  });

  it('list licenses by combined filters', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      agent({ _id: id(1) }),
      license(),
      license({ licenseNumber: '2', status: 'inactive' }),
      license({ stateCode: 'OK' }),
      license({ npn: '9' }),
    ]);
    const numbers = async (query: Record<string, string>) => {
      const { data } = await ask(owner, routes.listAgentLicensesV1, { params: { agentId: id(1) }, query });
      return (data as { stateCode: string; licenseNumber: string }[]).map(
        ({ stateCode, licenseNumber }) => `${stateCode} ${licenseNumber}`,
      );
    };
    expect(await numbers({})).toEqual(['OK 100', 'TX 100', 'TX 2']);
    expect(await numbers({ stateCode: 'TX' })).toEqual(['TX 100', 'TX 2']);
    expect(await numbers({ status: 'active' })).toEqual(['OK 100', 'TX 100']);
    expect(await numbers({ stateCode: 'TX', status: 'inactive' })).toEqual(['TX 2']);
  });

  it('list appointments by combined filters, and those that were in force on a day', async () => {
    const owner = await newOwner();
    const appointment = (fields: object) =>
      appointmentLine({ carrierName: 'Beacon', companyCode: '1', ...fields });
    await importLines(owner, [
      agent({ _id: id(1) }),
      appointment({ lineOfAuthorityCode: '16', statusChangeDate: '2026-03-01' }),
      appointment({ lineOfAuthorityCode: '17', status: 'terminated', statusChangeDate: '2026-05-01' }),
      appointment({ lineOfAuthorityCode: '17', statusChangeDate: '2026-02-01' }),
      appointment({ stateCode: 'OK', statusChangeDate: '2026-06-01' }),
      appointment({ npn: '9' }),
    ]);
    const lines = async (query: Record<string, string>) => {
      const { data } = await ask(owner, routes.listAgentAppointments, { params: { agentId: id(1) }, query });
      return (data as HeldAppointment[])
        .map(
          ({ stateCode, lineOfAuthorityCode, isInForce }) =>
            `${stateCode} ${lineOfAuthorityCode}${isInForce ? '' : ', ended'}`,
        )
        .sort();
    };
    expect(await lines({})).toEqual(['OK null', 'TX 16', 'TX 17, ended']);
    expect(await lines({ stateCode: 'TX' })).toEqual(['TX 16', 'TX 17, ended']);
    expect(await lines({ stateCode: 'TX', status: 'terminated' })).toEqual(['TX 17, ended']);
    expect(await lines({ asOf: '2026-02-15' })).toEqual(['TX 17']);
    expect(await lines({ asOf: '2026-05-15' })).toEqual(['TX 16']);
    expect(await lines({ asOf: '2026-06-15', stateCode: 'OK' })).toEqual(['OK null']);
  });
});
