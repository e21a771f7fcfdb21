import * as fc from 'fast-check';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { createAgentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { createAgentStore } from '../../functions/agents/store.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { features, type OrganizationCategory } from '../../shared/contract/access.ts';
import type { Route } from '../../shared/contract/route.ts';
import { collect } from '../../shared/data/collect.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  contactsTable,
  downstreamEntitiesTable,
  organizationsTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { subscriptionIdOf } from '../../shared/registry-records/stored.ts';
import type { AgentItem } from '../../shared/resources/agent.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { importInto } from '../support/imports.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const now = () => new Date('2026-07-01T12:00:00.000Z');

let tables: { agents: string; downstreamEntities: string; registryRecords: string; compliance: string };
let organizations: ReturnType<typeof createOrganizationAdministration>;
let importLines: (organizationId: string, records: readonly object[]) => Promise<ImportOutcome>;

beforeAll(async () => {
  const [organizationsName, agents, associations, contacts, downstreamEntities, registryRecords, compliance] =
    await Promise.all([
      createTable(organizationsTable),
      createTable(agentsTable),
      createTable(associationsTable),
      createTable(contactsTable),
      createTable(downstreamEntitiesTable),
      createTable(registryRecordsTable),
      createTable(complianceTable),
    ]);
  tables = { agents, downstreamEntities, registryRecords, compliance };
  organizations = createOrganizationAdministration(dynamo, organizationsName, now);
  const importRecords = importInto(
    { ...tables, organizations: organizationsName, associations, contacts },
    now,
  );
  importLines = (organizationId, records) =>
    importRecords({ organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)) });
});

const newOwner = async (category: OrganizationCategory = 'upstreamEntity'): Promise<string> =>
  (
    await organizations.create({
      name: 'Owner',
      category,
      features: [...features],
      subscription: 'active',
      planCeiling: 100,
    })
  ).organizationId;

const registryRecords = () => createRegistryRecords(dynamo, tables.registryRecords);
const store = () => createAgentStore(dynamo, tables.agents, registryRecords());

const list = (owner: string, filters: Parameters<ReturnType<typeof store>['list']>[1] = {}) =>
  collect(store().list(owner, filters));

const idsOf = (items: readonly AgentItem[]): string[] => items.map(({ agent }) => agent._id).sort();

const id = (number: number): string => number.toString(16).padStart(24, '0');

const agent = (fields: object = {}) => ({
  type: 'agent',
  npn: '8123456',
  firstName: 'Maria',
  lastName: 'Delgado',
  ...fields,
});

const license = (fields: object = {}) => ({
  type: 'license',
  npn: '8123456',
  stateCode: 'TX',
  licenseNumber: '100',
  ...fields,
});

/** A request of one of the group's routes, answered by its pipeline. */
async function ask(owner: string, route: Route, params: Record<string, string>, query = {}) {
  const answer = createAgentsFunction({ clients: { dynamo }, tables, context: testContext({ now }) });
  const identity = { ...carrier, organizationId: owner };
  const { status, body } = await answer(apiEvent(route, { params, query, identity }), lambdaContext);
  const chunks: string[] = [];
  if (typeof body === 'string') chunks.push(body);
  else for await (const chunk of body) chunks.push(String(chunk));
  const json = JSON.parse(chunks.join('')) as { data: unknown; details: unknown };
  return { status, ...json };
}

const { routes } = agentRoutes;

describe('import of agents', () => {
  it('makes the subscription of the NPN, once, and says what it stands for', async () => {
    const owner = await newOwner();
    await importLines(owner, [license(), license({ stateCode: 'OK' })]);
    const before = await registryRecords().subscriptionsOf(owner, ['8123456']);
    expect(before.get('8123456')).toMatchObject({
      _id: subscriptionIdOf(owner, '8123456'),
      dataOwnerId: owner,
      dataOwnerModel: 'upstreamEntity',
      entityModel: null,
      entityInfo: { status: 'not started' },
    });
    expect(await importLines(owner, [agent(), agent({ npn: '2' })])).toEqual({ imported: 2, rejected: [] });
    const items = await list(owner);
    expect(items.map(({ registryDataSubscription }) => registryDataSubscription)).toEqual(
      items.map(({ agent: { npn } }) =>
        expect.objectContaining({ _id: subscriptionIdOf(owner, npn), npn, entityModel: 'agent' }),
      ),
    );
  });

  it('changes nothing when the same lines come again', async () => {
    const owner = await newOwner();
    const lines = [
      agent({ _id: id(1), email: 'A@example.com', downstreamEntityAssociationIds: [id(7)] }),
      agent({ npn: '2', labeledEmails: [{ label: 'work', email: 'b@example.com' }] }),
      license(),
      { type: 'appointment', npn: '2', stateCode: 'TX' },
      { type: 'regulatory-action', npn: '2', stateCode: 'TX', actionId: '1' },
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
    ];
    expect(await importLines(owner, lines)).toEqual({ imported: 6, rejected: [] });
    const before = await list(owner);
    const { calls } = await databaseCalls(() => importLines(owner, lines));
    expect(calls.filter((call) => /Put|Update|Write/.test(call))).toEqual([]);
    expect(await list(owner)).toEqual(before);
  });

  it('finds a changed agent by what it has now, and no longer by what it had', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      agent({ email: 'old@example.com', downstreamEntityAssociationIds: [id(1), id(2)] }),
    ]);
    const [before] = await list(owner);
    await importLines(owner, [
      agent({ email: 'new@example.com', lastName: 'Reyes', downstreamEntityAssociationIds: [id(2), id(3)] }),
    ]);
    expect(await list(owner, { email: 'old@example.com' })).toEqual([]);
    expect(await list(owner, { downstreamEntityAssociationId: id(1) })).toEqual([]);
    for (const filters of [
      { email: 'NEW@Example.com' },
      { downstreamEntityAssociationId: id(2) },
      { downstreamEntityAssociationId: id(3) },
      { npn: '8123456' },
    ]) {
      expect(await list(owner, filters)).toMatchObject([
        { agent: { _id: before?.agent._id, lastName: 'Reyes', createdAt: before?.agent.createdAt } },
      ]);
    }
  });

  it('gives an NPN to one live agent, also when imports meet', async () => {
    const owner = await newOwner();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => importLines(owner, [agent({ _id: id(index + 1) })])),
    );
    const rejected = outcomes.flatMap((outcome) => outcome.rejected);
    expect(outcomes.filter(({ imported }) => imported === 1)).toHaveLength(1);
    expect(rejected.map(({ issues }) => issues)).toEqual(
      Array.from({ length: 7 }, () => [
        { path: 'npn', message: expect.stringMatching(/^is the NPN of the agent [0-9a-f]{24}$/) },
      ]),
    );
    expect(await list(owner)).toHaveLength(1);
  });

  it('lets a second agent have the NPN that the first gave up', async () => {
    const owner = await newOwner();
    await importLines(owner, [agent({ _id: id(1) })]);
    await importLines(owner, [agent({ _id: id(1), npn: '2' })]);
    expect(await importLines(owner, [agent({ _id: id(2) })])).toEqual({ imported: 1, rejected: [] });
    await importLines(owner, [agent({ _id: id(2), isDeleted: true })]);
    expect(await importLines(owner, [agent({ _id: id(3) })])).toEqual({ imported: 1, rejected: [] });
    expect(idsOf(await list(owner))).toEqual([id(1), id(3)]);
    expect(idsOf(await list(owner, { npn: '2' }))).toEqual([id(1)]);
  });

  it('loses no change when imports of one agent meet', async () => {
    const owner = await newOwner();
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        importLines(owner, [agent({ email: `m${index}@example.com`, externalId: `m${index}` })]),
      ),
    );
    const [only, ...others] = await list(owner);
    expect(others).toEqual([]);
    const found = await Promise.all(
      Array.from({ length: 6 }, (_, index) => list(owner, { email: `m${index}@example.com` })),
    );
    expect(found.flat()).toEqual([only]);
    expect(only?.email).toBe(`${only?.externalId}@example.com`);
  });

  it('leaves out what is soft-deleted, wherever it is looked for, and finds it again once restored', async () => {
    const owner = await newOwner();
    const record = agent({
      _id: id(1),
      email: 'a@example.com',
      downstreamEntityAssociationIds: [id(5)],
    });
    const finds = async () => [
      ...(await list(owner)),
      ...(await list(owner, { email: 'a@example.com' })),
      ...(await list(owner, { npn: '8123456' })),
      ...(await list(owner, { downstreamEntityAssociationId: id(5) })),
      ...(await list(owner, { license: { stateCode: 'TX', licenseNumber: '100' } })),
    ];
    await importLines(owner, [record, license()]);
    expect(await finds()).toHaveLength(5);
    await importLines(owner, [{ ...record, isDeleted: true }]);
    expect(await finds()).toEqual([]);
    expect(await store().find(owner, id(1))).toBeUndefined();
    expect(await importLines(owner, [agent({ npn: '77', isDeleted: true })])).toMatchObject({ imported: 1 });
    expect(await list(owner, { npn: '77' })).toEqual([]);
    await importLines(owner, [record]);
    expect(await finds()).toHaveLength(5);
  });

  it('refuses more addresses, relationships and entities than one transaction can change', async () => {
    const owner = await newOwner();
    const associations = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => id(from + index));
    const full = agent({ downstreamEntityAssociationIds: associations(1, 48) });
    expect(await importLines(owner, [full])).toMatchObject({ imported: 1 });
    const exchanged = agent({ npn: '8123456', downstreamEntityAssociationIds: associations(100, 48) });
    expect(await importLines(owner, [exchanged])).toMatchObject({ imported: 1 });
    expect(await list(owner, { downstreamEntityAssociationId: id(48) })).toEqual([]);
    expect(await list(owner, { downstreamEntityAssociationId: id(147) })).toHaveLength(1);
    expect(
      await importLines(owner, [agent({ npn: '3', downstreamEntityAssociationIds: associations(1, 49) })]),
    ).toMatchObject({ rejected: [{ line: 1, issues: [{ path: '' }] }] });
  });

  it('takes agents and registry records of agencies, and configs of carriers alone', async () => {
    const [upstream, downstream] = await Promise.all([newOwner(), newOwner('downstreamEntity')]);
    const entity = { type: 'downstream-entity', downstreamOrganizationId: downstream };
    await importLines(downstream, [
      { ...entity, _id: id(1), legalName: 'Own' },
      { type: 'downstream-entity', _id: id(2), legalName: 'Other' },
    ]);
    const outcome = await importLines(downstream, [
      agent({ downstreamEntityIds: [id(1)] }),
      agent({ npn: '2', downstreamEntityIds: [id(1), id(2)] }),
      license(),
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
      license({ upstreamEntityId: upstream, npn: '3' }),
      license({ upstreamEntityId: downstream, npn: '4' }),
    ]);
    expect(outcome.rejected).toMatchObject([
      { line: 2, issues: [{ path: 'downstreamEntityIds[1]' }] },
      { line: 3, issues: [{ path: 'organizationId' }] },
      { line: 4, issues: [{ path: 'organizationId' }] },
      { line: 6, issues: [{ path: 'organizationId' }] },
    ]);
    expect(await importLines(downstream, [license()])).toEqual({ imported: 1, rejected: [] });
    const subscriptions = await registryRecords().subscriptionsOf(downstream, ['8123456']);
    expect(subscriptions.get('8123456')).toMatchObject({
      dataOwnerId: downstream,
      dataOwnerModel: 'downstreamEntity',
      entityModel: 'agent',
    });
    expect(await collect(registryRecords().licensesOf(upstream, '3'))).toHaveLength(1);
    expect(await list(downstream)).toMatchObject([{ isUploadedByUpstreamEntity: false }]);
  });
});

describe('import of what the registry says', () => {
  it('keeps one record of each license, appointment and action, and hides what is deleted', async () => {
    const owner = await newOwner();
    const action = { type: 'regulatory-action', npn: '8123456', stateCode: 'TX', actionId: '4471' };
    const appointment = { type: 'appointment', npn: '8123456', stateCode: 'TX', companyCode: '19437' };
    await importLines(owner, [
      license({ status: 'pending' }),
      license({ linesOfAuthority: [{ code: '16' }], nextRenewalDate: '2027-03-31' }),
      license({ licenseNumber: '200', stateCode: 'OK', isDeleted: true }),
      appointment,
      { ...appointment, terminationReason: 'Request' },
      action,
      { ...action, disposition: 'Fine' },
    ]);
    const records = registryRecords();
    expect(await collect(records.licensesOf(owner, '8123456'))).toMatchObject([
      {
        registryDataSubscriptionId: subscriptionIdOf(owner, '8123456'),
        status: 'active',
        residencyStatus: 'resident',
        linesOfAuthority: [{ code: '16', name: '16', status: 'active' }],
      },
    ]);
    expect(await collect(records.appointmentsOf(owner, '8123456'))).toMatchObject([
      { companyCode: '19437', terminationReason: 'Request' },
    ]);
    const [first] = await collect(records.regulatoryActionsOf(owner, '8123456'));
    expect(first).toMatchObject({ actionId: '4471', disposition: 'Fine', createdAt: now().toISOString() });
    await importLines(owner, [
      { ...action, isDeleted: true },
      { ...appointment, isDeleted: true },
      license({ isDeleted: true }),
    ]);
    expect(await collect(records.regulatoryActionsOf(owner, '8123456'))).toEqual([]);
    expect(await collect(records.appointmentsOf(owner, '8123456'))).toEqual([]);
    expect(await collect(records.licensesOf(owner, '8123456'))).toEqual([]);
    expect(await records.npnsOfLicense(owner, 'TX', '100')).toEqual([]);
  });

  it('names each state that a config gives twice', async () => {
    const state = { stateCode: 'TX', linesOfAuthority: [], appointment: 'required' };
    const config = { type: 'compliance-config', productId: id(1), productName: 'GL' };
    const outcome = await importLines(await newOwner(), [
      { ...config, states: [state, { stateCode: 'OK' }, state] },
    ]);
    expect(outcome).toMatchObject({ rejected: [{ line: 1, issues: [{ path: 'states[2].stateCode' }] }] });
  });
});

describe('lists of agents', () => {
  it('show exactly what the filters ask for', async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const addresses = ['a@example.com', 'B@example.com', 'c@example.com'] as const;
    const people = Array.from({ length: 12 }, (_, index) => ({
      _id: id(index + 1),
      npn: String(100 + index),
      email: addresses[index % 4] ?? null,
      labeledEmails: index % 3 === 0 ? [{ label: 'work', email: 'C@Example.com' }] : [],
      downstreamEntityAssociationIds: [id(900 + (index % 2)), id(910 + (index % 3))],
    }));
    const licenses = people.slice(0, 6).map(({ npn }, index) => ({
      npn,
      stateCode: index % 2 === 0 ? 'TX' : 'OK',
      licenseNumber: String(index % 3),
    }));
    await importLines(owner, [...people.map(agent), ...licenses.map(license)]);
    await importLines(stranger, [agent({ _id: id(50), email: 'a@example.com' })]);
    const associations = fc.option(fc.constantFrom(id(900), id(901), id(910), id(999)), { nil: undefined });
    const selections = fc.oneof(
      fc.constant({}),
      fc.constantFrom('100', '105', '999').map((npn) => ({ npn })),
      fc
        .constantFrom('A@EXAMPLE.COM', 'b@example.com', 'c@example.com', 'd@e.com')
        .map((email) => ({ email })),
      fc
        .record({ stateCode: fc.constantFrom('TX', 'OK'), licenseNumber: fc.constantFrom('0', '1', '9') })
        .map((one) => ({ license: one })),
    );
    await fc.assert(
      fc.asyncProperty(selections, associations, async (selection, downstreamEntityAssociationId) => {
        const asked: Parameters<typeof list>[1] = { ...selection, downstreamEntityAssociationId };
        const expected = people.filter(
          ({ npn, email, labeledEmails, downstreamEntityAssociationIds }) =>
            (asked.npn === undefined || asked.npn === npn) &&
            (asked.email === undefined ||
              [email, ...labeledEmails.map((labeled) => labeled.email)].some(
                (address) => address?.toLowerCase() === asked.email?.toLowerCase(),
              )) &&
            (asked.license === undefined ||
              licenses.some(
                (one) =>
                  one.npn === npn &&
                  one.stateCode === asked.license?.stateCode &&
                  one.licenseNumber === asked.license.licenseNumber,
              )) &&
            (downstreamEntityAssociationId === undefined ||
              downstreamEntityAssociationIds.includes(downstreamEntityAssociationId)),
        );
        expect(idsOf(await list(owner, asked))).toEqual(expected.map(({ _id }) => _id).sort());
      }),
      { numRuns: 60 },
    );
  });

  it('hold every agent once, beyond one database page, each with its subscription', async () => {
    const owner = await newOwner();
    const count = 410;
    await importLines(
      owner,
      Array.from({ length: count }, (_, index) =>
        agent({ npn: String(1_000 + index), downstreamEntityAssociationIds: [id(1)] }),
      ),
    );
    for (const filters of [{}, { downstreamEntityAssociationId: id(1) }]) {
      const items = await list(owner, filters);
      expect(new Set(items.map(({ agent: { npn } }) => npn)).size).toBe(count);
      expect(items.every(({ agent: { npn }, registryDataSubscription: of }) => of?.npn === npn)).toBe(true);
    }
  });

  it('wait once for an NPN, and twice where one read tells what the next one is', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      agent({ _id: id(1), email: 'a@example.com', downstreamEntityAssociationIds: [id(2)] }),
      license(),
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
    ]);
    const params = { agentId: id(1) };
    const query = { stateCode: 'TX', productId: id(9) };
    const reads: [number, () => Promise<unknown>][] = [
      [1, () => list(owner, { npn: '8123456' })],
      [2, () => list(owner)],
      [2, () => list(owner, { email: 'a@example.com' })],
      [2, () => list(owner, { downstreamEntityAssociationId: id(2) })],
      [2, () => list(owner, { license: { stateCode: 'TX', licenseNumber: '100' } })],
      [2, () => ask(owner, routes.getAgent, params)],
      [2, () => ask(owner, routes.listAgentLicenses, params)],
      [2, () => ask(owner, routes.listAgentRegulatoryActions, params)],
      [2, () => ask(owner, routes.listAgentLicenseComplianceStatuses, params, query)],
    ];
    for (const [waits, read] of reads) expect(await databaseCalls(read)).toMatchObject({ inSequence: waits });
  });
});

describe('routes of agents', () => {
  it('refuse filters that exclude or need each other, naming them', async () => {
    const owner = await newOwner();
    const refusals: [Record<string, string>, string[]][] = [
      [{ npn: '1', email: 'a@example.com' }, ['npn', 'email']],
      [{ npn: '1', licenseNumber: '1', stateCode: 'TX' }, ['npn', 'licenseNumber']],
      [{ email: 'a@example.com', stateCode: 'TX' }, ['stateCode', 'email']],
      [{ licenseNumber: '1' }, ['stateCode']],
      [{ stateCode: 'TX' }, ['licenseNumber']],
      [{ npn: 'x' }, ['npn']],
      [{ email: 'x' }, ['email']],
    ];
    for (const [query, paths] of refusals) {
      expect(await ask(owner, routes.listAgents, {}, query)).toMatchObject({
        status: 400,
        details: { issues: paths.map((path) => ({ path })) },
      });
    }
  });

  it('tell an agent’s compliance from its licenses and appointments, and 404 for what is not the owner’s', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const config = {
      type: 'compliance-config',
      productId: id(9),
      productName: 'GL',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    };
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
    expect(await ask(owner, route, params, query)).toMatchObject({
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
    await importLines(owner, [{ type: 'appointment', npn: '8123456', stateCode: 'TX' }]);
    expect(await ask(owner, route, params, query)).toMatchObject({
      data: [{ complianceStatus: 'COMPLIANT', appointmentStatus: { statusName: 'Appointed' } }],
    });
    expect(await ask(owner, route, params, { stateCode: 'OK', productId: id(9) })).toMatchObject({
      data: [{ licenseStatus: { statusName: 'Missing License' } }],
    });
    expect(await ask(owner, route, params, { productId: id(9) })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'stateCode' }] },
    });
    for (const answer of [
      await ask(owner, route, params, { stateCode: 'TX', productId: id(8) }),
      await ask(stranger, route, params, { stateCode: 'TX', productId: id(8) }),
      await ask(stranger, routes.getAgent, params),
      await ask(stranger, routes.listAgentLicenses, params),
      await ask(stranger, routes.listAgentRegulatoryActions, params),
    ]) {
      expect(answer).toMatchObject({ status: 404 });
    }
    await importLines(owner, [{ ...config, isDeleted: true }]);
    expect(await ask(owner, route, params, query)).toMatchObject({ status: 404 });
  });

  it('list licenses by the filters together', async () => {
    const owner = await newOwner();
    await importLines(owner, [
      agent({ _id: id(1) }),
      license(),
      license({ licenseNumber: '2', status: 'inactive' }),
      license({ stateCode: 'OK' }),
      license({ npn: '9' }),
    ]);
    const numbers = async (query: object) => {
      const { data } = await ask(owner, routes.listAgentLicensesV1, { agentId: id(1) }, query);
      return (data as { stateCode: string; licenseNumber: string }[]).map(
        ({ stateCode, licenseNumber }) => `${stateCode} ${licenseNumber}`,
      );
    };
    expect(await numbers({})).toEqual(['OK 100', 'TX 100', 'TX 2']);
    expect(await numbers({ stateCode: 'TX' })).toEqual(['TX 100', 'TX 2']);
    expect(await numbers({ status: 'active' })).toEqual(['OK 100', 'TX 100']);
    expect(await numbers({ stateCode: 'TX', status: 'inactive' })).toEqual(['TX 2']);
  });
});
