import { reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
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
import { producerOf } from '../support/agency-records.ts';
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
import { advance, ask, clock, later, nights, npn, routes } from '../support/sandbox-clock-tests.ts';
import { dynamo } from '../support/tables.ts';

const productId = '65f0c1d2e3a4b5c6d7e8f905';

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
    await put(tables.agents, itemOfAgent(carrier, producerOf({ _id: agentId, npn }), clock.real));

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
      clock.real,
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
    const registry = createSimulator(table, () => clock.real);
    await reconcileAll(clock.real, { ...deps(100_000, 1_000, () => clock.real), registry, clocks });
    const held = async (owner: string) => collect(createRegistryRecords(table).licensesOf(owner, npn));
    expect(await held(carrier)).toMatchObject([{ nextRenewalDate: renewal }]);
    expect(await held(otherCarrier)).toMatchObject([{ nextRenewalDate: '2026-08-20' }]);

    const shards = [carrier, otherCarrier].map((owner) => sweptShard(owner, npn));
    for (const day of ['2026-08-11', '2026-08-21']) {
      clock.real = new Date(`${day}T12:00:00.000Z`);
      await sweepDay(day, day, (shard) => shards.includes(shard), {
        ...sweepDeps(),
        store: createSweepStore(tablesOf(dynamo, tables), withoutClock(clocks)),
        now: () => clock.real,
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
    clock.real = new Date(clock.real.getTime() + 86_400_000);
    await nights();
    expect(await ends()).toEqual(['2026-08-20']);

    await putOne('2026-08-21');
    clock.real = new Date(clock.real.getTime() + 86_400_000);
    clock.duringPoll = () => putOne('2026-08-22');
    await nights();
    await nights();
    expect(await ends()).toEqual(['2026-08-22']);
  });

  test('report in the same night what a writer by the clock of an earlier one takes from its day meanwhile', async () => {
    await advance(carrier, later(70));
    await nights();
    await advance(carrier, later(71));
    clock.duringPoll = () => put(tables.registryRecords, nextChangeItem(carrier, npn, '2026-06-15'));
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
