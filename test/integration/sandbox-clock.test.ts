import { randomUUID } from 'node:crypto';
import { reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
import { sandboxFunction } from '../../functions/sandbox/function.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { sandboxNightsFunction } from '../../functions/sandbox-nights/function.ts';
import { itemOfAgent } from '../../shared/domain/agents/stored.ts';
import { createRecordConfig } from '../../shared/domain/compliance/record-config.ts';
import { createSweepStore, withoutClock } from '../../shared/domain/license-sweep/store.ts';
import { sweepDay } from '../../shared/domain/license-sweep/sweep.ts';
import { createSimulator } from '../../shared/domain/registry/simulator.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { nextChangeItem, partitionOf } from '../../shared/domain/registry-records/stored.ts';
import { createClocks } from '../../shared/domain/sandbox/clocks.ts';
import { complianceTable, registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { addDays, byClock, newYorkDate } from '../../shared/platform/dates/dates.ts';
import { producerOf } from '../support/agency-records.ts';
import { callerOf, type EventOptions, send } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { sweptShard } from '../support/license-sweep.ts';
import {
  agentId,
  carrier,
  deps,
  failures,
  otherCarrier,
  put,
  putAgentNpn,
  subscribe,
  sweepDeps,
  tables,
} from '../support/registry-records-tests.ts';
import { createTables, dynamo } from '../support/tables.ts';

const routes = sandboxRoutes.routes;
const npn = '17654321';

let real: Date;
let ask: (
  route: (typeof routes)[keyof typeof routes],
  owner: string,
  options?: EventOptions,
) => ReturnType<typeof send>;
let nights: () => Promise<unknown>;
/** Happens once, after the registry has answered a poll. */
let duringPoll: () => Promise<unknown>;

const later = (days: number): string => new Date(real.getTime() + days * 86_400_000).toISOString();

beforeEach(async () => {
  real = new Date('2026-06-01T12:00:00.000Z');
  const now = byClock(() => real);
  const more = await createTables(['idempotency', 'rateCounters', 'downstreamEntities', 'organizations']);
  const names = { ...tables, ...more };
  const context = testContext({ now });
  const pipeline = sandboxFunction.compose({ dynamo, tables: names, context });
  ask = (route, owner, options = {}) =>
    send(pipeline, route, {
      identity: callerOf(owner),
      ...('params' in route ? { params: { npn } } : {}),
      ...options,
    });
  duringPoll = async () => undefined;
  const registry = createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now);
  nights = sandboxNightsFunction.compose({
    registry: {
      ...registry,
      async poll(asked) {
        const polled = await registry.poll(asked);
        await duringPoll();
        duringPoll = async () => undefined;
        return polled;
      },
    },
    tables: tablesOf(dynamo, names),
    context,
  });
});

const clockOf = async (owner: string) => (await ask(routes.getSandboxClock, owner)).data;
const advance = (owner: string, to: string, options: EventOptions = {}) =>
  ask(routes.advanceSandboxClock, owner, { body: { to }, ...options });

const productId = '65f0c1d2e3a4b5c6d7e8f905';

describe('a clock', () => {
  test('is the real one, and goes where it is advanced to when its nights are run', async () => {
    expect(await clockOf(carrier)).toEqual({ now: real.toISOString(), status: 'ready' });
    const to = later(10);
    expect(await advance(carrier, to)).toMatchObject({ status: 202, data: { status: 'advancing' } });
    expect(await clockOf(carrier)).toEqual({ now: real.toISOString(), status: 'advancing' });
    await nights();
    expect(await clockOf(carrier)).toEqual({ now: to, status: 'ready' });
    expect(await clockOf(otherCarrier)).toEqual({ now: real.toISOString(), status: 'ready' });
    // It runs on.
    real = new Date(real.getTime() + 60_000);
    expect(await clockOf(carrier)).toMatchObject({ now: later(10) });
  });

  test('goes forward only, and at most 400 days', async () => {
    for (const to of [real.toISOString(), later(-1), later(401)]) {
      expect(await advance(carrier, to)).toMatchObject({
        status: 400,
        json: { details: { issues: [{ path: 'to' }] } },
      });
    }
    await advance(carrier, later(30));
    await nights();
    expect(await advance(carrier, later(29))).toMatchObject({ status: 400 });
    expect(await advance(carrier, later(400))).toMatchObject({ status: 202 });
  });

  test('takes one advance at a time, and the same request twice', async () => {
    const same = { headers: { 'idempotency-key': randomUUID() }, identity: callerOf(carrier) };
    const first = await advance(carrier, later(1), same);
    expect(await advance(carrier, later(1), same)).toMatchObject({ status: 202, data: first.data });
    expect(await advance(carrier, later(2))).toMatchObject({ status: 409, json: { errorType: 'conflict' } });
  });

  test('is the clock of what is done for its organization alone', async () => {
    await advance(carrier, later(90));
    await nights();
    const clocks = createClocks(dynamo, tables.registryRecords);
    const now = byClock(() => real);
    const today = async () => newYorkDate(now());
    const seen = await Promise.all([carrier, otherCarrier, carrier].map((owner) => clocks.run(owner, today)));
    expect(seen).toEqual([addDays('2026-06-01', 90), '2026-06-01', addDays('2026-06-01', 90)]);
  });
});

describe('the nights of an advance', () => {
  const renewal = '2026-08-10';
  const license = {
    stateCode: 'TX',
    licenseNumber: '148731',
    licenseClassName: 'Insurance Producer',
    issueDate: '2020-01-01',
    nextRenewalDate: renewal,
  };

  beforeEach(async () => {
    for (const owner of [carrier, otherCarrier]) {
      await subscribe(npn, owner);
      await putAgentNpn(npn, owner);
    }
    for (const owner of [carrier, otherCarrier]) {
      await ask(routes.replaceSandboxRegistryRecord, owner, { body: { licenses: [license] } });
    }
    await advance(carrier, later(1));
    await nights();
  });

  test('report what they do to compliance on the day on which it happens', async () => {
    await put(tables.agents, itemOfAgent(carrier, producerOf({ _id: agentId, npn }), real));

    await createRecordConfig(tableOf(complianceTable, dynamo, tables.compliance))(
      carrier,
      {
        config: {
          productId,
          productName: 'Cargo',
          states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
          validFrom: '2026-01-01',
        },
        isSilent: true,
        mustExist: false,
      },
      real,
      () => [],
    );
    await advance(carrier, later(90));
    await nights();
    const changes = (await eventsIn(tables.outbox)).filter(({ type }) => /STATUS_CHANGE/.test(type));
    expect(changes).toMatchObject([
      {
        type: 'AGENT_COMPLIANCE_STATUS_CHANGE',
        occurredAt: expect.stringMatching(/^2026-08-11T/),
        payload: [{ products: [{ states: [{ licenseStatus: { statusName: 'Expired License' } }] }] }],
      },
    ]);
  });

  const licenseEvents = async () =>
    (await eventsIn(tables.outbox))
      .filter(({ type }) => /LICENSE/.test(type))
      .map(({ type, upstreamEntityId, occurredAt, payload }) => ({
        type,
        upstreamEntityId,
        day: String(occurredAt).slice(0, 10),
        left: (payload as { daysUntilExpiration: number }).daysUntilExpiration,
      }));

  test('report licenses that expire, each on its day, and nobody else’s', async () => {
    expect(await licenseEvents()).toEqual([]);
    await advance(carrier, later(90));
    await nights();
    expect((await licenseEvents()).sort((one, other) => (one.day < other.day ? -1 : 1))).toEqual([
      { type: 'AGENT_LICENSE_EXPIRING', upstreamEntityId: carrier, day: '2026-06-11', left: 60 },
      { type: 'AGENT_LICENSE_EXPIRED', upstreamEntityId: carrier, day: '2026-08-11', left: -1 },
    ]);
    await nights();
    expect(await licenseEvents()).toHaveLength(2);
  });

  test('are all that visit and sweep it', async () => {
    const clocks = createClocks(dynamo, tables.registryRecords);
    const changed = { licenses: [{ ...license, nextRenewalDate: '2026-08-20' }] };
    for (const owner of [carrier, otherCarrier]) {
      await ask(routes.replaceSandboxRegistryRecord, owner, { body: changed });
    }
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    const registry = createSimulator(table, () => real);
    await reconcileAll(real, { ...deps(100_000, 1_000, () => real), registry, clocks });
    const held = async (owner: string) => collect(createRegistryRecords(table).licensesOf(owner, npn));
    expect(await held(carrier)).toMatchObject([{ nextRenewalDate: renewal }]);
    expect(await held(otherCarrier)).toMatchObject([{ nextRenewalDate: '2026-08-20' }]);

    const shards = [carrier, otherCarrier].map((owner) => sweptShard(owner, npn));
    for (const day of ['2026-08-11', '2026-08-21']) {
      real = new Date(`${day}T12:00:00.000Z`);
      await sweepDay(day, day, (shard) => shards.includes(shard), {
        ...sweepDeps(),
        store: createSweepStore(tablesOf(dynamo, tables), withoutClock(clocks)),
        now: () => real,
      });
    }
    expect(await licenseEvents()).toEqual([
      { type: 'AGENT_LICENSE_EXPIRED', upstreamEntityId: otherCarrier, day: '2026-08-21', left: -1 },
    ]);
    expect(failures).toEqual([]);
  });

  test('visit for a record that is put while the clock stands ahead in the next one, also one that is put during a visit', async () => {
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    const ends = async () =>
      (await collect(createRegistryRecords(table).licensesOf(carrier, npn))).map(
        (one) => one.nextRenewalDate,
      );
    const putOne = (nextRenewalDate: string) =>
      ask(routes.replaceSandboxRegistryRecord, carrier, {
        body: { licenses: [{ ...license, nextRenewalDate }] },
      });
    await putOne('2026-08-20');
    real = new Date(real.getTime() + 86_400_000);
    await nights();
    expect(await ends()).toEqual(['2026-08-20']);

    await putOne('2026-08-21');
    real = new Date(real.getTime() + 86_400_000);
    duringPoll = () => putOne('2026-08-22');
    await nights();
    await nights();
    expect(await ends()).toEqual(['2026-08-22']);
  });

  test('report in the same night what a writer by the clock of an earlier one takes from its day meanwhile', async () => {
    await advance(carrier, later(70));
    await nights();
    await advance(carrier, later(71));
    duringPoll = () => put(tables.registryRecords, nextChangeItem(carrier, npn, '2026-06-15'));
    await nights();
    const reported = (await eventsIn(tables.outbox)).filter(
      ({ type }) => type === 'COMPLIANCE_INPUTS_CHANGED',
    );
    expect(reported).toMatchObject([{ occurredAt: expect.stringMatching(/^2026-08-11T/) }]);
  });

  test('report what a writer by the clock of an earlier night has come too late for', async () => {
    await advance(carrier, later(20));
    await nights();
    // As if what it read was due on a day that the nights have passed since.
    await put(tables.registryRecords, nextChangeItem(carrier, npn, '2026-06-15'));
    await advance(carrier, later(90));
    await nights();
    const items = await everyItem(dynamo, tables.registryRecords);
    expect(items.filter(({ pk, sk }) => pk === partitionOf(carrier, npn) && sk === 'NEXT-CHANGE')).toEqual(
      [],
    );
    const reported = (await eventsIn(tables.outbox)).filter(
      ({ type }) => type === 'COMPLIANCE_INPUTS_CHANGED',
    );
    expect(reported).toMatchObject([
      { occurredAt: expect.stringMatching(/^2026-06-22T/) },
      { occurredAt: expect.stringMatching(/^2026-08-11T/) },
    ]);
  });
});
