import { randomUUID } from 'node:crypto';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { createComplianceFunction } from '../../functions/compliance/function.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { features } from '../../shared/contract/access.ts';
import type { Route } from '../../shared/contract/route.ts';
import {
  complianceTable,
  idempotencyTable,
  organizationsTable,
  outboxTable,
  rateCountersTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { type Registry, type RegistryEntity, RegistryUnavailable } from '../../shared/registry/registry.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { subscriptionIdOf } from '../../shared/registry-records/stored.ts';
import { ensureSubscriptions } from '../../shared/registry-records/subscriptions.ts';
import type { Pipeline } from '../../shared/request/pipeline.ts';
import { apiEvent, carrier, type EventOptions, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { withFaults } from '../support/faults.ts';
import { importInto } from '../support/imports.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = complianceRoutes;

const productId = '65f0c1d2e3a4b5c6d7e8f905';

let pipeline: Pipeline;
let registryRecordsName: string;
let outbox: string;
let importConfigs: (owner: string, configs: readonly object[]) => Promise<unknown>;
let newOwner: () => Promise<string>;

const entity = (kind: RegistryEntity['kind'], name: string): RegistryEntity => ({
  kind,
  name,
  residentStateCode: null,
  licenses: [],
  appointments: [],
});

/** A registry that knows two NPNs, and says how many questions it had at once. */
function fakeRegistry() {
  const state = { asked: [] as string[], underWay: 0, atOnce: 0, down: false };
  const known = new Map([
    ['17654321', entity('firm', 'Lone Star Brokerage')],
    ['8123456', entity('individual', 'Maria Delgado')],
  ]);
  const registry: Registry = {
    subscribe: () => Promise.resolve(),
    fetchRegulatoryActions: () => Promise.resolve([]),
    async fetchEntity(npn) {
      state.asked.push(npn);
      state.underWay += 1;
      state.atOnce = Math.max(state.atOnce, state.underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      state.underWay -= 1;
      if (state.down) throw new RegistryUnavailable('down');
      return known.get(npn);
    },
  };
  return { state, registry };
}

const { state: registryState, registry } = fakeRegistry();

beforeAll(async () => {
  const [compliance, registryRecords, idempotency, rateCounters, organizationsName] = await Promise.all([
    createTable(complianceTable),
    createTable(registryRecordsTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
    createTable(organizationsTable),
  ]);
  registryRecordsName = registryRecords;
  outbox = await createTable(outboxTable);
  const organizations = createOrganizationAdministration(dynamo, organizationsName, () => new Date());
  newOwner = async () =>
    (
      await organizations.create({
        name: 'Carrier',
        category: 'upstreamEntity',
        features: [...features],
        subscription: 'active',
        planCeiling: 100,
      })
    ).organizationId;
  const importRecords = importInto({ compliance, organizations: organizationsName });
  importConfigs = async (organizationId, configs) => {
    const lines = configs.map((config) => JSON.stringify({ type: 'compliance-config', ...config }));
    expect(await importRecords({ organizationId, firstLine: 1, lines })).toMatchObject({ rejected: [] });
  };
  pipeline = createComplianceFunction({
    clients: { dynamo, registry },
    tables: { compliance, outbox, registryRecords, idempotency, rateCounters },
    context: testContext(),
  });
});

beforeEach(() => {
  Object.assign(registryState, { asked: [], underWay: 0, atOnce: 0, down: false });
});

/** Every test is another credential, so that none uses up the allowance of another. */
async function ask(owner: string, route: Route, options: EventOptions = {}) {
  const identity = { ...carrier, organizationId: owner, credentialId: owner };
  const { status, body, headers } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  const chunks: string[] = [];
  if (typeof body === 'string') chunks.push(body);
  else for await (const chunk of body) chunks.push(String(chunk));
  const json = JSON.parse(chunks.join('')) as { data?: unknown; errorType?: string; details?: unknown };
  return { status, headers, ...json };
}

describe('NPN lookup', () => {
  const lookUp = async (npns: readonly string[]) =>
    ask(await newOwner(), routes.lookUpNpns, { body: { npns } });

  it('answers each NPN once, in the order in which each comes first', async () => {
    expect(await lookUp(['999', '8123456', '999', '17654321', '8123456'])).toMatchObject({
      status: 200,
      data: [
        { npn: '999', result: 'not found', name: null },
        { npn: '8123456', result: 'individual', name: 'Maria Delgado' },
        { npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' },
      ],
    });
    expect(registryState.asked).toEqual(['999', '8123456', '17654321']);
  });

  it('asks the registry for twenty NPNs side by side, and refuses more', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expect(await lookUp(twenty)).toMatchObject({ status: 200, data: { length: 20 } });
    expect(registryState.atOnce).toBe(20);
    for (const npns of [[...twenty, '21'], [], ['12a'], ['']]) {
      expect(await lookUp(npns)).toMatchObject({ status: 400, errorType: 'validation_error' });
    }
  });

  it('answers 503 while the registry does not answer, and remembers no such answer', async () => {
    const owner = await newOwner();
    const options = { body: { npns: ['8123456'] }, headers: { 'idempotency-key': randomUUID() } };
    registryState.down = true;
    expect(await ask(owner, routes.lookUpNpns, options)).toMatchObject({
      status: 503,
      errorType: 'service_unavailable',
    });
    registryState.down = false;
    expect(await ask(owner, routes.lookUpNpns, options)).toMatchObject({ status: 200 });
    const { status, headers } = await ask(owner, routes.lookUpNpns, options);
    expect(status).toBe(200);
    expect(headers['idempotency-replayed']).toBe('true');
    expect(registryState.asked).toHaveLength(2);
  });
});

describe('compliance configs', () => {
  const tx = { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' };
  const config = { productId, productName: 'GL', states: [tx] };
  const put = (owner: string, body: object, headers: Record<string, string> = {}, id = productId) =>
    ask(owner, routes.replaceComplianceConfig, { params: { productId: id }, body, headers });

  it('are listed, and replaced as a whole', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [
      config,
      { ...config, productId: '65f0c1d2e3a4b5c6d7e8f906', productName: 'PR' },
    ]);
    const replaced = {
      productName: 'General Liability',
      states: [{ stateCode: 'OK', linesOfAuthority: [], appointment: 'on binding' }],
    };
    expect(await put(owner, replaced)).toMatchObject({ status: 200, data: { productId, ...replaced } });
    const { data } = await ask(owner, routes.listComplianceConfigs);
    expect(data).toEqual([
      { productId, ...replaced },
      { productId: '65f0c1d2e3a4b5c6d7e8f906', productName: 'PR', states: [tx] },
    ]);
  });

  it('keep what was replaced when the file that made them is imported again', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [config]);
    await put(owner, { productName: 'Replaced', states: [] });
    await importConfigs(owner, [config]);
    expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
      data: [{ productName: 'Replaced' }],
    });
  });

  it('take each state once', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [config]);
    expect(
      await put(owner, { productName: 'GL', states: [tx, { ...tx, stateCode: 'OK' }, tx] }),
    ).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'states[2].stateCode' }] },
    });
    expect(await put(owner, { productName: 'GL', states: [{ ...tx, misspelt: 1 }] })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'states[0].misspelt' }] },
    });
  });

  it('of an unknown, foreign or deleted product are not found, and nothing is made', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const body = { productName: 'GL', states: [tx] };
    await importConfigs(owner, [config]);
    expect(await put(stranger, body)).toMatchObject({ status: 404, errorType: 'not_found' });
    expect(await put(owner, body, {}, '65f0c1d2e3a4b5c6d7e8f9ff')).toMatchObject({ status: 404 });
    await importConfigs(owner, [{ ...config, isDeleted: true }]);
    expect(await put(owner, body)).toMatchObject({ status: 404 });
    for (const one of [owner, stranger]) {
      expect(await ask(one, routes.listComplianceConfigs)).toMatchObject({ data: [] });
    }
  });

  it('are replaced once under one idempotency key, and the answer is remembered with the work', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [config]);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { productName: 'First', states: [] };
    const { calls, inSequence } = await databaseCalls(() => put(owner, body, headers));
    expect(calls.filter((call) => call === 'TransactWriteItemsCommand')).toHaveLength(1);
    expect(inSequence).toBeLessThanOrEqual(4);
    await put(owner, { ...body, productName: 'Second' });
    const replayed = await put(owner, body, headers);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(replayed).toMatchObject({ status: 200, data: { productName: 'First' } });
    expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
      data: [{ productName: 'Second' }],
    });
    expect(await put(owner, { ...body, productName: 'Third' }, headers)).toMatchObject({ status: 422 });
  });

  it('hold one writer’s whole replacement when several meet', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [config]);
    const names = Array.from({ length: 8 }, (_, index) => `Writer ${index}`);
    const body = (productName: string) => ({
      productName,
      states: [{ ...tx, linesOfAuthority: [productName] }],
    });
    const answers = await Promise.all(names.map((name) => put(owner, body(name))));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { data } = await ask(owner, routes.listComplianceConfigs);
    const [found] = data as { productName: string }[];
    expect(data).toEqual([{ productId, ...body(found?.productName ?? '') }]);
    expect(names).toContain(found?.productName);
  });
});

describe('what a replaced config tells', () => {
  const config = { productId, productName: 'GL', states: [] };
  const put = (owner: string, body: object, headers: Record<string, string> = {}) =>
    ask(owner, routes.replaceComplianceConfig, { params: { productId }, body, headers });
  const toldTo = async (owner: string) =>
    (await eventsIn(outbox)).filter(({ upstreamEntityId }) => upstreamEntityId === owner);

  it('is that everybody’s compliance may have changed, once under one key', async () => {
    const owner = await newOwner();
    await importConfigs(owner, [config]);
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => put(owner, { productName: 'GL', states: [] }, headers);
    await Promise.all([send(), send(), send()]);
    expect((await send()).status).toBe(200);
    expect(await toldTo(owner)).toMatchObject([
      { type: 'COMPLIANCE_INPUTS_CHANGED', entityId: productId, payload: {} },
    ]);
  });

  it('is nothing when it is refused, and once when it breaks off and is sent again', async () => {
    const owner = await newOwner();
    expect((await put(owner, { productName: 'GL', states: [] })).status).toBe(404);
    expect(await toldTo(owner)).toEqual([]);
    await importConfigs(owner, [config]);
    for (const fault of ['before', 'after'] as const) {
      const headers = { 'idempotency-key': randomUUID() };
      const send = () => put(owner, { productName: fault, states: [] }, headers);
      const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
      expect((await withFaults(faultOf, send)).status).toBe(500);
      expect((await send()).status).toBe(200);
    }
    expect(await toldTo(owner)).toHaveLength(2);
  });
});

describe('compliance data subscriptions', () => {
  it('are found by id and by NPN, each by its owner alone, in one wait', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' as const };
    await ensureSubscriptions(dynamo, registryRecordsName, dataOwner, ['1', '2', '2'], 'agent');
    const params = { registryDataSubscriptionId: subscriptionIdOf(owner, '1') };
    const { getComplianceDataSubscription: get, listComplianceDataSubscriptions: list } = routes;
    expect(await ask(owner, get, { params })).toMatchObject({
      status: 200,
      data: { npn: '1', dataOwnerId: owner, entityInfo: { status: 'not started' } },
    });
    expect(await ask(stranger, get, { params })).toMatchObject({ status: 404 });
    expect(await ask(owner, list)).toMatchObject({ data: { length: 2 } });
    expect(await ask(owner, list, { query: { npn: '2' } })).toMatchObject({ data: [{ npn: '2' }] });
    expect(await ask(owner, list, { query: { npn: '3' } })).toMatchObject({ data: [] });
    expect(await ask(stranger, list)).toMatchObject({ data: [] });
    expect(await ask(owner, list, { query: { npn: 'x' } })).toMatchObject({ status: 400 });
    for (const read of [
      () => ask(owner, get, { params }),
      () => ask(owner, list),
      () => ask(owner, list, { query: { npn: '2' } }),
      () => ask(owner, routes.listComplianceConfigs),
    ]) {
      expect(await databaseCalls(read)).toMatchObject({ inSequence: 1 });
    }
  });

  it('are made once, and told once what they stand for, when several imports meet', async () => {
    const owner = await newOwner();
    const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' as const };
    const models = [null, 'agent', null, 'downstreamEntity', 'agent', null] as const;
    await Promise.all(
      models.map((model) => ensureSubscriptions(dynamo, registryRecordsName, dataOwner, ['7'], model)),
    );
    const found = await createRegistryRecords(dynamo, registryRecordsName).subscriptionsOf(owner, ['7']);
    expect(['agent', 'downstreamEntity']).toContain(found.get('7')?.entityModel);
  });
});
