import { randomUUID } from 'node:crypto';
import { createSimulatedRecords, simulatedKeys } from '#domain/registry/simulated-record.ts';
import { createSimulator } from '#domain/registry/simulator.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { anyItem } from '#platform/data/stored.ts';
import { tableOf } from '#platform/data/table.ts';
import { reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
import { sandboxFunction } from '../../functions/sandbox/function.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { callerOf, type EventOptions, send } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { holdersIn } from '../support/holders.ts';
import { carrier, deps, now, otherCarrier, subscribe, tables } from '../support/registry-records-tests.ts';
import { createTables, dynamo } from '../support/tables.ts';

const { getSandboxRegistryRecord, replaceSandboxRegistryRecord, deleteSandboxRegistryRecord } =
  sandboxRoutes.routes;
const npn = '17654321';
const license = { stateCode: 'TX', licenseNumber: '148731', nextRenewalDate: '2027-03-31' };

let ask: (
  route: (typeof sandboxRoutes.routes)[keyof typeof sandboxRoutes.routes],
  owner: string,
  options?: EventOptions,
) => ReturnType<typeof send>;
let registry: ReturnType<typeof createSimulator>;

beforeEach(async () => {
  const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
  const pipeline = sandboxFunction.compose({
    dynamo,
    tables: { ...tables, ...(await createTables(['idempotency', 'rateCounters'])) },
    context: testContext({ now }),
    send: () => Promise.reject(new Error('No test sends anything.')),
  });
  ask = (route, owner, options = {}) =>
    send(pipeline, route, { params: { npn }, identity: callerOf(owner), ...options });
  registry = createSimulator(table, now);
});

const night = () => reconcileAll(now(), { ...deps(), registry });
const heldBy = (owner: string) => holdersIn(tables.registryRecords).licensesOf(owner, npn);

test('a record is shown as it was put, with what was left out, until it is taken back', async () => {
  expect(await ask(getSandboxRegistryRecord, carrier)).toMatchObject({ status: 404 });
  const put = await ask(replaceSandboxRegistryRecord, carrier, { body: { licenses: [license] } });
  expect(put).toMatchObject({
    status: 200,
    data: {
      npn,
      entity: null,
      licenses: [{ ...license, status: 'active', residencyStatus: 'resident', linesOfAuthority: [] }],
      appointments: null,
      regulatoryActions: null,
      isNotFound: false,
    },
  });
  expect(await ask(getSandboxRegistryRecord, carrier)).toMatchObject({ status: 200, data: put.data });
  expect(await ask(deleteSandboxRegistryRecord, carrier)).toMatchObject({ status: 200, data: put.data });
  for (const route of [getSandboxRegistryRecord, deleteSandboxRegistryRecord]) {
    expect(await ask(route, carrier)).toMatchObject({ status: 404 });
  }
});

test('a record replaces the one before as a whole, and a repeated request nothing', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const identity = callerOf(carrier);
  const first = { body: { licenses: [license] }, headers, identity };
  const { data } = await ask(replaceSandboxRegistryRecord, carrier, first);
  const isNotFound = { body: { isNotFound: true } };
  expect(await ask(replaceSandboxRegistryRecord, carrier, isNotFound)).toMatchObject({
    data: { licenses: null, isNotFound: true },
  });
  expect(await ask(replaceSandboxRegistryRecord, carrier, first)).toMatchObject({ status: 200, data });
  expect(await ask(getSandboxRegistryRecord, carrier)).toMatchObject({ data: { isNotFound: true } });
});

test.each([
  {},
  { isNotFound: false },
  { isNotFound: true, licenses: [] },
  { licenses: [{ stateCode: 'TX' }] },
])('what says nothing, contradicts itself, or is no record is refused: %j', async (body) => {
  expect(await ask(replaceSandboxRegistryRecord, carrier, { body })).toMatchObject({ status: 400 });
});

test('a lookup and a synchronization of its owner alone read it', async () => {
  const made = await registry.fetch(npn, otherCarrier);
  await ask(replaceSandboxRegistryRecord, carrier, { body: { licenses: [license], regulatoryActions: [] } });
  expect(await registry.fetch(npn, carrier)).toMatchObject({ name: made?.name, licenses: [license] });
  expect(await registry.fetch(npn, otherCarrier)).toEqual(made);
  await ask(replaceSandboxRegistryRecord, carrier, { body: { isNotFound: true } });
  expect(await registry.fetch(npn, carrier)).toBeUndefined();
  await ask(deleteSandboxRegistryRecord, carrier);
  expect(await registry.fetch(npn, carrier)).toEqual(made);
});

test('it goes over what an operator set', async () => {
  const ofOperator = createSimulatedRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
  await ofOperator.set(npn, { entity: null });
  await ask(replaceSandboxRegistryRecord, carrier, { body: { licenses: [license] } });
  expect(await registry.visit?.(npn, carrier)).toMatchObject({ licenses: [license] });
  expect(await registry.fetch(npn, otherCarrier)).toBeUndefined();
});

test('the next night visits for its owner alone what it says, and then again what the registry makes up', async () => {
  for (const owner of [carrier, otherCarrier]) await subscribe(npn, owner);
  await night();
  await ask(replaceSandboxRegistryRecord, carrier, { body: { licenses: [license] } });
  expect(await night()).toMatchObject({ npns: 1, subscriptions: 2, failed: 0 });
  expect(await heldBy(carrier)).toMatchObject([{ licenseNumber: '148731' }]);
  expect(await heldBy(otherCarrier)).toEqual([]);

  await ask(deleteSandboxRegistryRecord, carrier);
  await night();
  const made = await registry.fetch(npn, carrier);
  const numbers = made?.licenses.map(({ licenseNumber }) => licenseNumber).sort();
  expect((await heldBy(carrier)).map(({ licenseNumber }) => licenseNumber).sort()).toEqual(numbers);
});

describe('records of an organization', () => {
  const table = () => tableOf(registryRecordsTable, dynamo, tables.registryRecords);
  const putList = (npns: Readonly<Record<string, number>>) =>
    table().put({ ...simulatedKeys.ownRecords(carrier), npns, revision: 1 });
  const inSeconds = (seconds: number) => Math.floor(now().getTime() / 1_000) + seconds;
  const numbered = (count: number, until: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [String(1_000_000 + index), until]));
  const put = (owner = carrier) =>
    ask(replaceSandboxRegistryRecord, owner, { body: { licenses: [license] } });

  test('are at most 1,000, of which one can be replaced and one be taken back', async () => {
    await putList(numbered(1_000, inSeconds(60)));
    expect(await put()).toMatchObject({ status: 409, json: { details: { limit: 1_000 } } });
    expect(await put(otherCarrier)).toMatchObject({ status: 200 });
    await putList({ ...numbered(999, inSeconds(60)), [npn]: inSeconds(60) });
    expect(await put()).toMatchObject({ status: 200 });
    expect(await ask(deleteSandboxRegistryRecord, carrier)).toMatchObject({ status: 200 });
    expect(await put()).toMatchObject({ status: 200 });
  });

  test('are kept for 30 days, and count until then', async () => {
    await putList(numbered(1_000, inSeconds(-1)));
    expect(await put()).toMatchObject({ status: 200 });
    const key = simulatedKeys.ownRecord(carrier, npn);
    const days = (Number((await table().get(anyItem, key))?.['expiresAt']) - inSeconds(0)) / 86_400;
    expect(days).toBeCloseTo(30, 2);
    await table().update(key, { expiresAt: inSeconds(-1) });
    expect(await ask(getSandboxRegistryRecord, carrier)).toMatchObject({ status: 404 });
    expect(await registry.visit?.(npn, carrier)).toBeUndefined();
  });
});
