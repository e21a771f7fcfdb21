import { randomUUID } from 'node:crypto';
import { unknownNpn } from '#domain/registry/registry.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { createSubscribedNpns, ensureSubscriptions } from '#domain/registry-records/subscriptions.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { tableOf } from '#platform/data/table.ts';
import { ask, clock, newOwner, registryState, tables } from '../support/carrier-records.ts';
import {
  addAgency,
  addProducers,
  advance,
  agencyNpn,
  agentId,
  agentNpn,
  associationId,
  configure,
  deliverChange,
  events,
  names,
  putLicense,
  takeMessages,
  work,
  worker,
} from '../support/compliance-changes-tests.ts';
import { routes } from '../support/compliance-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('NPN lookup', () => {
  const lookUp = async (npns: readonly string[]) =>
    ask(await newOwner(), routes.lookUpNpns, { body: { npns } });

  it('returns each NPN once, in the order of first appearance', async () => {
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

  it('asks the registry for twenty NPNs concurrently, and rejects more', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expect(await lookUp(twenty)).toMatchObject({ status: 200, data: { length: 20 } });
    expect(registryState.atOnce).toBe(20);
    for (const npns of [[...twenty, '21'], [], ['12a'], ['']]) {
      expect(await lookUp(npns)).toMatchObject({ status: 400, errorType: 'validation_error' });
    }
  });

  const visited = async (npn: string, at: Date): Promise<void> => {
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    const another = { dataOwnerId: await newOwner(), dataOwnerModel: 'upstreamEntity' as const };
    await ensureSubscriptions(table, another, [npn], { entityModel: 'agent' }, at);
    const report = { ...unknownNpn, kind: 'firm' as const, name: 'Juniper Brokerage' };
    await createSubscribedNpns(table).recordPoll(npn, at, report);
  };

  it('answers from a visit of the last 24 hours, but does not take its word that nobody was found', async () => {
    await visited('71', new Date(clock.time.getTime() - 86_000_000));
    await visited('72', new Date(clock.time.getTime() - 86_400_000));
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    await createSubscribedNpns(table).recordPoll('72', clock.time, unknownNpn);
    expect(await lookUp(['71', '72', '8123456'])).toMatchObject({
      data: [
        { npn: '71', result: 'firm', name: 'Juniper Brokerage' },
        { npn: '72', result: 'not found' },
        { npn: '8123456', result: 'individual' },
      ],
    });
    expect(registryState.asked).toEqual(['72', '8123456']);
  });

  it('asks the registry about no more NPNs in a day than the organization may', async () => {
    const owner = await newOwner();
    await visited('73', clock.time);
    const ofTwenty = (from: number) => Array.from({ length: 20 }, (_, index) => String(from + index));
    const ask20 = (from: number) => ask(owner, routes.lookUpNpns, { body: { npns: ofTwenty(from) } });
    expect((await ask20(100)).status).toBe(200);
    const refused = await ask20(200);
    expect(refused).toMatchObject({ status: 429, errorType: 'rate_limit_exceeded', details: { limit: 30 } });
    // Noon in UTC is 8 o'clock in New York.
    expect(refused.headers['retry-after']).toBe(String(16 * 3_600));
    const rest = [...ofTwenty(300).slice(0, 10), '73'];
    expect((await ask(owner, routes.lookUpNpns, { body: { npns: rest } })).status).toBe(200);
    expect((await ask(owner, routes.lookUpNpns, { body: { npns: ['400'] } })).status).toBe(429);
    expect((await ask(owner, routes.lookUpNpns, { body: { npns: ['73'] } })).status).toBe(200);
    expect(registryState.asked).toHaveLength(30);
    clock.time = new Date(clock.time.getTime() + 16 * 3_600_000);
    expect((await ask20(200)).status).toBe(200);
  });

  it('answers 503 while the registry is unavailable, and does not store that response', async () => {
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

describe('compliance data subscriptions', () => {
  it('are found by ID and NPN by their owner only, in one database call', async () => {
    const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
    const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' as const };
    await ensureSubscriptions(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      dataOwner,
      ['1', '2', '2'],
      { entityModel: 'agent' },
      new Date(),
    );
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

  it('are created once and assigned to one model in concurrent imports', async () => {
    const owner = await newOwner();
    const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' as const };
    const models = [null, 'agent', null, 'downstreamEntity', 'agent', null] as const;
    await Promise.all(
      models.map((model) =>
        ensureSubscriptions(
          tableOf(registryRecordsTable, dynamo, tables.registryRecords),
          dataOwner,
          ['7'],
          { entityModel: model },
          new Date(),
        ),
      ),
    );
    const found = await createRegistryRecords(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords),
    ).subscriptionsOf(owner, ['7']);
    expect(['agent', 'downstreamEntity']).toContain(found.get('7')?.entityModel);
  });
});

describe('compliance rechecks', () => {
  test('a change without an NPN is reported of every producer and agency of the carrier', async () => {
    await addAgency();
    await addProducers(['11', '12']);
    await Promise.all([agentNpn, agencyNpn].map((npn) => putLicense(npn)));
    await deliverChange();
    await advance(61);
    expect((await events()).map((event) => event.entityId).sort()).toEqual([agentId, associationId]);
    expect(worker.queue).toEqual([]);
    // What was reported is spread over partitions, so that a carrier's reports are not limited by one.
    const stored = (await everyItem(dynamo, names.compliance)).map(({ pk }) => String(pk));
    const partitions = stored.filter((pk) => pk.includes('#REPORTED'));
    expect(new Set(partitions).size).toBe(partitions.length);
    expect(partitions).toHaveLength(2);
  });

  test('a config that changes during a recheck is what the reports say, once', async () => {
    await putLicense(agentNpn);
    await deliverChange();
    const [firstJob = {}] = takeMessages();
    await configure([{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required' }]);
    await deliverChange();
    // The job of the first recheck is late: it is done after that of the second one, when the change is reported.
    await advance(61);
    await work(firstJob);
    await advance(61);
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(JSON.stringify(event?.payload)).toContain('Missing Line of Authority');
  });
});
