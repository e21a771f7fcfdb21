import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { createSweepStore } from '#domain/license-sweep/store.ts';
import type { RegistryReport } from '#domain/registry/registry.ts';
import { reportToAll } from '#domain/registry-reconciliation/visit.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { registryRecordsTable } from '#domain/table-designs.ts';
import { tablesOf } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { sweepAll } from '../../functions/license-sweep/function.ts';
import { jobsOf } from '../../functions/registry-reconciliation/poll.ts';
import { reconciliationJobs } from '../../functions/registry-reconciliation/queue.ts';
import { reconcile, reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
import { licenseOf } from '../support/agency-records.ts';
import { eventsIn } from '../support/events.ts';
import { holdersIn, recordedItems } from '../support/holders.ts';
import {
  agency,
  agentId,
  at,
  carrier,
  deps,
  failures,
  now,
  otherCarrier,
  polled,
  put,
  reconcileOn,
  registered,
  subscribe,
  subscribeOnly,
  tables,
  visitedRegistry,
} from '../support/registry-records-tests.ts';
import { held, listOf, npn, poll, subscriptionId, synchronize } from '../support/registry-visits.ts';
import { dynamo } from '../support/tables.ts';

describe('polls', () => {
  type ReportedLicense = NonNullable<RegistryReport['licenses']>[number];

  const { registryDataSubscriptionId, npn: _npn, updatedAt, ...exampleLicense } = licenseOf({});

  /** A license as the registry reports it. */
  const reported = (nextRenewalDate: string, changed: Partial<ReportedLicense> = {}): ReportedLicense => ({
    ...exampleLicense,
    nextRenewalDate,
    expirationDate: nextRenewalDate,
    ...changed,
  });

  /** Stores a license as an import does. */
  async function putLicense(npn: string, nextRenewalDate: string, owner = carrier): Promise<void> {
    const registryDataSubscriptionId = subscriptionIdOf(owner, npn);
    const license = licenseOf({ registryDataSubscriptionId, npn, nextRenewalDate });
    for (const item of recordedItems(owner, { licenses: [license] })) await put(tables.registryRecords, item);
  }

  const licensesOf = (npn: string, owner = carrier) =>
    holdersIn(tables.registryRecords).licensesOf(owner, npn);

  const subscriptionOf = async (npn: string, owner = carrier) =>
    createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords)).findSubscription(
      owner,
      subscriptionIdOf(owner, npn),
    );

  const sweepOn = (day: string) =>
    sweepAll(new Date(`${day}T09:00:00.000Z`), {
      ...deps(),
      store: createSweepStore(tablesOf(dynamo, tables)),
      onFailure: (_, error) => failures.push(error),
    });

  test('a license renewed at the registry is not reported as expired', async () => {
    for (const npn of ['1', '2']) {
      await subscribe(npn);
      await putLicense(npn, '2026-06-02');
    }
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    registered.set('2', { licenses: [reported('2026-06-02')], appointments: [] });
    expect(await reconcileAll(at(3), deps())).toMatchObject({ npns: 2, subscriptions: 2, failed: 0 });
    await sweepOn('2026-06-03');
    const expired = (await eventsIn(tables.outbox)).filter(({ type }) => type === 'AGENT_LICENSE_EXPIRED');
    expect(expired).toMatchObject([{ payload: { agentId, npn: '2', nextRenewalDate: '2026-06-02' } }]);
    expect(await licensesOf('1')).toMatchObject([{ nextRenewalDate: '2028-06-02' }]);
  });

  test('one poll serves every subscriber of an NPN, of whatever organization, with the events of a synchronization', async () => {
    await subscribe('1');
    await subscribe('1', otherCarrier);
    await subscribeOnly('1', { owner: agency, entityModel: 'agent' });
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    expect(await reconcileOn(3)).toMatchObject({ npns: 1, subscriptions: 3, changed: 3 });
    expect(polled).toEqual(['1']);
    for (const owner of [carrier, otherCarrier, agency]) {
      expect(await licensesOf('1', owner)).toMatchObject([{ nextRenewalDate: '2028-06-02' }]);
      expect(await subscriptionOf('1', owner)).toMatchObject({
        entityInfo: { status: 'success' },
        lastSynchronizationDate: expect.any(String),
        pdbAlertsSubscriptionStatus: 'active',
      });
    }
    // Agencies have no webhooks. The event also has the compliance of the NPN determined again.
    const events = await eventsIn(tables.outbox);
    expect(events.map(({ upstreamEntityId }) => upstreamEntityId).sort()).toEqual([carrier, otherCarrier]);
    for (const event of events) {
      expect(event).toMatchObject({
        type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        payload: { npn: '1', registryDataSubscriptionId: event.entityId },
      });
    }
    await reconcileOn(4);
    expect(await eventsIn(tables.outbox)).toHaveLength(2);
  });

  test('a poll that changes nothing but its own time is no change to whoever follows the lists', async () => {
    await subscribe('1');
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    await reconcileOn(3);
    const records = createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
    const itemsChangedSince = async (since: Date) =>
      (await collect(records.npnsChangedSince(carrier, since.toISOString()))).flat();
    const polledFirst = await subscriptionOf('1');
    const unchangedSince = now();
    expect(await reconcileOn(4)).toMatchObject({ npns: 1, changed: 0 });
    expect(await itemsChangedSince(unchangedSince)).toEqual([]);
    const polledAgain = await subscriptionOf('1');
    expect(polledAgain?.lastSynchronizationDate).not.toBe(polledFirst?.lastSynchronizationDate);
    registered.set('1', { licenses: [reported('2030-06-02')], appointments: [] });
    await reconcileOn(5);
    expect(await itemsChangedSince(unchangedSince)).toEqual(['1']);
  });

  test('licenses that the registry no longer reports are left out; those it says nothing of stay', async () => {
    for (const npn of ['1', '2']) {
      await subscribe(npn);
      await putLicense(npn, '2027-06-02');
    }
    registered.set('1', { licenses: [], appointments: [] }).set('2', {});
    await reconcileOn(3);
    expect(await licensesOf('1')).toEqual([]);
    expect(await licensesOf('2')).toHaveLength(1);
  });

  test('an NPN that nobody holds any more is brought up to date without an event', async () => {
    await subscribeOnly('1', { entityModel: 'agent' });
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    expect(await reconcileOn(3)).toMatchObject({ npns: 1, changed: 1, failed: 0 });
    expect(await licensesOf('1')).toHaveLength(1);
    expect(await eventsIn(tables.outbox)).toEqual([]);
  });

  test('NPNs with a license that ends within 30 days are polled before the others', async () => {
    const npns = Array.from({ length: 40 }, (_, index) => String(index + 1));
    for (const npn of npns) {
      await subscribe(npn);
      registered.set(npn, {});
    }
    await reconcileOn(1);
    // From the evening of 2 June on, New York time.
    await putLicense('17', '2026-06-02');
    await putLicense('23', '2026-07-02');
    await putLicense('31', '2026-06-20');
    await putLicense('5', '2026-07-03');
    await putLicense('6', '2026-06-01');
    const jobs = (await collect(reconciliationJobs(new Date('2026-06-03T01:00:00.000Z'), deps()))).flat();
    const order = jobs.flatMap((job) => job.npns);
    expect(order.slice(0, 3).sort()).toEqual(['17', '23', '31']);
    expect(order.toSorted()).toEqual(npns.toSorted());
    expect(Math.max(...jobs.map((job) => job.npns.length))).toBeLessThanOrEqual(25);
    expect(jobs.map(({ position }) => position)).toEqual(
      jobs.map((_, index) => jobs.slice(0, index).reduce((sum, { npns: some }) => sum + some.length, 0)),
    );
  });

  test('a job that is delivered again polls only what was not polled', async () => {
    for (const npn of ['1', '2']) await subscribe(npn);
    registered.set('1', {});
    const [job] = jobsOf(['1', '2'], { asOf: at(3), startedAt: at(3), position: 0 });
    await expect(job && reconcile(job, deps())).rejects.toThrow();
    registered.set('2', {});
    expect(job && (await reconcile(job, deps()))).toMatchObject({ npns: 1, failed: 0 });
    // A job's NPNs are polled side by side.
    expect(polled.toSorted()).toEqual(['1', '2', '2']);
  });

  test('a poll that began before a reconciliation does not count for it', async () => {
    await subscribe('1');
    registered.set('1', {});
    const reconcileFrom = async (startedAt: Date, { registry, ...others }: ReturnType<typeof deps>) => {
      const [job] = jobsOf(['1'], { asOf: at(3), startedAt, position: 0 });
      return job && reconcile(job, { ...others, registry });
    };
    const earlier = deps();
    let startedAt = at(3);
    const registry = visitedRegistry(async (npn) => {
      const report = await reportToAll(earlier.registry, npn);
      startedAt = now();
      return report;
    });
    await reconcileFrom(now(), { ...earlier, registry });
    expect(await reconcileFrom(startedAt, deps())).toMatchObject({ npns: 1, failed: 0 });
    expect(polled).toEqual(['1', '1']);
  });

  test('a subscription that waits for its synchronization keeps its status', async () => {
    await subscribe('1');
    const Key = toItem(registryKeys.subscription(carrier, subscriptionIdOf(carrier, '1')));
    await dynamo.send(
      new UpdateItemCommand({
        TableName: tables.registryRecords,
        Key,
        UpdateExpression: 'SET entityInfo.#status = :queued, entityInfo.jobId = :job',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: toItem({ ':queued': 'queued', ':job': 'a-job' }),
      }),
    );
    registered.set('1', { licenses: [], appointments: [] });
    await reconcileOn(3);
    expect(await subscriptionOf('1')).toMatchObject({ entityInfo: { status: 'queued', jobId: 'a-job' } });
  });
});

// Several visits about one NPN at once.
describe('registry visits', () => {
  beforeEach(() => subscribe(npn));

  test.each([
    ['a poll', poll, synchronize],
    ['a synchronization', synchronize, poll],
    ['a poll', poll, poll],
  ])(
    'of %s and a visit that asked later and was recorded first, the later one counts',
    async (_, first, second) => {
      await poll(async () => listOf('active'));
      await first(async () => {
        await second(async () => listOf('inactive'));
        return listOf('active');
      });
      expect(await held()).toEqual(['inactive']);
      expect(failures).toEqual([]);
    },
  );

  test('a poll during which a synchronization fails is recorded', async () => {
    const key = registryKeys.subscription(carrier, subscriptionId);
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    await poll(async () => listOf('active'));
    const totals = await poll(async () => {
      await table.update(key, { 'entityInfo.status': 'failed' });
      return listOf('inactive');
    });
    expect(totals).toMatchObject({ changed: 1, failed: 0 });
  });
});
